import { expect, test } from '@jest/globals';
import { readSurface } from '../../scripts/surface.ts';

const surface = readSurface();
const all = surface.flatMap(({ name, exports }) =>
  exports.map((one) => ({ ...one, name: `${name}: ${one.name}` })),
);

test('every export says what it is', () => {
  expect(all.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
});

test('every type that an export speaks of can be imported too', () => {
  const hidden = all.flatMap(({ name, hidden }) => hidden.map((one) => `${name} needs ${one}`));
  expect(hidden).toEqual([]);
});
