import { expect } from '@jest/globals';
import fc from 'fast-check';
import { builtinFields } from '@tenantry/kube/builtin-fields';
import { formatFinding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { changed, objectOf, placesIn, stableKinds } from './builtinobjects-generated.ts';
import { distClusters, distFolders } from './dist.ts';
import { testsOfOurMinor } from './minor.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

/** Rendered objects, moved to an existing namespace. */
const rendered: readonly Body[] = distClusters()
  .flatMap((cluster) => distFolders(cluster))
  .flatMap(({ objects }) => objects)
  .filter(({ apiVersion, kind }) => builtinFields(`${apiVersion}/${kind}`) !== undefined)
  .map((object) => ({ ...object, metadata: { ...object.metadata, namespace: 'default' } }));

const texts = ['', 'x', '1.5', '2026-01-31T12:00:00Z', 'YQ=='];
const numbers = [5, -1, 1.5, 2_147_483_648, 1e30];
const holders = [[], [null], ['x'], [5], {}, { x: 'y' }, { name: 'x' }];
const wrongs: readonly unknown[] = [null, true, ...texts, ...numbers, ...holders];
const keys = ['dta', 'Spec', 'name', 'spec', 'x', 'constructor', 'kind', 'labels'];

/** A change to an object: in a quarter of the cases none, otherwise of a value or of the value at a key. */
const mutation = fc.record({
  at: fc.nat(),
  by: fc.constantFrom(...wrongs),
  key: fc.constantFrom(...keys),
  how: fc.constantFrom('none', 'value', 'value', 'key'),
});

const anyMutated = fc
  .tuple(fc.oneof(objectOf(stableKinds), fc.constantFrom(...rendered)), mutation)
  .map(([object, { at, by, key, how }]) => {
    const places = placesIn(object);
    const place = places[at % Math.max(1, places.length)];
    if (how === 'none') return object as Body;
    if (how === 'value' && place) return changed(object, place, by) as Body;
    const around = place?.slice(0, -1) ?? [];
    // The change keeps the identity of the object.
    return changed(
      object,
      [...around, around.length === 0 && key === 'kind' ? 'x' : key],
      by,
    ) as Body;
  });

const options = { dryRun: true, fieldValidation: 'Strict' } as const;

/**
 * Returns whether apply cannot read the object. Bytes as a list of numbers are the only value that create reads and
 * apply does not.
 */
async function isUnreadToApply(client: Client, object: Body): Promise<boolean> {
  const { status } = await client.apply(object, { ...options, fieldManager: 'a', force: true });
  return status === 400 || status === 500;
}

test('validation refuses exactly those objects of built-in kinds that an API server cannot read', async () => {
  const { admin } = given.cluster;
  const { seed, numRuns } = runs(800);
  const objects = fc.sample(anyMutated, { seed, numRuns });
  const wrong: unknown[] = [];
  let refused = 0;
  for (let i = 0; i < objects.length; i += 20) {
    await Promise.all(
      objects.slice(i, i + 20).map(async (object) => {
        const ours = validateBuiltinObject(object as unknown as KubeObject)!;
        const { status, body } = await admin.create(object, options);
        if (status === 400) refused += 1;
        if (ours.length > 0 === (status === 400)) return;
        if (ours.length > 0 && (await isUnreadToApply(admin, object))) return;
        wrong.push({
          object: JSON.stringify(object),
          ours: ours.map(formatFinding),
          status,
          message: body.message,
        });
      }),
    );
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(numRuns / 5);
  expect(refused).toBeLessThan((numRuns * 4) / 5);
});
