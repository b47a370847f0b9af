import { expect, test } from '@jest/globals';
import { changesOf } from '../../../bench/operator/change.ts';
import { tenantsOf } from '../../../bench/operator/tenants.ts';
import { OBJECTS } from '../../../bench/fleet.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { findObjectDrift } from '../../../operator/drift/object-drift.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

const tenants = tenantsOf(20);

/** Applies a merge patch to an object, as far as these patches need it. */
function patched<T extends object>(object: T, patch: object): T {
  const fields = Object.entries(patch).map(([name, value]: [string, unknown]) => {
    const before = (object as Record<string, unknown>)[name];
    const isDeep = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isDeep ? patched(before as object, value) : value];
  });
  return { ...object, ...Object.fromEntries(fields) } as T;
}

test('a tenant has the number of objects that the page names', () => {
  for (const { objects } of tenants) expect(objects).toHaveLength(OBJECTS - 1);
});

test('each change is drift of a different tenant, its reversal leaves none, and the last tenant is included', () => {
  const changes = changesOf(tenants, 10);
  expect(new Set(changes.map(({ tenant }) => tenant)).size).toBe(10);
  expect(changes.map(({ tenant }) => tenant)).toContain('team-00019');
  const driftOf = (desired: KubeObject, live: KubeObject) =>
    findObjectDrift(desired, live as unknown as Live);
  for (const { object, broken, restored } of changes) {
    const live = patched(object, broken);
    expect(driftOf(object, live)).not.toEqual([]);
    expect(driftOf(object, patched(live, restored))).toEqual([]);
  }
});

test('there cannot be more changes than tenants', () => {
  expect(() => changesOf(tenants, 21)).toThrow(
    'there must be a tenant for each of 21 changes, got 20',
  );
});
