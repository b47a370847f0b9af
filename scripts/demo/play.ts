import { count } from '../../cli/console-output.ts';
import { readDrift } from '../../cli/tenants/tenant-drift.ts';
import { driftLines } from '../../cli/tenants/drift-lines.ts';
import {
  summarizeTenant,
  type LiveTenant,
  totalsLine,
  countByState,
} from '../../cli/tenants/tenant-summary.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import { Event } from '@tenantry/runtime/kinds/events';
import { ClusterRoleBinding, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { until } from '@tenantry/testing/waiting/until';
import { CLUSTER, type Stage } from './stage.ts';
import type { Narrator } from './narrator.ts';

/** The tenant of this repository in which the drift happens. */
const NAME = 'payments';
const NAMESPACE = 'pay-prod';
const QUOTA = 'tenant-quota';
const BINDING = 'tenant-role-auditor';
/** The user whom the platform file exempts from the guard, for emergencies. */
const USER = 'break-glass@wagonlark.example.com';

/** How somebody changes the quota by hand. */
const RAISED = { spec: { hard: { pods: '999' } } };
/** Enables healing for the tenant. */
const HEALED = { spec: { driftPolicy: 'Heal' } } as const;

/** Applies what is declared, changes it by hand, and shows what the operator reports and heals. */
export async function play(stage: Stage, narrator: Narrator): Promise<void> {
  await deliver(stage, narrator);
  await observe(stage, narrator);
  const changedAt = await change(stage, narrator);
  await reportDrift(stage, narrator, changedAt);
  await heal(stage, narrator);
}

async function deliver(stage: Stage, narrator: Narrator): Promise<void> {
  narrator.step(
    'Apply what Git declares, as Argo CD would.',
    `kubectl apply --server-side -R -f dist/clusters/${CLUSTER}`,
  );
  const { objects, unserved } = await stage.applyDist();
  const of = (noun: string): string =>
    count(objects.filter(({ kind }) => kind?.toLowerCase() === noun).length, noun);
  narrator.shown([
    `${of('tenant')}, ${of('namespace')}, ${count(objects.length, 'object')} in all`,
    `not served by this cluster, and left out: ${unserved.join(', ')}`,
  ]);
}

async function observe(stage: Stage, narrator: Narrator): Promise<void> {
  narrator.step(
    'The operator starts in observe-only mode: it may not change the objects of a tenant.',
    `tenantry serve --cluster ${CLUSTER} --leader-election false`,
  );
  await stage.startOperator();
  const tenants = await stage.until('all tenants are ready', async () => {
    const { items } = await stage.client.list(Tenant);
    return (
      items.length > 0 && items.every((one) => summarizeTenant(one).state === 'Ready') && items
    );
  });
  narrator.step('Every tenant is as declared.', 'tenantry tenant status');
  narrator.shown([totalsLine(countByState(tenants.map(summarizeTenant)))]);
}

/** @returns when the last change was made */
async function change(stage: Stage, narrator: Narrator): Promise<number> {
  const as = `kubectl --as ${USER} -n ${NAMESPACE}`;
  narrator.step(
    'A user with emergency access raises a quota and deletes a role binding.',
    `kubectl create clusterrolebinding break-glass --clusterrole cluster-admin --user ${USER}`,
    `${as} patch resourcequota ${QUOTA} --type merge -p '${JSON.stringify(RAISED)}'`,
    `${as} delete rolebinding ${BINDING}`,
  );
  const apiGroup = 'rbac.authorization.k8s.io';
  await stage.client.create(ClusterRoleBinding, {
    metadata: { name: 'break-glass' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'User', name: USER }],
  });
  const somebody = stage.as(USER, 'kubectl-patch');
  try {
    const quota = { namespace: NAMESPACE, name: QUOTA };
    await until(`${USER} may change the quota`, () => somebody.get(ResourceQuota, quota));
    await somebody.patch(ResourceQuota, quota, RAISED);
    await somebody.delete(RoleBinding, { namespace: NAMESPACE, name: BINDING });
    return performance.now();
  } finally {
    somebody.close();
  }
}

async function reportDrift(stage: Stage, narrator: Narrator, since: number): Promise<void> {
  const tenant = await stage.until('the operator reports both changes', async () => {
    const one = await stage.client.get(Tenant, { name: NAME });
    return [QUOTA, BINDING].every((name) => isDrifted(one, name)) && one;
  });
  narrator.step(
    `The operator reports the drift ${secondsSince(since)} later.`,
    `tenantry tenant drift ${NAME}`,
  );
  narrator.shown(driftLines(tenant, readDrift(tenant), new Date(), narrator.paint));
}

const isDrifted = ({ status }: LiveTenant, object: string): boolean =>
  status?.drift?.some(({ name }) => name === object) ?? false;

async function heal(stage: Stage, narrator: Narrator): Promise<void> {
  narrator.step(
    'Allow the operator to heal: set `operator.driftPolicy: Heal` in tenantry.yaml.',
    'npm start',
    `kubectl apply --server-side -f dist/clusters/${CLUSTER}/operator -f dist/clusters/${CLUSTER}/policies`,
  );
  await stage.allowHealing();
  narrator.step(
    `Enable healing for the tenant ${NAME}.`,
    `kubectl patch tenant ${NAME} --type merge -p '${JSON.stringify(HEALED)}'`,
  );
  await stage.client.patch(Tenant, { name: NAME }, HEALED);
  const since = performance.now();
  const tenant = await stage.until('the tenant is healed', async () => {
    const one = await stage.client.get(Tenant, { name: NAME });
    const { state, driftPolicy } = summarizeTenant(one);
    return state === 'Ready' && driftPolicy === 'Heal' && one;
  });
  const took = secondsSince(since);
  narrator.step(
    `The drift is healed ${took} later.`,
    `kubectl events --for tenant/${NAME}`,
    `tenantry tenant drift ${NAME}`,
  );
  narrator.shown(await eventLines(stage));
  narrator.shown(driftLines(tenant, readDrift(tenant), new Date(), narrator.paint));
}

/** Returns the events in which the operator reports what it healed. */
async function eventLines(stage: Stage): Promise<readonly string[]> {
  const notes = await stage.until('events report what was created and healed', async () => {
    const { items } = await stage.client.list(Event, { namespace: 'default' });
    const own = items.filter(({ regarding }) => regarding?.name === NAME);
    const of = (reason: string) => own.find((one) => one.reason === reason)?.note;
    const [created, healed] = [of('Created'), of('Healed')];
    return created !== undefined && healed !== undefined && { created, healed };
  });
  return [`Created  ${notes.created}`, `Healed   ${notes.healed}`];
}

const secondsSince = (time: number): string =>
  `${((performance.now() - time) / 1000).toFixed(2)} s`;
