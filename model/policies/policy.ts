import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import {
  addTenantryLabels,
  concernLabel,
  concernName,
  DISABLED,
  TENANT_LABEL,
  POLICY_ANNOTATIONS,
  type Concern,
} from '../ownership.ts';
import type { Platform } from '../declaration.ts';
import { celList } from './cel.ts';

/** `admissionregistrationv1.NamedRuleWithOperations`, for namespaced resources. */
interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
}

/** The content of one admission policy for tenants' users. */
export interface TenantUserPolicy {
  readonly concern: Concern;
  readonly rules: readonly ResourceRule[];
  /** Whether Kubernetes' own controllers are exempt. @default true */
  readonly exemptsControllers?: boolean;
  /** CEL variables, evaluated only when needed, each after those before it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** CEL that must be true, and CEL for the message if it is false. */
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/** Returns the name of the policy and of its binding. */
export function policyName(concern: Concern): string {
  return `tenant-${concernName(concern)}.tenantry.dev`;
}

/**
 * Builds the policy and its binding. They are the same for all classes: they read the settings of class and tenant from
 * the Namespace, which only the platform writes. They use no parameter object. If one were missing the API server would
 * refuse everybody, exempt identities and Kubernetes' controllers included, because it looks up parameters before it
 * evaluates the conditions.
 * Source: k8s.io/apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go
 */
export function buildTenantUserPolicy(
  policy: TenantUserPolicy,
  platform: Platform,
): readonly [policy: KubeObject, binding: KubeObject] {
  const { concern, rules, variables = {}, validations, exemptsControllers } = policy;
  return buildDenyingPolicy(policyName(concern), {
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {
        matchExpressions: [
          { key: TENANT_LABEL, operator: 'Exists' },
          { key: concernLabel(concern), operator: 'NotIn', values: [DISABLED] },
        ],
      },
      objectSelector: {},
      resourceRules: rules.map((rule) => ({
        ...rule,
        apiVersions: ['*'],
        scope: 'Namespaced',
      })),
    },
    matchConditions: buildExemptions(platform, { controllers: exemptsControllers ?? true }),
    ...(Object.keys(variables).length > 0 && {
      variables: Object.entries(variables).map(([name, expression]) => ({ name, expression })),
    }),
    validations: validations.map(({ expression, message }) => ({
      expression,
      messageExpression: message,
      reason: 'Forbidden',
    })),
  });
}

/** Builds a ValidatingAdmissionPolicy without parameters, and a binding of the same name that denies. */
export function buildDenyingPolicy(
  name: string,
  spec: Readonly<Record<string, unknown>>,
): readonly [policy: KubeObject, binding: KubeObject] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name, annotations: POLICY_ANNOTATIONS };
  return [
    addTenantryLabels({
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: { failurePolicy: 'Fail', ...spec },
    }),
    addTenantryLabels({
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Deny'] },
    }),
  ];
}

interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Kubernetes' own controllers that count, collect and delete. */
const controllers = {
  users: ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler'],
  groups: ['system:serviceaccounts:kube-system'],
};
/** Kubelets, which create the mirrors of static pods and request the tokens of pods. */
const nodes = ['system:nodes'];

/** The name of the condition that exempts identities. */
const EXEMPT = 'not-an-exempt-identity';

/**
 * Builds the conditions that exempt the same requesters from all admission policies of Tenantry: cluster
 * administrators, Kubernetes itself, Argo CD, the operator, and the identities that the platform names. The API server
 * evaluates conditions before the rest of a policy, so an error in an expression blocks none of these.
 * @param options.controllers whether Kubernetes' controllers are exempt too. Default: true
 */
export function buildExemptions(
  { argocdNamespace, argocdServiceAccounts, operatorNamespace, identities }: Platform,
  options: { readonly controllers?: boolean } = {},
): MatchCondition[] {
  const kubernetes = options.controllers === false ? { users: [], groups: [] } : controllers;
  const users = [
    ...kubernetes.users,
    ...argocdServiceAccounts.map((name) => `system:serviceaccount:${argocdNamespace}:${name}`),
    `system:serviceaccount:${operatorNamespace}:tenantry-operator`,
    ...identities.users,
  ];
  const groups = [...nodes, ...kubernetes.groups, ...identities.groups];
  return [
    {
      name: 'not-an-administrator',
      // Exempts those who may do anything anyway: an administrator must be able to repair the cluster.
      expression: "!authorizer.group('*').resource('*').check('*').allowed()",
    },
    {
      name: EXEMPT,
      expression: `!(request.userInfo.username in ${celList(users)}) && !request.userInfo.groups.exists(group, group in ${celList(groups)})`,
    },
  ];
}

/** Users and groups that a policy refuses nothing. */
export interface ExemptIdentities {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** Reads the identities back from a condition of `buildExemptions`; undefined for any other condition. */
export function readExemptIdentities(condition: unknown): ExemptIdentities | undefined {
  if (!isMapping(condition) || condition['name'] !== EXEMPT) return undefined;
  const pattern =
    /^!\(request\.userInfo\.username in (\[.*\])\) && !request\.userInfo\.groups\.exists\(group, group in (\[.*\])\)$/s;
  const [, users, groups] = pattern.exec(String(condition['expression'])) ?? [];
  const [userNames, groupNames] = [parseList(users), parseList(groups)];
  return userNames && groupNames && { users: userNames, groups: groupNames };
}

function parseList(text: string | undefined): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
    return isList ? (value as string[]) : undefined;
  } catch {
    return undefined;
  }
}
