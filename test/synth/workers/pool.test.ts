import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { WorkerPool, Shares } from '../../../synth/workers/pool.ts';
import type { Row } from './doubling.ts';

const program = join(import.meta.dirname, 'doubling.ts');

const rowOf = (numbers: Row['numbers']): Row => ({
  numbers,
  count: new Int32Array(new SharedArrayBuffer(4)),
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What workers and the caller make of a row. */
async function doubled(numbers: Row['numbers'], threads: number) {
  const pool = new WorkerPool(program, rowOf(numbers), { shares: numbers.length, threads });
  const all: unknown[] = [];
  try {
    for (const [share, one] of numbers.entries()) {
      await turn();
      all.push(pool.take(share)?.result ?? (one === 'impossible' ? one : one * 2));
    }
  } finally {
    pool.close();
  }
  return all;
}

test.each([0, 1, 3])('what %d workers and the caller make of a row is in its order', async (n) => {
  expect(await doubled(upTo(200), n)).toEqual(upTo(200).map((one) => one * 2));
});

test('workers do what the caller does not come to', async () => {
  const row = rowOf(upTo(16));
  const pool = new WorkerPool(program, row, { shares: 16, threads: 2 });
  while (Atomics.load(row.count, 0) < 16) await turn();
  expect(upTo(16).map((share) => pool.take(share)?.result)).toEqual(upTo(16).map((n) => n * 2));
  pool.close();
});

test('what a worker cannot do is left to the caller, and it goes on', async () => {
  const numbers = upTo(300).map((one) => (one % 3 === 0 ? 'impossible' : one));
  expect(await doubled(numbers, 2)).toEqual(
    numbers.map((one) => (one === 'impossible' ? one : one * 2)),
  );
});

test.each<[string, Row['numbers'], string]>([
  ['cannot begin', [], program],
  ['is not there', upTo(20), `${program}.missing`],
])('a worker that %s leaves all to the caller', async (_, numbers, file) => {
  const pool = new WorkerPool(file, rowOf(numbers), { shares: 20, threads: 2 });
  for (const share of upTo(20)) {
    await turn();
    expect(pool.take(share)).toBeUndefined();
  }
  pool.close();
});

test('a share is done by one thread alone, and the program and workers come from both ends', () => {
  const shares = new Shares(5);
  const claimed = new Shares(5, shares.cells).claimed();
  expect(claimed.next().value).toBe(4);
  expect(shares.claim(4)).toBe(false);
  expect(shares.claim(0)).toBe(true);
  expect(claimed.next().value).toBe(3);
  expect(shares.claim(1)).toBe(true);
  expect(claimed.next().value).toBe(2);
  expect(claimed.next().done).toBe(true);
});

test('a worker continues in the next window where the program has reached it, and not beyond', () => {
  const shares = new Shares(24);
  const claimed = new Shares(24, shares.cells).claimed();
  const next = () => claimed.next().value as number;
  for (let share = 7; share >= 0; share--) expect(next()).toBe(share);
  for (let share = 15; share > 12; share--) expect(next()).toBe(share);
  for (let share = 8; share <= 12; share++) expect(shares.claim(share)).toBe(true);
  shares.reach(8);
  expect(next()).toBe(23);
});

test('nothing came of a share that failed, or that nobody ends in time', () => {
  const shares = new Shares(3);
  for (const share of [0, 1, 2]) shares.claim(share);
  shares.settle(0, true);
  shares.settle(1, false);
  expect([0, 1, 2].map((share) => shares.wait(share, 1))).toEqual([true, false, false]);
});
