// Written by `npm run gen:kinds` from the OpenAPI of an API server of Kubernetes 1.36.3.

import type * as api from '../../kube/api/rbac.ts';

import type { Kind } from './kind.ts';

export type * from '../../kube/api/rbac.ts';

/** ClusterRole is a cluster level, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding or ClusterRoleBinding. */
export const ClusterRole: Kind<ClusterRole, 'rbac.authorization.k8s.io', 'ClusterRole'> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
};

/** ClusterRoleBinding references a ClusterRole, but not contain it. */
export const ClusterRoleBinding: Kind<
  ClusterRoleBinding,
  'rbac.authorization.k8s.io',
  'ClusterRoleBinding'
> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
};

/** Role is a namespaced, logical grouping of PolicyRules that can be referenced as a unit by a RoleBinding. */
export const Role: Kind<Role, 'rbac.authorization.k8s.io', 'Role'> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
};

/** RoleBinding references a role, but does not contain it. */
export const RoleBinding: Kind<RoleBinding, 'rbac.authorization.k8s.io', 'RoleBinding'> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  scope: 'Namespaced',
};

export type ClusterRole = api.ClusterRole;
export type ClusterRoleBinding = api.ClusterRoleBinding;
export type Role = api.Role;
export type RoleBinding = api.RoleBinding;
