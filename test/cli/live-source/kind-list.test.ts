import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findPageSize, KindList, MAX_REQUESTS } from '../../../cli/live-source/kind-list.ts';
import type { Client, ListOptions } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { TooLarge } from '@tenantry/runtime/errors/client-errors';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import { runs } from '@tenantry/kube/test/yaml/runs';

/** A list of names in pages. `refuse` may fail a request, by its number. */
function fakeList(
  size: number,
  refuse: (request: number, limit: number) => unknown = () => undefined,
) {
  const limits: number[] = [];
  const list = async (_kind: unknown, options: ListOptions) => {
    options.permit?.();
    const { limit = 0 } = options;
    limits.push(limit);
    const error = refuse(limits.length, limit);
    if (error !== undefined) throw error;
    const start = Number(options.continue ?? 0);
    const end = Math.min(size, start + limit);
    const items = Array.from({ length: end - start }, (_, i) => ({
      metadata: { name: `${start + i}` },
    }));
    return { items, resourceVersion: '1', ...(end < size && { continue: String(end) }) };
  };
  const readers = { read: (one: { metadata: { name: string } }) => one.metadata.name };
  const client = { list } as unknown as Client;
  const kinds = new KindList<string>(client, ConfigMap, {
    ...readers,
    readUnreadable: ({ metadata }) => metadata.name,
  });
  const readAll = async (): Promise<readonly string[]> => {
    while (await kinds.readPage());
    return kinds.items;
  };
  return { limits, kinds, readAll };
}

const expired = new ApiError(
  { code: 410, reason: 'Expired', message: 'gone' },
  { request: 'GET /' },
);

test('pages double, and all together have room for more objects than are imported', () => {
  const sizes = Array.from({ length: MAX_REQUESTS }, (_, i) => findPageSize(i + 1));
  expect(sizes.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(735_500);
});

test('every object is read once, whatever their number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 60_000 }), async (size) => {
      const { limits, kinds, readAll } = fakeList(size);
      expect(await readAll()).toEqual(Array.from({ length: size }, (_, i) => String(i)));
      expect(limits).toHaveLength(kinds.requests);
      expect(kinds.requests).toBeLessThanOrEqual(MAX_REQUESTS);
    }),
    runs(30),
  );
});

test('a list that the API server has forgotten begins again, with larger pages', async () => {
  const { limits, readAll } = fakeList(3000, (request) => (request === 3 ? expired : undefined));
  expect(await readAll()).toHaveLength(3000);
  expect(limits).toEqual([500, 1000, 2000, 4000]);
});

test('an answer that is too large is requested in smaller pages', async () => {
  const { limits, kinds, readAll } = fakeList(1200, (_, limit) =>
    limit > 200 ? new TooLarge(1) : undefined,
  );
  expect(new Set(await readAll()).size).toBe(1200);
  expect(kinds.requests).toBe(limits.length);
  expect(limits[0]).toBe(500);
  expect(limits.slice(1).every((limit) => limit <= 200)).toBe(true);
});

test('a list that needs more than 20 requests is an error', async () => {
  const { limits, readAll } = fakeList(9000, (_, limit) =>
    limit > 1 ? new TooLarge(1) : undefined,
  );
  await expect(readAll()).rejects.toThrow('configmaps must be listed in 20 requests');
  expect(limits).toHaveLength(20);
});

test('other refusals are errors at once', async () => {
  const forbidden = new ApiError({ code: 403, message: 'no' }, { request: 'GET /' });
  const { limits, readAll } = fakeList(1, () => forbidden);
  await expect(readAll()).rejects.toBe(forbidden);
  expect(limits).toHaveLength(1);
});
