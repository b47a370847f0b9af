import { expect, test } from '@jest/globals';
import { namespaces, quotas, Tenant, TenantClass } from '../../../operator/cluster/kinds.ts';
import { TenantObjects } from '../../../operator/cluster/tenant-objects.ts';
import { findUnreadableObjects } from '../../../operator/cluster/unobserved.ts';
import type { UnreadableObject } from '@tenantry/runtime/client/client';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { TooDeep } from '@tenantry/runtime/errors/client-errors';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';

const object = (name: string, namespace?: string): UnreadableObject => ({
  metadata: { name, namespace, uid: 'u', resourceVersion: '1' } as UnreadableObject['metadata'],
  error: new TooDeep(),
});

const unreadable: Record<string, readonly UnreadableObject[]> = {
  'tenants.tenantry.dev': [object('acme'), object('bolt')],
  'tenantclasses.tenantry.dev': [object('standard')],
  resourcequotas: [object('tenant-quota', 'acme'), object('tenant-quota', 'bolt')],
};

const cache = {
  isRead: () => true,
  outageOf: () => undefined,
  unreadableOf: (kind: Kind) => unreadable[resourceOf(kind)] ?? [],
} as unknown as CacheView<never>;

test('a tenant reports the unreadable objects that concern it, and no others', () => {
  const kinds: Kind[] = [namespaces, quotas, Tenant, TenantClass];
  const why = 'the answer must be nested at most 500 deep, got more';
  const findUnreadable = (tenant: string) =>
    findUnreadableObjects(kinds, { tenant, namespaces: [tenant] }, cache as CacheView);
  expect(findUnreadable('acme')).toEqual([
    `resourcequotas acme/tenant-quota cannot be read: ${why}`,
    `tenants.tenantry.dev acme cannot be read: ${why}`,
    `tenantclasses.tenantry.dev standard cannot be read: ${why}`,
  ]);
  expect(findUnreadable('other')).toEqual([
    `tenantclasses.tenantry.dev standard cannot be read: ${why}`,
  ]);
});

test('a declared object that cannot be read does not count as missing', () => {
  const objects = new TenantObjects(cache);
  const quota = (namespace: string) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'tenant-quota', namespace },
  });
  expect(objects.isRead(quota('acme'))).toBe(false);
  expect(objects.isRead(quota('shop'))).toBe(true);
});
