import { builtinFields } from './builtin-fields.ts';
import { isMapping, listAt } from './mapping.ts';
import type { KubeObject } from './object.ts';

/**
 * Normalizes an object of one of Kubernetes' own kinds as an API server does beyond defaults. A comparison with the
 * stored object then only needs defaults. The input is not changed, and is returned if there is nothing to normalize.
 *
 * - A null field is left out. It has no value, but its applier owns it and so removes what another controller or
 *   admission has set there. In maps a null is a value, and stays.
 * - An empty value of a field that the API server sets is left out too. An empty `protocol` of a port is a key that
 *   never matches its stored item, so each apply adds one more.
 * - Claims of a StatefulSet always get this apiVersion and kind.
 * - Values that are applied as a whole get what is stored in them: `apiGroup: null` of a reference within a group, the
 *   `divisor` of a resource, the `value` of a header, and in requests for devices the defaults, which Argo CD does not
 *   know.
 *
 * Source: Kubernetes 1.36, pkg/apis/apps/v1/conversion.go, pkg/apis/core/v1/conversion.go,
 * pkg/apis/resource/v1/defaults.go, pkg/registry/core/service/storage/alloc.go and k8s.io/api/core/v1/types.go
 */
export function normalizeBuiltinObject(object: KubeObject): KubeObject {
  return normalizeValue(`${object.apiVersion}/${object.kind}`, object) as KubeObject;
}

type Fields = Readonly<Record<string, unknown>>;
type Change = (fields: Fields) => Fields;

const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };

/** A type whose API group is stored even if it is absent. */
const REFERENCE = 'core.v1.TypedLocalObjectReference';

/** The changes of values by type. */
const changes: Readonly<Record<string, Change>> = {
  StatefulSetSpec: (spec) => {
    const { volumeClaimTemplates: claims } = spec;
    if (!Array.isArray(claims) || claims.every(isWholeClaim)) return spec;
    const whole = claims.map((one: unknown) =>
      isMapping(one) ? { ...claim, ...one, ...claim } : one,
    );
    return { ...spec, volumeClaimTemplates: whole };
  },
  [REFERENCE]: (reference) =>
    reference['apiGroup'] === undefined ? { ...reference, apiGroup: null } : reference,
  ResourceFieldSelector: fillEmptyFields({ divisor: '0' }),
  HTTPHeader: fillEmptyFields({ value: '' }),
  ContainerPort: dropEmptyFields('protocol'),
  ServicePort: dropEmptyFields('protocol', 'nodePort'),
  ServiceSpec: dropEmptyFields(
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'healthCheckNodePort',
  ),
  PersistentVolumeClaimSpec: dropEmptyFields('volumeName'),
  PodSpec: dropEmptyFields('serviceAccount', 'serviceAccountName', 'nodeName'),
  'resource.v1.ExactDeviceRequest': withCount,
  'resource.v1.DeviceSubRequest': withCount,
  'resource.v1.DeviceToleration': fillEmptyFields({ operator: 'Equal' }),
  'resource.v1beta1.DeviceRequest': (request) =>
    listAt(request, ['firstAvailable']).length > 0 ? request : withCount(request),
  'resource.v1beta1.DeviceSubRequest': withCount,
  'resource.v1beta1.DeviceToleration': fillEmptyFields({ operator: 'Equal' }),
  'resource.v1beta2.ExactDeviceRequest': withCount,
  'resource.v1beta2.DeviceSubRequest': withCount,
  'resource.v1beta2.DeviceToleration': fillEmptyFields({ operator: 'Equal' }),
};

/** Fills in these values where a field is absent or empty. */
function fillEmptyFields(values: Fields): Change {
  return (fields) => {
    const missing = Object.entries(values).filter(
      ([key, value]) => fields[key] !== value && isEmpty(fields[key] ?? null),
    );
    return missing.length > 0 ? { ...fields, ...Object.fromEntries(missing) } : fields;
  };
}

/** Fills in the number of requested devices. */
function withCount(request: Fields): Fields {
  const whole = fillEmptyFields({ allocationMode: 'ExactCount' })(request);
  return whole['allocationMode'] === 'ExactCount' ? fillEmptyFields({ count: 1 })(whole) : whole;
}

const isWholeClaim = (one: unknown): boolean =>
  !isMapping(one) || (one['apiVersion'] === claim.apiVersion && one['kind'] === claim.kind);

/** Drops these fields if they are empty. */
function dropEmptyFields(...keys: readonly string[]) {
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

function normalizeValue(type: string, value: unknown): unknown {
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return value;
    const inner = type.slice(2);
    const items = value.map((item) => normalizeValue(inner, item));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const types = builtinFields(type);
  if (!types || !isMapping(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const inner = types.get(key);
    const field = value[key];
    if (inner === undefined || typeof field !== 'object') continue;
    if (field === null && type !== REFERENCE) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const stored = normalizeValue(inner, field);
    if (stored !== field) (copy ??= { ...value })[key] = stored;
  }
  const fields = copy ?? value;
  return Object.hasOwn(changes, type) ? changes[type]!(fields) : fields;
}
