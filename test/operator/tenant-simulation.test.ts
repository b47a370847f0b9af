import { expect, test } from '@jest/globals';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/types.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { resourceOf, type Live } from '@tenantry/runtime/kinds/kind';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { ActionContext, SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import { someSchedules } from '../examples/schedules.ts';
import { expectVerdicts } from './oracle.ts';
import { actionsOn, cluster, names, platform } from './tenant-actions.ts';

const specOf = ({ pick, whole, happens }: ActionContext): TenantSpec => ({
  ...(happens(0.25) && { className: pick(['strict', 'child', 'none']) }),
  ...(happens(0.5) && { quota: { hard: { pods: whole(1, 9) } } }),
  ...(happens(0.3) && { access: { admins: { groups: [pick(['a', 'b'])] } } }),
  ...(happens(0.5) && {
    namespaces: pick([
      [{ name: 'shared' }],
      [{ name: 'acme' }, { name: 'shared' }],
      [{ name: 'bolt' }, { name: 'acme' }],
      [{ name: 'kube-system' }],
    ]),
  }),
  ...(happens(0.12) && { clusters: ['us'] }),
});

const withoutStatus = (object: Live<typeof Tenant> | undefined): unknown => {
  if (!object) return undefined;
  const { status: _, ...rest } = object;
  const { resourceVersion: __, managedFields: ___, ...metadata } = rest.metadata;
  return { ...rest, metadata };
};

const given = {
  definitions: [tenant, tenantClass],
  controllers: () => [tenantController({ platform, cluster, rolloutDeadline: 60_000 })],
  world: (api) => {
    const hard = { pods: 10 };
    api.create(TenantClass, {
      metadata: { name: 'standard' },
      spec: { defaults: { quota: { hard } } },
    });
    api.create(TenantClass, {
      metadata: { name: 'strict' },
      spec: { defaults: { quota: { hard } }, ceilings: { quota: { pods: 5 } } },
    });
    api.create(TenantClass, { metadata: { name: 'child' }, spec: { extends: 'strict' } });
  },
  actions: actionsOn(specOf),
  always: {
    'the operator writes statuses of Tenants and events, and nothing else': (
      _,
      { who, type, resource, of },
    ) => {
      if (who !== 'operator' || resource === 'events.events.k8s.io') return;
      if (resource === 'leases.coordination.k8s.io') return;
      expect([type, resource]).toEqual(['changed', resourceOf(Tenant)]);
      const change = of(Tenant);
      expect(withoutStatus(change?.after)).toEqual(withoutStatus(change?.before));
    },
  },
  eventually: {
    'each status matches the cluster': (view) => expectVerdicts(view, platform, cluster),
    'each status is for the current Tenant': (view) =>
      view
        .list(Tenant)
        .every(({ metadata, status }) => status?.observedGeneration === metadata.generation),
  },
} satisfies SimulateProps;

test('in the end each status matches the cluster, and only statuses are written', async () => {
  await simulate({ ...given, ...someSchedules(150) });
}, 1_800_000);

test('the same holds with two replicas', async () => {
  await simulate({ ...given, replicas: 2, ...someSchedules(20) });
}, 1_800_000);

test('a long schedule with many clients ends well, too', async () => {
  await simulate({ ...given, steps: 60, ...someSchedules(30) });
}, 1_800_000);

const acts = actionsOn(specOf);
const isDrifted = (one: Live<typeof Tenant> | undefined): boolean =>
  findCondition(one?.status?.conditions, 'Drifted')?.status === 'True';

test('while only Argo CD writes nothing becomes drift, even if a class is edited during downtime', async () => {
  await simulate({
    ...given,
    controllers: () => [tenantController({ platform, cluster, rolloutDeadline: 86_400_000 })],
    world: (api) => {
      given.world(api);
      for (const name of names) {
        api.create(Tenant, { metadata: { name }, spec: { className: 'standard' } });
      }
    },
    actions: {
      'a class is edited': ({ api }) => {
        const { spec } = api.get(TenantClass, { name: 'standard' });
        // Never a previous value: it could not be distinguished from the current one.
        const pods = Number(spec?.defaults?.quota?.hard?.['pods']) + 1;
        const next = { defaults: { quota: { hard: { pods } } } };
        api.patch(TenantClass, { name: 'standard' }, { spec: next });
      },
      'Argo CD syncs': acts['Argo CD syncs']!,
    },
    faults: ['crashes', 'restarts'],
    always: {
      'a state without drift does not become drift': (_, { resource, of }) => {
        if (resource !== resourceOf(Tenant)) return;
        const { before, after } = of(Tenant) ?? {};
        if (before?.status && !isDrifted(before)) expect(isDrifted(after)).toBe(false);
      },
    },
    eventually: {},
    ...someSchedules(60),
  });
}, 1_800_000);
