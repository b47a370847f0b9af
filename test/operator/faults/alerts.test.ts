import { afterEach, expect, jest, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { TenantObjects } from '../../../operator/cluster/tenant-objects.ts';
import { Comparer } from '../../../operator/drift/tenant-drift.ts';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { createRequest, installPolicy } from '../break-glass/requests.ts';
import { promtool } from '../../go/promtool.ts';
import { refused } from '@tenantry/runtime/test/observed-cluster';
import { FaultyTenants, type FaultyTenantsProps } from './faulty-tenants.ts';
import { alertGroups, expectFiring } from './firing.ts';

const run = await promtool();
if (!run) console.log('alerts are not evaluated: promtool cannot be built here');
const ofPromtool = run ? test : test.skip;

afterEach(() => {
  jest.restoreAllMocks();
});

/** A fault, the events during it, and the alerts that fire at its end. */
interface Fault extends FaultyTenantsProps {
  readonly minutes: number;
  readonly alerts: readonly string[];
  /** Runs at the start. */
  begin?(given: FaultyTenants): void;
  /** Runs before each minute. */
  each?(given: FaultyTenants): void;
}

const policies = 'networkpolicies.networking.k8s.io';
const quota = { namespace: 'acme', name: 'tenant-quota' };
let writes = 100;

const changeQuota = ({ api }: FaultyTenants): void => {
  writes += 1;
  api.patch(ResourceQuota, quota, { spec: { hard: { pods: `${writes}` } } });
};
const open = ({ api }: FaultyTenants): void => {
  const isolation = { namespace: 'acme', name: 'tenant-isolation' };
  api.patch(NetworkPolicy, isolation, { spec: { ingress: [{}] } } as never);
};

/** An operator that grants requests of alice. */
const healing = {
  platform: resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: { driftPolicy: 'Heal' },
  }),
  spec: {
    driftPolicy: 'Heal',
    access: {
      admins: { groups: ['team'] },
      breakGlass: [{ clusterRole: 'admin', users: ['alice'] }],
    },
  },
  before: installPolicy,
} satisfies FaultyTenantsProps;

