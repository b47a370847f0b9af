import { isMapping } from '../../../kube/mapping.ts';

/** Applies a JSON merge patch to a value (RFC 7386). */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const result: Record<string, unknown> = isMapping(value) ? { ...value } : {};
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else result[name] = applyMergePatch(result[name], part);
  }
  return result;
}
