import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { ConfigMap, inMall, Running, Shop, shops, town } from './running.ts';

/**
 * Applies a ConfigMap that a Shop owns, with or without an existing ConfigMap of that name, and returns the result.
 */
async function applied({
  there,
  force,
  data,
}: {
  readonly there?: Record<string, string>;
  readonly force?: boolean;
  readonly data: Record<string, string>;
}) {
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  if (there) cluster.put(ConfigMap, { metadata: inMall('b'), data: there });
  const failures: unknown[] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      access: [allow(ConfigMap, 'create', 'patch')],
      reconcile: async ({ client, owned }) => {
        const object = owned({ metadata: { name: 'b' }, data });
        const options = force === undefined ? {} : { force };
        await client.apply(ConfigMap, object, options).catch((error) => failures.push(error));
        return done;
      },
    }),
    { cluster },
  );
  await running.start();
  const now = cluster.peek(ConfigMap, inMall('b'));
  const owners = now?.metadata.ownerReferences?.map(({ name }) => name) ?? [];
  const [failure] = failures;
  return { failure, owners, data: now?.data };
}

test('an apply creates a missing object with its owner', async () => {
  const came = await applied({ data: { x: 'mine' } });
  expect(came).toEqual({ failure: undefined, owners: ['a'], data: { x: 'mine' } });
});

test.each([
  ['with the same field', { x: 'theirs' }],
  ['with other fields', { y: 'theirs' }],
])('an apply does not take over an object of another creator, %s', async (_, there) => {
  const came = await applied({ there, data: { x: 'mine' } });
  expect(came).toMatchObject({ owners: [], data: there });
  expect(came.failure).toBeInstanceOf(ApiError);
  expect(came.failure).toMatchObject({ isConflict: true, message: expect.stringContaining('b') });
});

test('a forced apply takes it over', async () => {
  const came = await applied({ there: { x: 'theirs' }, data: { x: 'mine' }, force: true });
  expect(came).toEqual({ failure: undefined, owners: ['a'], data: { x: 'mine' } });
});
