// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type { LabelSelector } from './meta.ts';

/** AggregationRule describes how to locate ClusterRoles to aggregate into the ClusterRole */
export interface AggregationRule {
  /** ClusterRoleSelectors holds a list of selectors which will be used to find ClusterRoles and create the rules. */
  clusterRoleSelectors?: LabelSelector[];
}

export interface ClusterRole {
  /** AggregationRule is an optional field that describes how to build the Rules for this ClusterRole. */
  aggregationRule?: AggregationRule;
  /** Rules holds all the PolicyRules for this ClusterRole */
  rules?: PolicyRule[];
}

export interface ClusterRoleBinding {
  /** RoleRef can only reference a ClusterRole in the global namespace. */
  roleRef: RoleRef;
  /** Subjects holds references to the objects the role applies to. */
  subjects?: Subject[];
}

/** PolicyRule holds information that describes a policy rule, but does not contain information about who the rule applies to or which namespace the rule applies to. */
export interface PolicyRule {
  /** APIGroups is the name of the APIGroup that contains the resources. */
  apiGroups?: string[];
  /** NonResourceURLs is a set of partial urls that a user should have access to. *s are allowed, but only as the full, final step in the path Since non-resource URLs are not namespaced, this field is only applicable for ClusterRoles referenced from a ClusterRoleBinding. */
  nonResourceURLs?: string[];
  /** ResourceNames is an optional white list of names that the rule applies to. */
  resourceNames?: string[];
  /** Resources is a list of resources this rule applies to. '*' represents all resources. */
  resources?: string[];
  /** Verbs is a list of Verbs that apply to ALL the ResourceKinds contained in this rule. '*' represents all verbs. */
  verbs: string[];
}

export interface Role {
  /** Rules holds all the PolicyRules for this Role */
  rules?: PolicyRule[];
}

export interface RoleBinding {
  /** RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. */
  roleRef: RoleRef;
  /** Subjects holds references to the objects the role applies to. */
  subjects?: Subject[];
}

/** RoleRef contains information that points to the role being used */
export interface RoleRef {
  /** APIGroup is the group for the resource being referenced */
  apiGroup?: string;
  /** Kind is the type of resource being referenced */
  kind: string;
  /** Name is the name of resource being referenced */
  name: string;
}

/** Subject contains a reference to the object or user identities a role binding applies to. */
export interface Subject {
  /** APIGroup holds the API group of the referenced subject. */
  apiGroup?: string;
  /** Kind of object being referenced. */
  kind: string;
  /** Name of the object being referenced. */
  name: string;
  /** Namespace of the referenced object. */
  namespace?: string;
}
