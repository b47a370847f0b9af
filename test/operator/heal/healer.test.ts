import { expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { TenantObjects } from '../../../operator/cluster/tenant-objects.ts';
import type { HealClient } from '../../../operator/heal/policy.ts';
import type { HealContext } from '../../../operator/heal/heal-run.ts';
import { Healer, GITOPS_GRACE } from '../../../operator/heal/healer.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { declaredOf, fleetOf, liveTenant, platform } from '../given.ts';

const labels = { 'kustomize.toolkit.fluxcd.io/name': 'tenants' };
const access = { admins: { groups: ['blue'] } };
const declared = (kind: string): KubeObject => declaredOf(fleetOf(), { access }, kind);
const binding = declared('RoleBinding');

/** Heals a tenant with one declared object, on a server whose Tenant is gone meanwhile, so nothing is ever written. */
class World {
  asked = 0;
  #now = 0;
  readonly #healer = new Healer(platform);

  /** @returns milliseconds until the next attempt, and the number of requests to the API server */
  async heal(object: KubeObject, from: object = { labels }, there?: KubeObject) {
    const client = {
      get: async () => {
        this.asked += 1;
        throw new ApiError({ code: 404, reason: 'NotFound', message: 'no' });
      },
    };
    const cache = { isRead: () => true, get: () => there, list: () => [] };
    const healing: HealContext = {
      tenant: liveTenant({ access }, from),
      declared: { tenant: 'acme', namespaces: ['acme'], objects: [object] },
      policy: 'Create',
      shared: new Set(),
      objects: new TenantObjects(cache as never),
      declarations: { get: () => undefined } as never,
      client: client as unknown as HealClient,
      date: () => new Date(0),
      now: () => this.#now,
    };
    const { retryAfter } = await this.#healer.heal(healing);
    return [retryAfter, this.asked];
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  forget(): void {
    this.#healer.forget('acme');
  }
}

test('a missing binding is left for a while to the tool that applies the tenant from Git', async () => {
  const world = new World();
  expect(await world.heal(binding)).toEqual([GITOPS_GRACE, 0]);
  world.pass(GITOPS_GRACE - 1);
  expect(await world.heal(binding)).toEqual([1, 0]);
  world.pass(1);
  expect(await world.heal(binding)).toEqual([undefined, 1]);
});

test('other objects, existing bindings and tenants that no tool applies are healed without delay', async () => {
  expect(await new World().heal(binding, {})).toEqual([undefined, 1]);
  expect(await new World().heal(declared('ResourceQuota'))).toEqual([undefined, 1]);
  const there = { ...binding, roleRef: { kind: 'ClusterRole', name: 'view' } };
  expect(await new World().heal(binding, { labels }, there)).toEqual([undefined, 1]);
});

test('a tenant that was created again starts with a new delay', async () => {
  const world = new World();
  await world.heal(binding);
  world.pass(GITOPS_GRACE);
  world.forget();
  expect(await world.heal(binding)).toEqual([GITOPS_GRACE, 0]);
});
