import { count } from '../../cli/words.ts';
import { readDrift } from '../../cli/tenants/differences.ts';
import { driftLines } from '../../cli/tenants/drift-lines.ts';
import { summarizeTenant, type LiveTenant } from '../../cli/tenants/standing.ts';
import { totalsLine, countByState } from '../../cli/tenants/totals.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { ResourceQuota } from '../../runtime/kinds/core.ts';
import { Event } from '../../runtime/kinds/events.ts';
import { ClusterRoleBinding, RoleBinding } from '../../runtime/kinds/rbac.ts';
import { until } from '../../testing/waiting/until.ts';
import { CLUSTER, type Stage } from './stage.ts';
import type { Telling } from './telling.ts';

/** Of the repository's tenants, the one to which it happens. */
const NAME = 'payments';
const NAMESPACE = 'pay-prod';
const QUOTA = 'tenant-quota';
const BINDING = 'tenant-role-auditor';
/** Whom the platform file lets pass the guard, for emergencies. */
const USER = 'break-glass@wagonlark.example.com';

/** What is done to the quota. */
const RAISED = { spec: { hard: { pods: '999' } } };
/** What makes the tenant one that is healed. */
const HEALED = { spec: { driftPolicy: 'Heal' } } as const;

/** Plays all of it: what is declared, what somebody changes, what the operator says of it, and does. */
export async function play(stage: Stage, telling: Telling): Promise<void> {
  await deliver(stage, telling);
  await observe(stage, telling);
  const changedAt = await change(stage, telling);
  await tellDrift(stage, telling, changedAt);
  await heal(stage, telling);
}

async function deliver(stage: Stage, telling: Telling): Promise<void> {
  telling.step(
    'What Git declares is applied, as Argo CD does it.',
    `kubectl apply --server-side -R -f dist/clusters/${CLUSTER}`,
  );
  const { objects, unserved } = await stage.applyDist();
  const of = (noun: string): string =>
    count(objects.filter(({ kind }) => kind?.toLowerCase() === noun).length, noun);
  telling.shown([
    `${of('tenant')}, ${of('namespace')}, ${count(objects.length, 'object')} in all`,
    `left out, as this cluster does not serve them: ${unserved.join(', ')}`,
  ]);
}

async function observe(stage: Stage, telling: Telling): Promise<void> {
  telling.step(
    'The operator starts. It observes: it has no right to write anything of a tenant.',
    `tenantry operator run --cluster ${CLUSTER} --leader-election false`,
  );
  await stage.startOperator();
  const tenants = await stage.until('all tenants are ready', async () => {
    const { items } = await stage.client.list(Tenant);
    return (
      items.length > 0 && items.every((one) => summarizeTenant(one).state === 'Ready') && items
    );
  });
  telling.step('All is as declared.', 'tenantry status');
  telling.shown([totalsLine(countByState(tenants.map(summarizeTenant)))]);
}

/** @returns when the last change was made */
async function change(stage: Stage, telling: Telling): Promise<number> {
  const as = `kubectl --as ${USER} -n ${NAMESPACE}`;
  telling.step(
    'Somebody with emergency access raises a quota by hand, and deletes a role binding.',
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

async function tellDrift(stage: Stage, telling: Telling, since: number): Promise<void> {
  const tenant = await stage.until('both changes are told', async () => {
    const one = await stage.client.get(Tenant, { name: NAME });
    return [QUOTA, BINDING].every((name) => isDrifted(one, name)) && one;
  });
  telling.step(`The operator tells it, ${secondsSince(since)} after.`, `tenantry drift ${NAME}`);
  telling.shown(driftLines(tenant, readDrift(tenant), new Date(), telling.paint));
}

const isDrifted = ({ status }: LiveTenant, object: string): boolean =>
  status?.drift?.some(({ name }) => name === object) ?? false;

async function heal(stage: Stage, telling: Telling): Promise<void> {
  telling.step(
    'The platform lets its operator heal: `driftPolicy: Heal` below `operator` in tenantry.yaml.',
    'npm start',
    `kubectl apply --server-side -f dist/clusters/${CLUSTER}/operator -f dist/clusters/${CLUSTER}/policies`,
  );
  await stage.allowHealing();
  telling.step(
    `The tenant ${NAME} asks for it.`,
    `kubectl patch tenant ${NAME} --type merge -p '${JSON.stringify(HEALED)}'`,
  );
  await stage.client.patch(Tenant, { name: NAME }, HEALED);
  const since = performance.now();
  const tenant = await stage.until('all is well again', async () => {
    const one = await stage.client.get(Tenant, { name: NAME });
    const { state, driftPolicy } = summarizeTenant(one);
    return state === 'Ready' && driftPolicy === 'Heal' && one;
  });
  const took = secondsSince(since);
  telling.step(
    `All is well again, ${took} after.`,
    `kubectl events --for tenant/${NAME}`,
    `tenantry drift ${NAME}`,
  );
  telling.shown(await eventLines(stage));
  telling.shown(driftLines(tenant, readDrift(tenant), new Date(), telling.paint));
}

/** What the operator did, in its own words. */
async function eventLines(stage: Stage): Promise<readonly string[]> {
  const notes = await stage.until('events tell what was made and healed', async () => {
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
