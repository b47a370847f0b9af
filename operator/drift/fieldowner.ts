import { isMapping } from '../../kube/mapping.ts';
import type { ManagedFields } from '../../runtime/kinds/kind.ts';
import type { Step } from './difference.ts';

/** Who wrote a field last, as the API server knows it. */
export interface FieldOwner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** RFC 3339. When that manager last changed any of its fields. */
  readonly time?: string;
}

/**
 * The manager of a field that is there: the last of them to write, where several say the same.
 * @returns undefined where the API server does not know, as of a field that somebody took away
 */
export function fieldOwner(
  managed: readonly ManagedFields[] | undefined,
  path: readonly Step[],
): FieldOwner | undefined {
  const owners = (managed ?? []).filter(
    ({ fieldsV1, subresource }) => subresource === undefined && owns(fieldsV1, path),
  );
  return ownerOf(owners.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1)).at(0));
}

/** Who made an object, or the first who is still known to have written it. */
export function maker(managed: readonly ManagedFields[] | undefined): FieldOwner | undefined {
  const writers = (managed ?? []).filter(({ subresource }) => subresource === undefined);
  return ownerOf(writers.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? -1 : 1)).at(0));
}

function ownerOf(entry: ManagedFields | undefined): FieldOwner | undefined {
  if (entry?.manager === undefined || entry.operation === undefined) return undefined;
  const { manager, operation, time } = entry;
  return { manager, operation, ...(time !== undefined && { time }) };
}

/**
 * Whether a set of fields has a path: the field itself, or what holds it, where that is one value to the
 * API server, as a list without keys is.
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
function owns(fields: unknown, path: readonly Step[]): boolean {
  let at = fields;
  for (const [depth, step] of path.entries()) {
    if (!isMapping(at)) return false;
    const name = Object.keys(at).find((one) => isStep(one, step));
    if (name === undefined) return depth > 0 && Object.keys(at).every((one) => one === '.');
    at = at[name];
  }
  return true;
}

function isStep(name: string, step: Step): boolean {
  if (typeof step === 'string') return name === `f:${step}`;
  if (typeof step === 'number' || !name.startsWith('k:')) return false;
  const key: unknown = JSON.parse(name.slice(2));
  return isMapping(key) && key[step.key] === step.is;
}
