import type { KubeObject } from '../../../kube/object.ts';
import type { Platform } from '../declaration.ts';
import { concernLabel, concernName, DISABLED, TENANT_LABEL, type Concern } from '../ownership.ts';
import { buildDenyingPolicy } from './denying-policy.ts';
import { buildExemptions } from './exempt.ts';

/** `admissionregistrationv1.NamedRuleWithOperations`, for what lies in namespaces. */
export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
}

/** What one admission policy holds people to. */
export interface TenantUserPolicy {
  readonly concern: Concern;
  readonly rules: readonly ResourceRule[];
  /** Kubernetes' own controllers are let through. @default true */
  readonly exemptsControllers?: boolean;
  /** Asked only when they are needed, each after those before it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** CEL that must be true, and CEL for the message where it is not. */
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/** Of the policy and of its binding. */
export function policyName(concern: Concern): string {
  return `tenant-${concernName(concern)}.tenantry.dev`;
}

/**
 * The policy and its binding, which are the same whatever classes there are: they read what a class
 * and a tenant say from the Namespace, which nobody but the platform writes. No parameter object:
 * where one is missing the API server refuses everybody, the exempt and Kubernetes' controllers
 * among them, since it looks for parameters before it asks the conditions.
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
