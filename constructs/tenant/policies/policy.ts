import type { KubeObject } from '../../../kube/object.ts';
import type { Platform } from '../declaration.ts';
import { concernLabel, concernName, DISABLED, TENANT_LABEL, type Concern } from '../ownership.ts';
import { buildDenyingPolicy } from './denying-policy.ts';
import { buildExemptions } from './exempt.ts';

/** `admissionregistrationv1.NamedRuleWithOperations`, for namespaced resources. */
export interface ResourceRule {
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
