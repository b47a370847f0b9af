import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../model/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { DriftPolicy, TenantSpec } from '../../crds/types.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { runPlan } from '@tenantry/testing/simulation/simulated-run';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { ActionContext, SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import type { ClusterView } from '@tenantry/testing/simulation/server/cluster-view';
import { someSchedules } from '../examples/schedules.ts';
import { HealJudge, permitsIn, podsIn, type Permit } from './heal-judge.ts';
import { expectVerdicts, verdictOf } from './oracle.ts';
import { planOf } from './plans.ts';
import { endingsIn, mayRevoke, mayRevokeLater } from './revoke-judge.ts';
import { actionsOn, cluster, names, spaces } from './tenant-actions.ts';

const label = 'tenantry.dev/tenant';
const group = 'rbac.authorization.k8s.io';
const minute = 60_000;
/** The longest call and the longest pause in a schedule, with the time between them. */
const grace = 90_000;

const platformOf = (driftPolicy: DriftPolicy) =>
  resolvePlatform({
    clusters: [{ name: 'eu' }, { name: 'us' }],
    defaultClusters: ['eu'],
    defaultClass: 'standard',
    operator: { driftPolicy },
  });

const total = { pods: 12 };
const entry = (name: string, weight: number) => ({ name, quota: { weight } });

const specOf = ({ pick, whole, happens }: ActionContext): TenantSpec => ({
  ...(happens(0.25) && { className: pick(['strict', 'child', 'none']) }),
  ...(happens(0.3) && { driftPolicy: pick(['Observe', 'Create', 'Heal'] as const) }),
  ...(happens(0.2) && { lifecycle: pick(['Suspended', 'Retired'] as const) }),
  ...(happens(0.4) && { access: { admins: { groups: [pick(['a', 'b'])] } } }),
  ...(happens(0.5)
    ? {
        quota: { total },
        namespaces: pick([
          [entry('acme', whole(1, 5)), entry('shared', whole(1, 5))],
          [entry('acme', 1), entry('bolt', whole(1, 5)), entry('shared', whole(1, 5))],
          [entry('bolt', 1)],
        ]),
      }
    : {
        ...(happens(0.5) && { quota: { hard: { pods: whole(1, 9) } } }),
        ...(happens(0.5) && {
          namespaces: pick([[{ name: 'shared' }], [{ name: 'acme' }, { name: 'shared' }]]),
        }),
      }),
});

const actions: NonNullable<SimulateProps['actions']> = {
  ...actionsOn(specOf),
  'somebody binds another role in its place': ({ api, pick }) => {
    const namespace = pick(spaces);
    const ours = api
      .list(RoleBinding, { namespace })
      .items.filter(({ metadata }) => metadata.labels?.[label] !== undefined);
    const { metadata, subjects = [] } = pick(ours);
    api.delete(RoleBinding, metadata);
    const { name, labels = {} } = metadata;
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
    api.create(RoleBinding, { metadata: { name, namespace, labels }, subjects, roleRef });
  },
  'an unowned namespace is created': ({ api, pick, happens }) => {
    const labels: Record<string, string> = happens(0.5)
      ? { 'tenantry.dev/adopt-by': pick(names) }
      : {};
    api.create(Namespace, { metadata: { name: pick(spaces), labels } });
  },
  'a namespace may be adopted': ({ api, pick }) => {
    const labels = { 'tenantry.dev/adopt-by': pick(names) };
    api.patch(Namespace, { name: pick(spaces) }, { metadata: { labels } });
  },
  'somebody else labels a namespace': ({ api, pick, whole }) => {
    const labels = { 'other.example/cost': `${whole(1, 9)}` };
    api.patch(Namespace, { name: pick(spaces) }, { metadata: { labels } });
  },
  'a user creates a quota with the label of a tenant': ({ api, pick }) => {
    const metadata = {
      name: 'undeclaredObject',
      namespace: 'default',
      labels: { [label]: pick(names) },
    };
    api.create(ResourceQuota, { metadata, spec: { hard: { pods: '5' } } });
  },
};

const world: NonNullable<SimulateProps['world']> = (api) => {
  const hard = { pods: 10 };
  api.create(TenantClass, {
    metadata: { name: 'standard' },
    spec: { driftPolicy: 'Heal', defaults: { quota: { hard } } },
  });
  api.create(TenantClass, {
    metadata: { name: 'strict' },
    spec: {
      driftPolicy: 'Create',
      defaults: { quota: { hard } },
      ceilings: { quota: { pods: 12 } },
    },
  });
  api.create(TenantClass, { metadata: { name: 'child' }, spec: { extends: 'strict' } });
};

