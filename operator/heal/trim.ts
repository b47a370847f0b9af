import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { PathStep } from '../drift/difference.ts';
import { diffObject } from '../drift/object-drift.ts';

/** A part of a merge patch. */
interface Part {
  [field: string]: unknown;
}

/**
 * Builds the merge patch that removes undeclared fields of an object, which an apply would leave in place. Undeclared
 * list entries are removed when the declared list is applied. Returns undefined if there is nothing to remove.
 */
export function buildTrimPatch(desired: KubeObject, live: KubeObject): Part | undefined {
  const extra = diffObject(desired, live).filter((one) => !('desired' in one));
  if (extra.length === 0) return undefined;
  const patch: Part = {};
  for (const { path } of extra) take(patch, path, desired);
  return patch;
}

function take(patch: Part, [step, ...rest]: readonly PathStep[], desired: unknown): void {
  if (typeof step !== 'string') return;
  const declared = isMapping(desired) ? desired[step] : undefined;
  if (Array.isArray(declared)) patch[step] = declared;
  else if (rest.length === 0) patch[step] = null;
  else if (typeof rest[0] !== 'string') patch[step] = null;
  else {
    const part = isMapping(patch[step]) ? patch[step] : {};
    patch[step] = part;
    take(part as Part, rest, declared);
  }
}
