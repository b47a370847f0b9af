import type { KubeObject } from '../../../kube/object.ts';
import { ownObject } from '../../own-object.ts';
import { POLICY_ANNOTATIONS } from '../ownership.ts';

/** The version in which both kinds of policy and their bindings are served. */
const apiVersion = 'admissionregistration.k8s.io/v1';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
}

/** `{name, expression}`, as `matchConditions` and `variables` hold them. */
interface Named {
  readonly name: string;
  readonly expression: string;
}

interface Matching {
  readonly name: string;
  readonly namespaceSelector: object;
  readonly rules: readonly Rule[];
  readonly matchConditions?: readonly Named[];
  readonly variables?: readonly Named[];
}

export interface Validating extends Matching {
  /** The kind of objects that each request is held against, one after the other. */
  readonly params?: { readonly apiVersion: string; readonly kind: string };
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

export interface Mutating extends Matching {
  readonly mutations: readonly Mutation[];
}

/** CEL that gives an `Object{...}`, which is applied; or a list of `JSONPatch{...}`. */
export type Mutation = { readonly apply: string } | { readonly patch: string };

/** A policy that denies, and the binding that turns it on. While it is broken, all is denied. */
export function validating({ params, validations, ...matching }: Validating): KubeObject[] {
  const all = { selector: {}, parameterNotFoundAction: 'Deny' };
  return policyAndBinding(
    'ValidatingAdmissionPolicy',
    matching,
    {
      ...(params && { paramKind: params }),
      validations: validations.map((one) => ({ ...one, reason: 'Forbidden' })),
    },
    { ...(params && { paramRef: all }), validationActions: ['Deny'] },
  );
}

/** A policy that fills in, and the binding that turns it on. */
export function mutating({ mutations, ...matching }: Mutating): KubeObject[] {
  const spec = {
    reinvocationPolicy: 'IfNeeded',
    mutations: mutations.map((one) =>
      'apply' in one
        ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: one.apply } }
        : { patchType: 'JSONPatch', jsonPatch: { expression: one.patch } },
    ),
  };
  return policyAndBinding('MutatingAdmissionPolicy', matching, spec, {});
}

function policyAndBinding(
  kind: string,
  { name, namespaceSelector, rules, matchConditions, variables }: Matching,
  spec: object,
  binding: object,
): KubeObject[] {
  const resourceRules = rules.map((rule) => ({ ...rule, apiVersions: ['*'], scope: 'Namespaced' }));
  const metadata = { name, annotations: POLICY_ANNOTATIONS };
  return [
    ownObject({
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
    ownObject({
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      spec: { policyName: name, ...binding },
    }),
  ];
}