/**
 * Returns `ResourceQuota acme/tenant-quota` of `Changed ResourceQuota acme/tenant-quota`, and its namespace and name.
 */
const placeOf = (line: string) => {
  const [how = '', kind = '', place = ''] = line.split(' ');
  const [namespace = '', name = ''] = place.split('/');
  return { how, kind, namespace: kind === 'Namespace' ? name : namespace };
};

/** Returns the reason, as in a condition, why nothing is written in a namespace; undefined if writes are allowed. */
function closedBy(live: Live<typeof Namespace> | undefined, { tenant: name, policy }: Permit) {
  if (!live) return undefined;
  if (live.metadata.deletionTimestamp !== undefined) return 'NamespaceTerminating';
  const { [label]: holder, 'tenantry.dev/adopt-by': next } = live.metadata.labels ?? {};
  if (holder === name || (holder === undefined && next === name && policy === 'Heal'))
    return undefined;
  return 'NamespaceNotOurs';
}

/** Returns whether a part of a total is held where it cannot be lowered. */
function isWaiting(permit: Permit, view: ClusterView): boolean {
  const { tenant: name, total: most, declared } = permit;
  if (most === undefined) return false;
  const pods = podsIn(view);
  return view.list(Namespace).some((one) => {
    const holder = one.metadata.labels?.[label];
    const isDeclared = declared.has(`Namespace /${one.metadata.name}`);
    const isClosed = isDeclared ? closedBy(one, permit) !== undefined : holder === name;
    const isOurs = holder === name || (holder === undefined && isDeclared);
    return isOurs && isClosed && (pods.get(one.metadata.name) ?? 0) > 0;
  });
}

/** Checks that every remaining difference that should be healed has a reason. */
function expectDone(
  view: ClusterView,
  permit: Permit,
  one: Live<typeof Tenant>,
  drift: readonly string[],
) {
  if (permit.policy === 'Observe') return;
  const left = drift.map(placeOf).filter(({ how }) => how !== 'Extra');
  const live = new Map(view.list(Namespace).map((it) => [it.metadata.name, it]));
  const reasons = new Set(
    left.flatMap(({ how, kind, namespace }) => {
      const closed = closedBy(live.get(namespace), permit);
      if (closed) return [closed];
      if (kind === 'ResourceQuota' && how === 'Changed' && isWaiting(permit, view))
        return ['QuotaWaits'];
      if (how === 'Changed' && permit.policy === 'Create') return [];
      return ['nothing'];
    }),
  );
  const degraded = findCondition(one.status?.conditions, 'Degraded');
  const about = JSON.stringify([one.metadata.name, permit.policy, drift, degraded]);
  expect([about, reasons.has('nothing')]).toEqual([about, false]);
  if (reasons.size === 0) return;
  expect([about, degraded?.status]).toEqual([about, 'True']);
}

/** Returns the properties of a simulation in which the platform allows this policy. */
function healed(most: DriftPolicy, within = grace) {
  const platform = platformOf(most);
  const judge = new HealJudge(platform, cluster, within);
  return {
    definitions: [tenant, tenantClass],
    controllers: () => [tenantController({ platform, cluster, rolloutDeadline: minute })],
    world: (api) => {
      judge.begin();
      world(api);
    },
    actions,
    // Fights pause healing for some minutes.
    calm: 30 * minute,
    always: {
      'no forbidden write happens': (view, change) => judge.take(view, change),
    },
    eventually: {
      'each status matches the cluster': (view) => expectVerdicts(view, platform, cluster),
      'declared objects exist, or the status has the reason': (view) => {
        const permits = new Map(permitsIn(view, platform, cluster).map((it) => [it.tenant, it]));
        for (const one of view.list(Tenant)) {
          const permit = permits.get(one.metadata.name);
          const { drift } = verdictOf(one, view, platform, cluster);
          if (permit) expectDone(view, permit, one, drift);
        }
      },
      'undeclared access is gone, or the status has the reason': (view) => {
        const healedNow = permitsIn(view, platform, cluster).filter((it) => it.policy === 'Heal');
        const endings = endingsIn(view, platform, cluster);
        const spacesNow = view.list(Namespace).map(({ metadata }) => metadata);
        const labels = new Map(spacesNow.map((it) => [it.name, it.labels ?? {}]));
        for (const binding of view.list(RoleBinding)) {
          const holder = labels.get(binding.metadata.namespace ?? '')?.[label];
          if (!healedNow.some((it) => it.tenant === holder)) continue;
          const isEnded = [mayRevoke, mayRevokeLater].some((may) => may(binding, endings, labels));
          if (!isEnded) continue;
          const one = view.list(Tenant).find(({ metadata }) => metadata.name === holder);
          const degraded = findCondition(one?.status?.conditions, 'Degraded')?.status;
          const { name, namespace } = binding.metadata;
          expect([holder, namespace, name, degraded]).toEqual([holder, namespace, name, 'True']);
        }
      },
    },
  } satisfies SimulateProps;
}

