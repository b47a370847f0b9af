import { expect, test } from '@jest/globals';
import { Fleet } from '../../../model/fleet.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { readRequestable } from '../../../operator/break-glass/request-facts.ts';
import { liveTenant } from '../given.ts';

const platform = resolvePlatform({
  clusters: [{ name: 'eu' }, { name: 'us' }],
  defaultClass: 'standard',
  operator: { driftPolicy: 'Heal' },
});
const fleet = new Fleet(platform);
fleet.classes.add({ name: 'standard', spec: { driftPolicy: 'Heal' } });

const tenant = (metadata: { readonly deletionTimestamp?: string } = {}) =>
  liveTenant(
    { clusters: ['eu'], access: { breakGlass: [{ clusterRole: 'admin', users: ['alice'] }] } },
    metadata,
  );
const context = { tenant: tenant(), fleet, cluster: 'eu', maxPolicy: 'Heal' } as const;

test('what can be requested depends on the cluster', () => {
  expect(readRequestable('acme', context)).toMatchObject([{ clusterRole: 'admin' }]);
  expect(readRequestable('acme', { ...context, cluster: 'us' })).toEqual({
    unavailable: 'Tenant acme does not declare the namespace here',
  });
});

test('nothing can be requested while the Tenant is being deleted, or without one', () => {
  const leaving = tenant({ deletionTimestamp: '2026-01-02T00:00:00Z' });
  expect(readRequestable('acme', { ...context, tenant: leaving })).toEqual({
    unavailable: 'Tenant acme is being deleted',
  });
  expect(readRequestable('acme', { ...context, tenant: undefined })).toEqual({
    unavailable: 'the namespace belongs to no Tenant',
  });
});

test('nothing can be requested in a namespace that the Tenant does not declare', () => {
  expect(readRequestable('other', context)).toEqual({
    unavailable: 'Tenant acme does not declare the namespace here',
  });
});
