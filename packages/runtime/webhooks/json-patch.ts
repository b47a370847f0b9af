import { isDeepEqual } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Returns the JSON patch that turns one JSON value into the other. Equal items at the beginning and the end of lists
 * are left out.
 */
export function computeJsonPatch(from: unknown, to: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare(from, to, '', operations);
  return operations;
}

function compare(from: unknown, to: unknown, path: string, operations: JsonPatchOperation[]): void {
  if (isDeepEqual(from, to)) return;
  if (isMapping(from) && isMapping(to)) compareFields(from, to, path, operations);
  else if (Array.isArray(from) && Array.isArray(to)) compareItems(from, to, path, operations);
  else operations.push({ op: 'replace', path, value: to });
}

type Fields = Readonly<Record<string, unknown>>;

function compareFields(
  from: Fields,
  to: Fields,
  path: string,
  operations: JsonPatchOperation[],
): void {
  for (const name of Object.keys(from)) {
    const inner = `${path}/${escapePointer(name)}`;
    if (Object.hasOwn(to, name)) compare(from[name], to[name], inner, operations);
    else operations.push({ op: 'remove', path: inner });
  }
  for (const name of Object.keys(to)) {
    if (Object.hasOwn(from, name)) continue;
    operations.push({ op: 'add', path: `${path}/${escapePointer(name)}`, value: to[name] });
  }
}

function compareItems(
  from: readonly unknown[],
  to: readonly unknown[],
  path: string,
  operations: JsonPatchOperation[],
): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && isDeepEqual(from[start], to[start])) start += 1;
  let tail = 0;
  while (tail < shorter - start && isDeepEqual(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  const [fromEnd, toEnd] = [from.length - tail, to.length - tail];
  const both = Math.min(fromEnd, toEnd);
  for (let i = start; i < both; i += 1) compare(from[i], to[i], `${path}/${i}`, operations);
  // From the last item on, so that the positions of the others stay.
  for (let i = fromEnd - 1; i >= both; i -= 1)
    operations.push({ op: 'remove', path: `${path}/${i}` });
  for (let i = both; i < toEnd; i += 1) {
    operations.push({ op: 'add', path: `${path}/${i}`, value: to[i] });
  }
}

/** RFC 6901, 3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
