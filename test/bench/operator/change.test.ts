import { expect, test } from '@jest/globals';
import { changesOf } from '../../../bench/operator/change.ts';
import { tenantsOf } from '../../../bench/operator/tenants.ts';
import { OBJECTS } from '../../../bench/fleet.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { findObjectDrift } from '../../../operator/drift/object-drift.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';

const tenants = tenantsOf(20);

/** A merge patch, as far as these say something. */
function patched<T extends object>(object: T, patch: object): T {
  const fields = Object.entries(patch).map(([name, value]: [string, unknown]) => {
    const before = (object as Record<string, unknown>)[name];
    const isDeep = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isDeep ? patched(before as object, value) : value];
  });
  return { ...object, ...Object.fromEntries(fields) } as T;
}

test('a tenant is as many objects as the page says', () => {
  for (const { objects } of tenants) expect(objects).toHaveLength(OBJECTS - 1);
});

test('each change is drift of another tenant, what takes it back leaves none, and the last tenant is among them', () => {
  const changes = changesOf(tenants, 10);
  expect(new Set(changes.map(({ tenant }) => tenant)).size).toBe(10);
  expect(changes.map(({ tenant }) => tenant)).toContain('team-00019');
  const driftOf = (desired: KubeObject, live: KubeObject) =>
    findObjectDrift(desired, live as unknown as Live);
  for (const { object, broken, mended } of changes) {
    const live = patched(object, broken);
    expect(driftOf(object, live)).not.toEqual([]);
    expect(driftOf(object, patched(live, mended))).toEqual([]);
  }
});

test('there are no more changes than tenants', () => {
  expect(() => changesOf(tenants, 21)).toThrow(
    'there must be a tenant for each of 21 changes, got 20',
  );
});
