import { normalizeBuiltinObject } from './builtin-stored.ts';
import { formatCanonicalJson } from './json.ts';
import { isMapping, valueAt } from './mapping.ts';
import { groupOf, type KubeObject } from './object.ts';
import { formatPath } from './problem.ts';
import { parseQuantity } from './quantity.ts';

/** Immutable fields of a kind. */
interface ImmutableFields {
  readonly group: string;
  readonly kinds: readonly string[];
  readonly fields: readonly (readonly string[])[];
  /**
   * Whether the API server fills in an absent field, so that only two present values differ for certain.
   * @default false: an absent field is a value, too
   */
  readonly isFilledIn?: boolean;
  /** Returns the part of a value that is compared. @default - all of it */
  readonly as?: (value: unknown) => unknown;
  /** Selects the objects by their old version. @default - all */
  readonly of?: (before: KubeObject) => boolean;
}

const spec = (...names: string[]) => names.map((name) => ['spec', name]);
const isImmutable = (before: KubeObject) => before['immutable'] === true;

/**
 * Immutable fields, by the validation of updates in Kubernetes 1.36, of the kinds that Tenantry and tenants render. A
 * StatefulSet has few mutable fields; of the others this lists those that occur in practice.
 *
 * Source: pkg/apis/{core,apps,batch,rbac}/validation of https://github.com/kubernetes/kubernetes
 */
const FIXED: readonly ImmutableFields[] = [
  {
    group: 'rbac.authorization.k8s.io',
    kinds: ['RoleBinding', 'ClusterRoleBinding'],
    fields: [['roleRef']],
  },
  { group: '', kinds: ['ResourceQuota'], fields: spec('scopes') },
  { group: 'apps', kinds: ['Deployment', 'DaemonSet', 'ReplicaSet'], fields: spec('selector') },
  {
    group: 'apps',
    kinds: ['StatefulSet'],
    fields: spec('selector', 'serviceName'),
  },
  {
    group: 'apps',
    kinds: ['StatefulSet'],
    fields: spec('volumeClaimTemplates'),
    as: normalizeClaims,
  },
  {
    group: 'apps',
    kinds: ['StatefulSet'],
    fields: spec('podManagementPolicy'),
    isFilledIn: true,
  },
  {
    group: 'batch',
    kinds: ['Job'],
    fields: spec('template', 'podFailurePolicy'),
    // The template of a Job that has not begun may change.
    of: (before) => valueAt(before, ['spec', 'suspend']) !== true,
  },
  { group: 'batch', kinds: ['Job'], fields: spec('completionMode'), isFilledIn: true },
  {
    group: '',
    kinds: ['PersistentVolumeClaim'],
    fields: spec('accessModes', 'selector'),
  },
  {
    group: '',
    kinds: ['PersistentVolumeClaim'],
    fields: spec('storageClassName', 'volumeMode', 'dataSource', 'dataSourceRef', 'volumeName'),
    isFilledIn: true,
  },
  { group: '', kinds: ['Service'], fields: spec('clusterIP'), isFilledIn: true },
  { group: '', kinds: ['Secret'], fields: [['type']], isFilledIn: true },
  {
    group: '',
    kinds: ['Secret', 'ConfigMap'],
    fields: [['immutable'], ['data'], ['binaryData']],
    of: isImmutable,
  },
];

/**
 * Lists changed fields that no API server allows to change, such as `spec.selector`. Both objects are compared as
 * stored.
 */
export function findChangedImmutableFields(
  before: KubeObject,
  after: KubeObject,
): readonly string[] {
  const group = groupOf(after.apiVersion);
  const fixed = FIXED.filter(
    (one) => one.group === group && one.kinds.includes(after.kind) && (one.of?.(before) ?? true),
  );
  if (fixed.length === 0) return [];
  const [was, is] = [normalizeBuiltinObject(before), normalizeBuiltinObject(after)];
  return fixed
    .flatMap(({ fields, isFilledIn = false, as = normalizeLists }) =>
      fields.filter((path) => {
        const values = [valueAt(was, path), valueAt(is, path)];
        if (isFilledIn && values.includes(undefined)) return false;
        const [first, second] = values.map((one) => formatCanonicalJson(as(one)));
        return first !== second;
      }),
    )
    .map(formatPath);
}

/** Normalizes claims: fills in defaults, and converts each size to one unit. */
function normalizeClaims(claims: unknown): unknown {
  if (!Array.isArray(claims)) return claims ?? null;
  return claims.map((claim: unknown) => {
    const { spec: kept, ...rest } = isMapping(claim) ? claim : {};
    if (!isMapping(kept)) return claim;
    const { resources } = kept;
    const sizes = valueAt(resources, ['requests']);
    const requests = Object.entries(isMapping(sizes) ? sizes : {}).map(([key, size]) => [
      key,
      String(parseQuantity(String(size)) ?? size),
    ]);
    const inOneUnit = {
      ...(isMapping(resources) && resources),
      requests: Object.fromEntries(requests),
    };
    return { ...rest, spec: { volumeMode: 'Filesystem', ...kept, resources: inOneUnit } };
  });
}

/** Normalizes lists of texts, which are sets here; an empty one is left out. */
function normalizeLists(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.length === 0 ? null : value.toSorted();
  if (isMapping(value) && Object.keys(value).length === 0) return null;
  return value ?? null;
}
