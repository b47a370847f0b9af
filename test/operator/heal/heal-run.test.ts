import { expect, test } from '@jest/globals';
import { TenantObjects } from '../../../operator/cluster/tenant-objects.ts';
import type { HealClient } from '../../../operator/heal/policy.ts';
import { Healer } from '../../../operator/heal/healer.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import { declaredOf, fleetOf, liveTenant, platform } from '../given.ts';

const tenant = liveTenant({});
const edited = liveTenant({}, { generation: 2 });
const objects = ['ResourceQuota', 'LimitRange'].map((kind) => declaredOf(fleetOf(), {}, kind));
const namespace = { metadata: { name: 'acme', labels: { 'tenantry.dev/tenant': 'acme' } } };

/**
 * Returns which of two missing objects are created. @param live the Tenant on the server, and `cached`, before each
 * write
 */
async function created(live: object, cached: (writes: number) => object): Promise<string[]> {
  const written: string[] = [];
  const client = {
    get: async ({ kind }: Kind) => {
      if (kind === 'Tenant') return live;
      if (kind === 'Namespace') return namespace;
      throw new ApiError({ code: 404, reason: 'NotFound', message: 'no' });
    },
    list: async () => ({ items: [] }),
    create: async ({ kind }: Kind) => written.push(kind),
  };
  const cache = { isRead: () => true, get: () => undefined, list: () => [] };
  const declarations = {
    get: ({ kind }: Kind) => (kind === 'Tenant' ? cached(written.length) : undefined),
  };
  await new Healer(platform).heal({
    tenant,
    declared: { tenant: 'acme', namespaces: ['acme'], objects },
    policy: 'Create',
    shared: new Set(),
    objects: new TenantObjects(cache as never),
    declarations: declarations as never,
    client: client as unknown as HealClient,
    date: () => new Date(0),
    now: () => 0,
  });
  return written;
}

test('missing objects are created while the Tenant is unchanged', async () => {
  expect(await created(tenant, () => tenant)).toEqual(['ResourceQuota', 'LimitRange']);
});

test('an edit of the Tenant between two writes stops the healing', async () => {
  const written = await created(tenant, (writes) => (writes === 0 ? tenant : edited));
  expect(written).toEqual(['ResourceQuota']);
});

test('nothing is written for a Tenant that was edited on the API server before the cache observed it', async () => {
  expect(await created(edited, () => tenant)).toEqual([]);
});
