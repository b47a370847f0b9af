import { isMapping } from '../../kube/mapping.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import { limitRangeSpec } from './limit-range.ts';
import { networkPolicySpec } from './network-policy.ts';
import { roleBindingFields, roleFields } from './rbac.ts';
import { serviceAccountFields } from './service-account.ts';
import { removeEmptyFields } from './stated.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The content of an object, without its metadata. */
export interface Content {
  readonly fields: Fields;
  /** Whether the value at a path is a quantity, which is compared by amount: `0.5` equals `500m`. */
  isQuantity(path: readonly (string | number)[]): boolean;
}

interface Reading {
  fields(object: KubeObject): Fields;
  isQuantity?(path: readonly (string | number)[]): boolean;
}

/** How to read the kinds of which tenants consist, by `group/Kind`. */
const readings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['/Namespace', { fields: () => ({}) }],
  [
    '/ResourceQuota',
    {
      fields: spec((whole) => whole),
      isQuantity: ([, field]) => field === 'hard',
    },
  ],
  // spec.limits[0].max.cpu
  ['/LimitRange', { fields: spec(limitRangeSpec), isQuantity: ({ length }) => length === 5 }],
  ['/ServiceAccount', { fields: serviceAccountFields }],
  ['rbac.authorization.k8s.io/Role', { fields: roleFields }],
  ['rbac.authorization.k8s.io/RoleBinding', { fields: roleBindingFields }],
  ['networking.k8s.io/NetworkPolicy', { fields: spec(networkPolicySpec) }],
  ['policy/PodDisruptionBudget', { fields: spec((whole) => whole) }],
]);

/**
 * Returns the content of an object of a tenant as the API server stores it: with defaults, and without empty values. So
 * declared and live objects can be compared without a request.
 * @returns undefined for a kind that tenants have only among `resources`
 */
export function normalizeContent(object: KubeObject): Content | undefined {
  const reading = readings.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  if (!reading) return undefined;
  const fields = removeEmptyFields(reading.fields(object)) as Fields;
  return { fields, isQuantity: (path) => reading.isQuantity?.(path) ?? false };
}

function spec(of: (spec: Record<string, unknown>) => unknown): (object: KubeObject) => Fields {
  return ({ spec: specValue }) => ({ spec: isMapping(specValue) ? of(specValue) : {} });
}