const faults: Readonly<Record<string, Fault>> = {
  'nothing is wrong': { minutes: 70, alerts: [] },
  'somebody changes a quota': { minutes: 20, begin: changeQuota, alerts: ['TenantDrifted'] },
  'somebody binds cluster-admin': {
    minutes: 10,
    begin: ({ api }) =>
      void api.create(RoleBinding, {
        metadata: { namespace: 'acme', name: 'root' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'cluster-admin',
        },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
      }),
    alerts: ['TenantUndeclaredAccess'],
  },
  'the right to read network policies is lost, and isolation is opened': {
    minutes: 20,
    begin: (given) => {
      given.deny(`get ${policies}`);
      open(given);
    },
    alerts: ['TenantDrifted', 'TenantryObjectsNotRead'],
  },
  'the right to watch network policies is lost': {
    minutes: 45,
    begin: (given) => void given.hide(policies),
    alerts: ['TenantNotReady', 'TenantryWatchFailing'],
  },
  'the operator starts without the right to list network policies': {
    minutes: 35,
    before: (given) => void given.hide(policies),
    alerts: ['TenantNotReady', 'TenantryWatchFailing'],
  },
  'a policy denies the status of tenants': {
    minutes: 25,
    begin: (given) => {
      given.deny('patch tenants.tenantry.dev/status');
      changeQuota(given);
    },
    alerts: ['TenantryReconcileErrors', 'TenantryStatusRefused'],
  },
  'a status is denied, and the Tenant is edited': {
    minutes: 25,
    begin: (given) => {
      given.deny('patch tenants.tenantry.dev/status');
      given.api.patch(Tenant, { name: 'acme' }, { spec: { description: 'another' } });
    },
    alerts: ['TenantStatusStale', 'TenantryReconcileErrors', 'TenantryStatusRefused'],
  },
  'a status is denied, and a kind cannot be watched': {
    minutes: 40,
    begin: (given) => {
      given.deny('patch tenants.tenantry.dev/status');
      given.hide(policies);
    },
    alerts: ['TenantryReconcileErrors', 'TenantryStatusRefused', 'TenantryWatchFailing'],
  },
  'the token is rejected': {
    minutes: 40,
    begin: (given) => {
      const unauthorized = refused(401, 'Unauthorized');
      given.hide('*', unauthorized);
      for (const verb of ['get', 'patch', 'create']) given.deny(verb, unauthorized);
    },
    alerts: ['TenantryReconcileErrors', 'TenantryStatusRefused', 'TenantryWatchFailing'],
  },
  'the definition of Tenants is deleted': {
    minutes: 20,
    begin: (given) => {
      given.hide('tenants.tenantry.dev', refused(404, 'NotFound'));
      given.api.delete(Tenant, { name: 'acme' });
    },
    alerts: ['TenantryTenantsVanished', 'TenantryWatchFailing'],
  },
  'Tenants cannot be listed from the start': {
    minutes: 15,
    before: (given) => void given.hide('tenants.tenantry.dev'),
    alerts: ['TenantryOperatorStalled', 'TenantryWatchFailing'],
  },
  'a tenant cannot be compared': {
    minutes: 35,
    before: () => {
      jest.spyOn(Comparer.prototype, 'compare').mockRejectedValue(new Error('a mistake'));
    },
    alerts: ['TenantNotReady', 'TenantryReconcileErrors', 'TenantryTenantsNotCompared'],
  },
  'a mapping throws': {
    minutes: 3,
    begin: () => {
      jest.spyOn(TenantObjects.prototype, 'tenantOf').mockImplementation(() => {
        throw new Error('a mistake');
      });
    },
    each: changeQuota,
    alerts: ['TenantryInternalErrors'],
  },
  'events are refused': {
    minutes: 25,
    begin: (given) => void given.deny('create events.events.k8s.io'),
    each: (given) => {
      const { items } = given.api.list(RoleBinding, { namespace: 'acme' });
      for (const one of items.filter(({ metadata }) => metadata.name.startsWith('visitor'))) {
        given.api.delete(RoleBinding, one.metadata);
      }
      writes += 1;
      given.api.create(RoleBinding, {
        metadata: { namespace: 'acme', name: `visitor-${writes}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'any' },
      });
    },
    alerts: ['TenantryEventsLost'],
  },
  'a tenant has an object of a kind that the platform does not list': {
    minutes: 70,
    spec: {
      resources: [
        {
          manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
        },
      ],
    } as never,
    alerts: ['TenantryObjectsNotCompared'],
  },
  'somebody has requested access': {
    ...healing,
    minutes: 5,
    begin: createRequest,
    alerts: ['TenantryBreakGlassUsed'],
  },
  'requested access cannot be removed after its end': {
    ...healing,
    minutes: 100,
    begin: (given) => {
      given.deny('delete rolebindings');
      createRequest(given);
    },
    alerts: ['TenantNotReady', 'TenantryBreakGlassOverdue', 'TenantryReconcileErrors'],
  },
  'a quota is nearly used up': {
    minutes: 20,
    begin: ({ api }) => {
      const status = { hard: { pods: '10' }, used: { pods: '10' } };
      api.patch(ResourceQuota, quota, { status }, { subresource: 'status' });
    },
    alerts: ['TenantQuotaNearlyUsedUp'],
  },
  'a request of a reconcile hangs': {
    minutes: 15,
    begin: (given) => {
      given.cluster.before = (call) =>
        call.startsWith('get ') ? new Promise(() => undefined) : undefined;
      changeQuota(given);
    },
    alerts: ['TenantryOperatorStalled'],
  },
};

ofPromtool.each(Object.entries(faults))(
  'the metrics of the operator fire the expected alerts: %s',
  async (_, { minutes, alerts, begin, each, ...props }) => {
    await using given = await FaultyTenants.begin(props);
    begin?.(given);
    await given.pass(minutes, () => each?.(given));
    expectFiring(run!, given.series, alerts);
  },
);

test('each alert about tenants and observations is fired by a fault here', () => {
  const fired = new Set(Object.values(faults).flatMap(({ alerts }) => alerts));
  const all = new Set(alertGroups.flatMap(({ rules }) => rules.map(({ alert }) => alert)));
  // These alerts only use process metrics of Prometheus; the table of alerts tests them.
  const ofProcess = ['TenantryOperatorDown', 'TenantryOperatorRestarting'];
  // Only a real API server sends JSON: test/cluster/operator-blinded.test.ts.
  const ofText = ['TenantryObjectsUnreadable'];
  const others = [...ofText, ...ofProcess];
  expect([...all].filter((one) => !fired.has(one)).toSorted()).toEqual(others);
});
