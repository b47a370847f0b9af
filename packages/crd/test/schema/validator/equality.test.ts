import { expect, test } from '@jest/globals';
import { computeEqualityKey, isEqual, isOneOf } from '../../../schema/validator/equality.ts';

/** Values of which none is equal to another. */
const different: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  'true',
  'null',
  '',
  '1',
  '[]',
  '{}',
  'a',
  '"a"',
  0,
  1,
  1.5,
  -1,
  2 ** 60,
  1e300,
  2n ** 63n - 1n,
  2 ** 63,
  [],
  [1],
  ['1'],
  [1, 1],
  [[1]],
  [null],
  ['a,b'],
  ['a', 'b'],
  {},
  { a: 1 },
  { a: '1' },
  { a: null },
  { b: 1 },
  { a: 1, b: 1 },
  { 'a":1,"b': 1 },
];

const equal: readonly (readonly [unknown, unknown])[] = [
  [0, -0],
  [1, 1n],
  [[1], [1n]],
  [{ a: 1 }, { a: 1n }],
  [2 ** 60, 1152921504606847000n],
  [1e21, 10n ** 21n],
  [[1e21], [10n ** 21n]],
  [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ],
];

test('equal values have the same identity', () => {
  for (const [a, b] of equal) {
    expect({
      a,
      b,
      isEqual: isEqual(a, b),
      isSame: computeEqualityKey(a) === computeEqualityKey(b),
    }).toEqual({
      a,
      b,
      isEqual: true,
      isSame: true,
    });
  }
});

test('unequal values have different identities', () => {
  const wrong = different.flatMap((a, i) =>
    different
      .filter(
        (b, j) =>
          isEqual(a, b) !== (i === j) ||
          (computeEqualityKey(a) === computeEqualityKey(b)) !== (i === j),
      )
      .map((b) => [a, b]),
  );
  expect(wrong).toEqual([]);
});

test('a value that is not a JSON number is equal to no other value', () => {
  for (const other of ['a', null, true, 1, [], {}]) {
    expect([isEqual(NaN, other), isEqual(other, Infinity)]).toEqual([false, false]);
  }
});

test.each<[values: unknown[], value: unknown, isOne: boolean]>([
  [[1], 1, true],
  [[1], 1n, true],
  [[1], 2, false],
  [[1], 1.9, true],
  [[-1], -1.9, true],
  [[1], 2.1, false],
  [[1.5], 1.5, true],
  [[1.5], 1, false],
  [[1.5], 1.6, false],
  [[2 ** 63], 2n ** 63n - 1n, true],
  [[2 ** 63], 2n ** 62n, false],
  [['a'], 97, true],
  [['a'], 97.5, false],
  [['a'], 98, false],
  [['\0'], 0, true],
  [['\u{10ffff}'], 0x10ffff, true],
  [['\ufffd'], 0x110000, true],
  [['\ufffd'], 0x10ffff, false],
  [['\ufffd'], -1, true],
  [['\ufffd'], 0xd800, true],
  [['\ufffd'], 0xdfff, true],
  [['\ufffd'], 0xd7ff, false],
  [['\ufffd'], 0xe000, false],
  [['\ud7ff'], 0xd7ff, true],
  [['\ue000'], 0xe000, true],
  [[true], 1, false],
  [[true], true, true],
  [[null, true], 0, false],
  [[[1]], 1, false],
  [[[1.5]], [1.5], true],
  [[{ a: 1 }], { a: 1.5 }, false],
  [['1'], 1, false],
  [[1], '1', false],
  [[1], true, false],
  [[], 1, false],
  [[1], NaN, false],
])('of %j, %p is equal to one: %p', (values, value, isOne) => {
  expect(isOneOf(values, value)).toBe(isOne);
});
