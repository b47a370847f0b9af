import fc from 'fast-check';
import { builtinFields, builtinVersions } from '@tenantry/kube/builtin-fields';
import { builtinNamespaced } from '@tenantry/kube/builtin-kinds';
import { isMapping } from '@tenantry/kube/mapping';
import type { Body } from '@tenantry/testing/controlplane/objects';

/** The kinds of stable versions, which every API server serves. */
export const stableKinds = [...builtinNamespaced.keys()].flatMap((id) => {
  const [group, kind] = id.split('/') as [string, string];
  const stable = builtinVersions(group, kind).filter((one) => /v[0-9]+$/.test(one));
  return stable.map((apiVersion) => ({ apiVersion, kind }));
});

const scalars: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'a', '80', 'true'],
  boolean: [true, false],
  int32: [0, 1, -1, 2_147_483_647],
  int64: [0, 1, -1, 9_007_199_254_740_991],
  number: [0, 1.5],
  bytes: ['', 'YQ=='],
  time: ['2026-01-31T12:00:00Z', '2024-02-29T12:00:00.5+01:00'],
  microtime: ['2026-01-31T12:00:00.000000Z'],
  quantity: ['1', '500m', '2Gi', 1, 1.5],
  'int-or-string': [80, 'web', '50%'],
  any: [{}, { a: 1 }, [], 'a', 1],
};

/** Generates a value of a type as its decoder accepts it; validation rules may refuse it. */
function valueOf(type: string, depth: number): fc.Arbitrary<unknown> {
  const known = scalars[type];
  if (known) return fc.constantFrom(...known);
  const few = { maxLength: depth > 0 ? 2 : 0 };
  if (type.startsWith('[]')) return fc.array(valueOf(type.slice(2), depth - 1), few);
  if (type.startsWith('{}')) {
    return fc.dictionary(fc.constantFrom('a', 'b'), valueOf(type.slice(2), depth - 1), {
      maxKeys: few.maxLength,
    });
  }
  return structOf([...builtinFields(type)!], depth);
}

function structOf(
  fields: readonly (readonly [string, string])[],
  depth: number,
): fc.Arbitrary<unknown> {
  if (depth <= 0 || fields.length === 0) return fc.constant({});
  return fc
    .subarray([...fields], { minLength: 1, maxLength: Math.min(4, fields.length) })
    .chain((some) =>
      fc.record(Object.fromEntries(some.map(([key, type]) => [key, valueOf(type, depth - 1)]))),
    );
}

/** Generates objects of these kinds as their decoders accept them; validation rules may refuse them. */
export function objectOf(kinds: typeof stableKinds): fc.Arbitrary<Body> {
  return fc.constantFrom(...kinds).chain(({ apiVersion, kind }) => {
    const fields = [...builtinFields(`${apiVersion}/${kind}`)!];
    const own = fields.filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
    return structOf(own, 7).map((rest) => ({
      apiVersion,
      kind,
      metadata: { name: 'a', namespace: 'default' },
      ...(rest as object),
    }));
  });
}

export type Place = readonly (string | number)[];

/** Returns the paths of an object that may be changed: all but its identity and its namespace. */
export function placesIn(value: unknown, path: Place = []): Place[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => placesIn(one, [...path, i]))
    : isMapping(value)
      ? Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))
      : [];
  const isFixed = path.length === 0 || ['apiVersion', 'kind', 'metadata'].includes(String(path[0]));
  return isFixed ? inner.filter(([first]) => first !== 'metadata') : [path, ...inner];
}

/** Returns a value with the value at a path replaced. */
export function changed(value: unknown, [first, ...rest]: Place, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((one, i) => (i === first ? changed(one, rest, by) : one));
  }
  if (!isMapping(value)) return by;
  return { ...value, [first]: changed(value[first], rest, by) };
}

/** Returns a value without the entry at a path. */
export function without(value: unknown, [first, ...rest]: Place): unknown {
  if (Array.isArray(value)) {
    if (rest.length === 0) return value.toSpliced(Number(first), 1);
    return value.map((one, i) => (i === first ? without(one, rest) : one));
  }
  const { [String(first)]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...others, [String(first)]: without(inner, rest) };
}