test('in the end healed objects are as declared, and nothing else is written', async () => {
  await simulate({ ...healed('Heal'), ...someSchedules(60) });
}, 1_800_000);

test('the same holds if only creation is allowed', async () => {
  await simulate({ ...healed('Create'), ...someSchedules(30) });
}, 1_800_000);

test('without network faults every write matches a declaration of the second before', async () => {
  await simulate({ ...healed('Heal', 2000), faults: [], ...someSchedules(30) });
}, 1_800_000);

test('of two healing replicas only the leader writes', async () => {
  await simulate({ ...healed('Heal'), replicas: 2, ...someSchedules(10) });
}, 1_800_000);

/** Returns the pods that all quotas of a tenant allow together. */
function sumOf(name: string, view: ClusterView): number {
  const own = view.list(Namespace).filter(({ metadata }) => metadata.labels?.[label] === name);
  const inside = new Set(own.map(({ metadata }) => metadata.name));
  return view
    .list(ResourceQuota)
    .filter(({ metadata }) => inside.has(metadata.namespace!))
    .reduce((sum, { spec }) => sum + Number(spec?.hard?.['pods'] ?? 0), 0);
}

test('if nobody else writes quotas, their sum never exceeds the declared total', async () => {
  const partitioned = ({ pick, whole, happens }: ActionContext, name: string): TenantSpec => {
    const all = ['a', 'b', 'c'].map((one) => entry(`${name}-${one}`, whole(1, 9)));
    return {
      driftPolicy: 'Heal',
      quota: { total },
      lifecycle: happens(0.1) ? 'Suspended' : 'Active',
      namespaces: pick([all, all.slice(0, 2), all.slice(1), all.slice(0, 1)]),
    };
  };
  await simulate({
    ...healed('Heal'),
    actions: {
      'a tenant is made': (context) => {
        const name = context.pick(names);
        context.api.create(Tenant, { metadata: { name }, spec: partitioned(context, name) });
      },
      ...Object.fromEntries(
        ['a tenant is edited', 'a tenant is edited again', 'a tenant is edited once more'].map(
          (sentence) => [
            sentence,
            (context: ActionContext) => {
              const name = context.pick(names);
              context.api.patch(Tenant, { name }, { spec: partitioned(context, name) });
            },
          ],
        ),
      ),
      'a tenant is deleted': ({ api, pick }) => void api.delete(Tenant, { name: pick(names) }),
      'a namespace is deleted': ({ api, pick }) =>
        void api.delete(Namespace, { name: `${pick(names)}-${pick(['a', 'b', 'c'])}` }),
    },
    always: {
      'the sum is within the total': (view) =>
        names.every((name) => sumOf(name, view) <= total.pods),
    },
    ...someSchedules(60),
  });
}, 1_800_000);

/** Declarations and actions, one after the other, in one schedule. */
const story: NonNullable<SimulateProps['actions']> = {
  'a tenant is made': ({ api }) => {
    const spec: TenantSpec = {
      access: { admins: { groups: ['a'] } },
      quota: { total },
      namespaces: [entry('acme', 1), entry('bolt', 1)],
    };
    api.create(Tenant, { metadata: { name: 'acme' }, spec });
  },
  'everything of it is changed': ({ api }) => {
    const at = { namespace: 'acme', name: 'tenant-quota' };
    api.patch(ResourceQuota, at, { spec: { hard: { pods: '99', 'count/jobs.batch': '7' } } });
    const { items } = api.list(RoleBinding, { namespace: 'acme' });
    const { metadata, subjects = [] } = items[0]!;
    api.delete(RoleBinding, metadata);
    const { name, namespace, labels = {} } = metadata;
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
    api.create(RoleBinding, { metadata: { name, namespace, labels }, subjects, roleRef });
    const strict = { 'pod-security.kubernetes.io/enforce': 'privileged' };
    api.patch(Namespace, { name: 'bolt' }, { metadata: { labels: strict } });
  },
  'it is declared again': ({ api }) => {
    const namespaces = [entry('acme', 5), entry('bolt', 1), entry('shared', 1)];
    api.patch(Tenant, { name: 'acme' }, { spec: { namespaces } });
  },
};

