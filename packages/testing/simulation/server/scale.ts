import { omitUndefined, valueAt } from '@tenantry/kube/mapping';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import { badRequest, invalid } from './errors.ts';
import type { ServedKind } from './served-kinds.ts';
import type { Fields, StoredObject } from './object-store.ts';

const parseFieldPath = (path: string): string[] => path.split('.').slice(1);

/** Builds the scale of an object (autoscaling/v1). */
export function buildScale(object: StoredObject, { scale, definition }: ServedKind): Fields {
  const at = (path: string | undefined): unknown => path && valueAt(object, parseFieldPath(path));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = definition ? at(scale?.labelSelectorPath) : selectorText(object);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // 0 replicas are omitted (omitempty).
    spec: { replicas: at(scale?.specReplicasPath) || undefined },
    status: omitUndefined({
      replicas: at(scale?.statusReplicasPath) ?? 0,
      selector: typeof selector === 'string' && selector !== '' ? selector : undefined,
    }),
  };
}

function selectorText(object: StoredObject): string {
  const labels = valueAt(object, ['spec', 'selector', 'matchLabels']);
  return Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** Sets the replicas of an object to those of a scale. @throws {ApiError} */
export function applyScale(
  kind: Kind,
  object: StoredObject,
  scale: Fields,
  served: ServedKind,
): Fields {
  const replicas = valueAt(scale, ['spec', 'replicas']) ?? 0;
  if (typeof replicas !== 'number') throw badRequest('spec.replicas must be a number');
  if (replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`;
    throw invalid(kind, object.metadata.name, [{ field: 'spec.replicas', message }]);
  }
  return withValue(object, parseFieldPath(served.scale?.specReplicasPath ?? ''), replicas);
}

function withValue(
  object: Fields,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): Fields {
  if (rest.length === 0) return { ...object, [first]: value };
  const inner = object[first];
  const fields = typeof inner === 'object' && inner !== null ? (inner as Fields) : {};
  return { ...object, [first]: withValue(fields, rest, value) };
}
