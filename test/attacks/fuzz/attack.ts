import fc from 'fast-check';
import * as dictionary from './dictionary.ts';

/** A JSON value that an attack may inspect and change. */
export type Tree = Record<string, unknown>;

/** Sets a value at a path of the Tenant; existing lists and maps are extended. */
export interface Attack {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

export const at = (path: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Attack> =>
  value.map((one) => ({ at: path.split('.'), value: one }));

interface Words<T> {
  readonly harmless: readonly T[];
  readonly hostile: readonly T[];
}

/** A word of the dictionary. Most are harmless, because too many refusals would test nothing. */
export const either = <T>({ harmless, hostile }: Words<T>): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...harmless) },
    { weight: 1, arbitrary: fc.constantFrom(...hostile) },
  );

export const someOf = <T>(word: fc.Arbitrary<T>) =>
  fc.uniqueArray(word, { minLength: 1, maxLength: 3 });

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...dictionary.harmlessKeys) },
  fc.constantFrom(...dictionary.trackingKeys),
  fc.constantFrom(...dictionary.namespaceKeys),
);
const pairs = (values: readonly string[]) =>
  fc.dictionary(key, fc.constantFrom(...values), { minKeys: 1, maxKeys: 2, noNullPrototype: true });

export const labels = pairs(dictionary.labelValues);
export const annotations = pairs(dictionary.annotationValues);

export const anyNamespace = either({
  harmless: dictionary.ownNamespaces,
  hostile: dictionary.foreignNamespaces,
});

/** Returns the Tenant with an attack added; the given one is unchanged. */
export function attacked(tree: Tree, { at, value }: Attack): Tree {
  return put(tree, at, value) as Tree;
}

function put(tree: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return merged(tree, value);
  if (Array.isArray(tree))
    return tree.map((item, i) => (i === Number(key) ? put(item, rest, value) : item));
  const known = typeof tree === 'object' && tree !== null ? (tree as Tree) : {};
  const inner = rest[0] === '0' && known[key] === undefined ? [{ name: 'mallory' }] : known[key];
  return { ...known, [key]: put(inner, rest, value) };
}

function merged(old: unknown, value: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(value)) return [...old, ...value];
  const both = [old, value].every(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  return both ? { ...(old as Tree), ...(value as Tree) } : value;
}
