import { createHash } from 'node:crypto';
import { renameAll } from './transform.ts';
import { kindOf, nameOf, type Built } from './tree.ts';

/** What is replaced in names, so that no word comes of it. */
const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/** Puts behind the names of what is generated what it holds, as kustomize does at last. */
export function hashNames(objects: readonly Built[]): void {
  renameAll(objects, (one) => (one.isHashed ? `${nameOf(one)}-${hashOf(one)}` : undefined));
}

/** Source: https://pkg.go.dev/sigs.k8s.io/kustomize/api/hasher */
function hashOf(one: Built): string {
  const { data = '', binaryData, stringData, type } = one.value;
  const isSecret = kindOf(one) === 'Secret';
  const hashed = {
    ...(!isSecret && binaryData !== undefined && { binaryData }),
    data,
    kind: kindOf(one),
    // Its hasher looks for the name under another field than it has.
    name: '',
    ...(isSecret && stringData !== undefined && { stringData }),
    ...(isSecret && { type }),
  };
  const hex = createHash('sha256').update(asInGo(hashed)).digest('hex');
  return hex.slice(0, 10).replaceAll(/[013ae]/g, (digit) => letters[digit]!);
}

/** JSON as Go writes it: with the keys in order, and without what HTML would read. */
function asInGo(value: object): string {
  const sorted = (_: string, inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, sorted).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => String.raw`\u` + char.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}
