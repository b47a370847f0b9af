import { expect, test } from '@jest/globals';
import { repeatedFleet } from '../../bench/real-fleet.ts';
import type { KubeObject } from '@tenantry/kube/object';

const folder = process.env['TENANTRY_FLEET'];

function fleetTest(sentence: string, body: (folder: string) => void): void {
  if (folder) test(sentence, () => body(folder));
  else test.skip(`${sentence} [skipped: TENANTRY_FLEET names no folder]`, () => {});
}

const counts = (objects: readonly KubeObject[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, of]) => [kind, of.length]),
  );

fleetTest('a repeated fleet contains everything again, under unique names', (from) => {
  const once = repeatedFleet(from, 1);
  const thrice = repeatedFleet(from, 2 * once.originals + 1);
  expect(once.namespaces).toBe(once.originals);
  expect(thrice.namespaces).toBe(3 * once.originals);
  expect(thrice.tenants.slice(0, once.tenants.length)).toEqual(once.tenants);
  const names = thrice.tenants.map(({ metadata }) => metadata.name);
  expect(new Set(names).size).toBe(3 * once.tenants.length);
  const objectsOf = (fleet: typeof once) => fleet.finished.flatMap(({ objects }) => objects);
  const ofOne = counts(objectsOf(once));
  expect(counts(objectsOf(thrice))).toEqual(
    Object.fromEntries(Object.entries(ofOne).map(([kind, times]) => [kind, 3 * times])),
  );
  const places = objectsOf(thrice).map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
  );
  expect(new Set(places).size).toBe(places.length);
});
