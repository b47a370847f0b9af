import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeJsonPatch } from '../../webhooks/json-patch.ts';
import { applied } from './applied.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const keys = fc.oneof(
  fc.constantFrom('a', 'b', '', '~', '/', '~1', '~01', '0', '-', '__proto__', 'ü'),
  fc.string(),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, '', 'x', 9007199254740993n),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 5 }),
  ),
}));

/** A value, and another one that differs from it by a few changes. */
const pairs = fc
  .tuple(value, value, fc.array(fc.nat(9), { maxLength: 4 }))
  .map(([from, other, way]) => [from, grafted(from, other, way)] as const);

function grafted(into: unknown, other: unknown, way: readonly number[]): unknown {
  const [step, ...rest] = way;
  if (step === undefined || typeof into !== 'object' || into === null) return other;
  if (Array.isArray(into)) {
    const at = step % (into.length + 1);
    return step % 2 === 0
      ? into.toSpliced(at, 0, other)
      : into.map((item, i) => (i === at ? grafted(item, other, rest) : item));
  }
  const names = Object.keys(into);
  const name = names[step % (names.length + 1)];
  return Object.fromEntries(
    Object.entries(into).map(([one, inner]) => [
      one,
      one === name ? grafted(inner, other, rest) : inner,
    ]),
  );
}

test('an applied patch produces the other value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.tuple(value, value), pairs), ([from, to]) => {
      expect(applied(from, computeJsonPatch(from, to))).toEqual(to);
    }),
    runs(2000),
  );
});

test('equal values have no patch, and different values have one', () => {
  fc.assert(
    fc.property(pairs, ([from, to]) => {
      expect(computeJsonPatch(from, structuredClone(from))).toEqual([]);
      const isSame =
        applied(from, []) === to || JSON.stringify([from], exact) === JSON.stringify([to], exact);
      if (isSame) expect(computeJsonPatch(from, to)).toEqual([]);
      else expect(applied(from, computeJsonPatch(from, to))).toEqual(to);
    }),
    runs(100),
  );
});

const exact = (_: string, inner: unknown): unknown =>
  typeof inner === 'bigint' ? `${inner}n` : inner;

test.each([
  [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, [{ op: 'replace', path: '/b/c', value: 3 }]],
  [
    { a: 1 },
    { b: 1 },
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: 1 },
    ],
  ],
  [{ 'x/y~z': 1 }, {}, [{ op: 'remove', path: '/x~1y~0z' }]],
  [[1, 2, 3], [1, 9, 2, 3], [{ op: 'add', path: '/1', value: 9 }]],
  [
    [1, 2, 3, 4],
    [1, 4],
    [
      { op: 'remove', path: '/2' },
      { op: 'remove', path: '/1' },
    ],
  ],
  [[{ a: 1 }, { b: 1 }], [{ a: 2 }, { b: 1 }], [{ op: 'replace', path: '/0/a', value: 2 }]],
  [{ a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  [{ a: null }, {}, [{ op: 'remove', path: '/a' }]],
])('from %j to %j only the difference is patched', (from, to, patch) => {
  expect(computeJsonPatch(from, to)).toEqual(patch);
});
