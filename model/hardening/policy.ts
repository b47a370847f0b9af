import type { KubeObject } from '@tenantry/kube/object';
import type { Hardening } from '../../crds/hardening.ts';
import { addTenantryLabels, POLICY_ANNOTATIONS } from '../ownership.ts';

/** The version that serves both kinds of policies and their bindings. */
const apiVersion = 'admissionregistration.k8s.io/v1';

export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
}

/** An item of `matchConditions` and `variables`. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

interface PolicyMatch {
  readonly name: string;
  readonly namespaceSelector: object;
  readonly rules: readonly ResourceRule[];
  readonly matchConditions?: readonly NamedExpression[];
  readonly variables?: readonly NamedExpression[];
}

interface ValidatingPolicyInput extends PolicyMatch {
  /** The kind of the parameter objects with which each request is compared, one after the other. */
  readonly params?: { readonly apiVersion: string; readonly kind: string };
  readonly validations: readonly Validation[];
}

/** CEL that must be true, and a message or CEL for one. */
export type Validation = { readonly expression: string } & (
  { readonly message: string } | { readonly messageExpression: string }
);

interface MutatingPolicyInput extends PolicyMatch {
  readonly mutations: readonly Mutation[];
}

/** CEL that returns an `Object{...}`, which is applied; or a list of `JSONPatch{...}`. */
type Mutation = { readonly apply: string } | { readonly patch: string };

/** Builds a policy that denies, and the binding that enables it. A broken policy denies everything. */
export function buildValidatingPolicy({
  params,
  validations,
  ...matching
}: ValidatingPolicyInput): KubeObject[] {
  const all = { selector: {}, parameterNotFoundAction: 'Deny' };
  return buildPolicyAndBinding(
    'ValidatingAdmissionPolicy',
    matching,
    {
      ...(params && { paramKind: params }),
      validations: validations.map((one) => ({ ...one, reason: 'Forbidden' })),
    },
    { ...(params && { paramRef: all }), validationActions: ['Deny'] },
  );
}

/** Builds a policy that fills in defaults, and the binding that enables it. */
export function buildMutatingPolicy({ mutations, ...matching }: MutatingPolicyInput): KubeObject[] {
  const spec = {
    reinvocationPolicy: 'IfNeeded',
    mutations: mutations.map((one) =>
      'apply' in one
        ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: one.apply } }
        : { patchType: 'JSONPatch', jsonPatch: { expression: one.patch } },
    ),
  };
  return buildPolicyAndBinding('MutatingAdmissionPolicy', matching, spec, {});
}

function buildPolicyAndBinding(
  kind: string,
  { name, namespaceSelector, rules, matchConditions, variables }: PolicyMatch,
  spec: object,
  binding: object,
): KubeObject[] {
  const resourceRules = rules.map((rule) => ({ ...rule, apiVersions: ['*'], scope: 'Namespaced' }));
  const metadata = { name, annotations: POLICY_ANNOTATIONS };
  return [
    addTenantryLabels({
      apiVersion,
      kind,
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { matchPolicy: 'Equivalent', namespaceSelector, resourceRules },
        ...(matchConditions && { matchConditions }),
        ...(variables && { variables }),
        ...spec,
      },
    }),
    addTenantryLabels({
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      spec: { policyName: name, ...binding },
    }),
  ];
}

/**
 * The labels of a Namespace by which the hardening policies select it. They work like those of Pod Security: the
 * policies are the same on every cluster, the label switches one on, and the guard prevents changes of the label.
 */
export const hardeningLabel = {
  imagePullPolicy: 'policy.tenantry.dev/image-pull-policy',
  storage: 'policy.tenantry.dev/storage',
  podDefaults: 'policy.tenantry.dev/pod-defaults',
  imageVersion: 'policy.tenantry.dev/image-version',
} as const satisfies Record<keyof Hardening, string>;

export function buildHardeningLabels(hardening: Hardening): Readonly<Record<string, string>> {
  const keys = Object.keys(hardeningLabel) as (keyof Hardening)[];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = hardening[key];
      return value === undefined ? [] : [[hardeningLabel[key], value]];
    }),
  );
}

/** Selects the namespaces in which a hardening promise applies. */
export function selectHardenedNamespaces<K extends keyof Hardening>(
  key: K,
  value: NonNullable<Hardening[K]>,
): object {
  return { matchLabels: { [hardeningLabel[key]]: value } };
}
