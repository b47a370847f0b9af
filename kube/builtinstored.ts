import { builtinFields } from './builtinfields.ts';
import { isMapping } from './mapping.ts';
import type { KubeObject } from './object.ts';

/**
 * An object of one of Kubernetes' own kinds with what an API server makes of it that is no default, so that who compares
 * it with what is stored knows of nothing but defaults. Never changed; the same object where there is nothing to say.
 *
 * - Claims of a StatefulSet get this apiVersion and kind, whatever they say.
 * - A reference within a group is stored with `apiGroup: null` where it names none, and is applied as a whole.
 * - An empty value or null for what the API server allocates is left out: whoever applies it owns the field, and wants it empty again.
 *
 * Source: Kubernetes 1.36, pkg/apis/apps/v1/conversion.go, pkg/registry/core/service/storage/alloc.go and
 * TypedLocalObjectReference of k8s.io/api/core/v1
 */
export function builtinAsStored(object: KubeObject): KubeObject {
  return storedAs(`${object.apiVersion}/${object.kind}`, object) as KubeObject;
}

type Fields = Readonly<Record<string, unknown>>;

const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };

/** What becomes of values of a type. */
const changes: Readonly<Record<string, (fields: Fields) => Fields>> = {
  StatefulSetSpec: (spec) => {
    const { volumeClaimTemplates: claims } = spec;
    if (!Array.isArray(claims) || claims.every(isWholeClaim)) return spec;
    const whole = claims.map((one: unknown) =>
      isMapping(one) ? { ...claim, ...one, ...claim } : one,
    );
    return { ...spec, volumeClaimTemplates: whole };
  },
  'core.v1.TypedLocalObjectReference': (reference) =>
    Object.hasOwn(reference, 'apiGroup') ? reference : { apiGroup: null, ...reference },
  ServiceSpec: without(
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'healthCheckNodePort',
  ),
  ServicePort: without('nodePort'),
};

const isWholeClaim = (one: unknown): boolean =>
  !isMapping(one) || (one['apiVersion'] === claim.apiVersion && one['kind'] === claim.kind);

/** Without these fields where they are empty. */
function without(...keys: readonly string[]) {
  const isLeft = ([key, value]: readonly [string, unknown]): boolean =>
    keys.includes(key) && isEmpty(value);
  return (fields: Fields): Fields => {
    const entries = Object.entries(fields);
    return entries.some(isLeft)
      ? Object.fromEntries(entries.filter((one) => !isLeft(one)))
      : fields;
  };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

function storedAs(type: string, value: unknown): unknown {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return value;
    const inner = type.slice(2);
    const items = value.map((item) => storedAs(inner, item));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const types = typesOf(type);
  if (!types || !isMapping(value)) return value;
  const changed = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    const inner = types.get(key);
    const stored = inner === undefined ? field : storedAs(inner, field);
    return stored === field ? [] : [[key, stored]];
  });
  const fields = changed.length > 0 ? { ...value, ...Object.fromEntries(changed) } : value;
  return changes[type]?.(fields) ?? fields;
}

const known = new Map<string, ReadonlyMap<string, string> | undefined>();

/** The types of the fields of a type. No type that is looked for is within a map. */
function typesOf(type: string): ReadonlyMap<string, string> | undefined {
  if (!known.has(type)) {
    const fields = builtinFields(type);
    known.set(type, fields && new Map(fields));
  }
  return known.get(type);
}
