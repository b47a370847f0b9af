import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { PathStep } from '../drift/difference.ts';
import { diffObject } from '../drift/object-drift.ts';

/** A part of a merge patch. */
interface Part {
  [field: string]: unknown;
}

/**
 * The merge patch that takes away what an object has and nobody declared, for an apply leaves alone what it
 * does not say. What stands in a list is taken away with the list as it is declared. Undefined: there is nothing.
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
