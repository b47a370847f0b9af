import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import type { DriftPolicy, TenantSpec } from '../../../crds/types.ts';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { FaultyTenants } from './faulty-tenants.ts';

const hour = 3_600_000;
const today = '2026-01-01';
const guests = { namespace: 'acme', name: 'tenant-clusterrole-view' };

const access: TenantSpec['access'] = {
  admins: { groups: ['team'] },
  viewers: { temporary: [{ users: ['guest'], until: '2026-01-02' }] },
};

const begin = (driftPolicy: DriftPolicy) =>
  FaultyTenants.begin({
    platform: resolvePlatform(
      { clusters: [{ name: 'eu' }], defaultClass: 'standard', operator: { driftPolicy } },
      today,
    ),
    spec: { driftPolicy, access },
  });

const guestsIn = (given: FaultyTenants): readonly string[] =>
  (given.cluster.peek(RoleBinding, guests)?.subjects ?? []).map(({ name }) => name);

test('under Heal access ends at midnight in UTC without any event, and not before', async () => {
  await using given = await begin('Heal');
  expect(given.ready).toBe('True AsDeclared');
  await given.managed.pass(47 * hour);
  expect(guestsIn(given)).toEqual(['guest']);
  await given.managed.pass(1.2 * hour);
  expect(guestsIn(given)).toEqual([]);
  expect(given.ready).toBe('True AsDeclared');
});

test('under Observe access that should have ended stays, and is reported with its end date', async () => {
  await using given = await begin('Observe');
  await given.managed.pass(47 * hour);
  expect(given.ready).toBe('True AsDeclared');
  await given.pass(72);
  expect(guestsIn(given)).toEqual(['guest']);
  expect(given.ready).toBe('False Drifted');
  expect(given.status?.drift).toContainEqual(
    expect.objectContaining({ type: 'Extra', kind: 'RoleBinding', name: guests.name }),
  );
  expect(given.message).toContain('temporary[0].until ended on 2026-01-02, so it is not rendered');
  expect(given.value('tenantry_tenants{state="drifted"}')).toBe(1);
});

test('access that ended while no operator ran is revoked after the start', async () => {
  await using given = await begin('Heal');
  await given.managed.stop();
  await given.managed.clock.advance(50 * hour);
  await given.restart();
  await given.pass(3);
  expect(guestsIn(given)).toEqual([]);
});
