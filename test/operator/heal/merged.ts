import { isMapping } from '../../../kube/mapping.ts';
import type { KubeObject } from '../../../kube/object.ts';

/** RFC 7386. */
export function mergePatched(object: KubeObject, patch: object): KubeObject {
  // As it is sent: what is undefined is not.
  return merged(object, JSON.parse(JSON.stringify(patch))) as KubeObject;
}

function merged(target: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const result: Record<string, unknown> = isMapping(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = merged(result[field], value);
  }
  return result;
}