test('whichever write the operator is killed at, the state is correct afterwards', async () => {
  const props = { ...healed('Heal'), actions: story };
  const undisturbed = await runPlan(planOf(story), props);
  expect(undisturbed.failure).toBeUndefined();
  expect(undisturbed.writes).toBeGreaterThan(50);
  for (let writes = 1; writes <= undisturbed.writes; writes += 1) {
    for (const takesEffect of [true, false]) {
      const crash = { do: 'crashes' as const, replica: 0, writes, takesEffect };
      const { failure } = await runPlan(planOf(story, { crash }), props);
      expect([writes, takesEffect, failure]).toEqual([writes, takesEffect, undefined]);
    }
  }
}, 1_800_000);

test('a part of a total counts even if its quota lost its label, also in a namespace that is no longer named', async () => {
  const { acme, bolt } = { acme: entry('acme', 1), bolt: entry('bolt', 1) };
  const strip =
    (labels: Record<string, unknown>): NonNullable<SimulateProps['actions']>[string] =>
    ({ api }) =>
      api.patch(ResourceQuota, { namespace: 'bolt', name: 'tenant-quota' }, {
        metadata: { labels },
      } as never);
  const acts: NonNullable<SimulateProps['actions']> = {
    'a tenant is made': ({ api }) => {
      const spec: TenantSpec = { quota: { total }, namespaces: [acme, bolt] };
      api.create(Tenant, { metadata: { name: 'acme' }, spec });
    },
    'a namespace leaves': ({ api }) => {
      api.patch(Tenant, { name: 'acme' }, { spec: { namespaces: [acme] } });
    },
    'its label is removed': strip({ [label]: null }),
    'the quota that waits is disturbed': ({ api }) => {
      const at = { namespace: 'acme', name: 'tenant-quota' };
      api.patch(ResourceQuota, at, { spec: { hard: { pods: '1' } } });
    },
  };
  const { failure } = await runPlan(planOf(acts), {
    ...healed('Heal'),
    actions: acts,
    always: { 'the sum is within the total': (view) => sumOf('acme', view) <= total.pods },
    eventually: {
      'it waits': (view) => {
        const { status } = view.get(Tenant, { name: 'acme' })!;
        expect(findCondition(status?.conditions, 'Degraded')?.reason).toBe('QuotaWaits');
      },
    },
  });
  expect(failure).toBeUndefined();
});

test('a binding of another role that cannot be deleted is reported, and not deleted again and again', async () => {
  const acts: NonNullable<SimulateProps['actions']> = {
    'a tenant is made': ({ api }) => {
      const spec: TenantSpec = { access: { admins: { groups: ['a'] } } };
      api.create(Tenant, { metadata: { name: 'acme' }, spec });
    },
    'another role is bound, and held': ({ api }) => {
      const [{ metadata, subjects = [] }] = api.list(RoleBinding, { namespace: 'acme' }).items as [
        Live<typeof RoleBinding>,
      ];
      api.delete(RoleBinding, metadata);
      const { name, namespace, labels = {} } = metadata;
      const held = { name, namespace, labels, finalizers: ['example.com/held'] };
      const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' };
      api.create(RoleBinding, { metadata: held as never, subjects, roleRef });
    },
  };
  const { failure } = await runPlan(planOf(acts), {
    ...healed('Heal'),
    actions: acts,
    eventually: {
      'it is reported': (view) => {
        const { status } = view.get(Tenant, { name: 'acme' })!;
        const degraded = findCondition(status?.conditions, 'Degraded');
        expect(degraded).toMatchObject({ status: 'True', reason: 'HealRefused' });
        expect(degraded?.message).toContain('is being deleted, and waits for example.com/held');
      },
    },
  });
  expect(failure).toBeUndefined();
});
