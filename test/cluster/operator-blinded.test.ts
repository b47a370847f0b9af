import { afterAll, expect } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tenant } from '../../operator/cluster/kinds.ts';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@tenantry/runtime/kinds/admissionregistration';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { ClusterRole } from '@tenantry/runtime/kinds/rbac';
import { isWatch, of } from '@tenantry/testing/faults/requests';
import { until } from '@tenantry/testing/waiting/until';
import { closeClients } from '../examples/operator.ts';
import { promtool } from '../go/promtool.ts';
import { expectFiring } from '../operator/faults/firing.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { BlindedOperator, declareTenant } from './blinded-operator.ts';

const given = await ownClusters();
const { test } = given;
const run = await promtool();
if (!run) console.log('alerts are not evaluated: promtool cannot be built here');
afterAll(closeClients);

/** The duration of an outage that fires the alert, shorter than the idle timeout after which a watch is reopened. */
const OUTAGE = 130_000;
/** The time within which failed calls are retried. */
const RETRIED = 61_000;

/** The operator reads the statuses that it wrote from its own watch, so metrics follow a status. */
async function expectAlerts(operator: BlindedOperator, ...alerts: string[]): Promise<void> {
  if (!run) return;
  const look = async (): Promise<boolean> => {
    expectFiring(run, await operator.seriesUnderFault(), alerts);
    return true;
  };
  await until(`these alerts fire: ${alerts.join(', ')}`, look, { every: 250 });
}

type Rule = Readonly<{ resources?: readonly string[]; verbs: readonly string[] }>;

/** Changes the rules of the operator's ClusterRole, and returns a function that restores them. */
async function withRules(
  { admin, account }: BlindedOperator,
  change: (rules: readonly Rule[]) => readonly Rule[],
): Promise<() => Promise<unknown>> {
  const name = account.user.replace(/.*:/, '');
  const { rules = [] } = await admin.get(ClusterRole, { name });
  await admin.patch(ClusterRole, { name }, { rules: change(rules) } as never);
  return () => admin.patch(ClusterRole, { name }, { rules } as never);
}

const without =
  (resource: string) =>
  (rules: readonly Rule[]): readonly Rule[] =>
    rules.flatMap(({ resources, ...rule }) => {
      const rest = resources?.filter((one) => one !== resource);
      return rest?.length === 0 ? [] : [{ ...rule, ...(rest && { resources: rest }) }];
    });

const driftOf = async ({ admin }: BlindedOperator) =>
  (await admin.get(Tenant, { name: 'acme' })).status?.drift ?? [];

test('when the right to read network policies is withdrawn, an opened policy is reported, and the lost kind once its watch ends', async () => {
  await using cluster = await given.newCluster();
  await using operator = await BlindedOperator.start(cluster);
  const giveBack = await withRules(operator, without('networkpolicies'));
  const isolation = { namespace: 'acme', name: 'tenant-isolation' };
  const read = () =>
    operator.account.client.get({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      ...isolation,
    });
  await until('the right is gone', async () => (await read()).status === 403);

  // The API server does not end a running watch, and the watch still reports the change.
  await operator.open();
  await operator.waitForReady('False Drifted');
  const [unread] = await driftOf(operator);
  expect(unread).toMatchObject({ type: 'Changed', kind: 'NetworkPolicy', name: isolation.name });
  expect(unread).not.toHaveProperty('manager');
  await expectAlerts(operator, 'TenantDrifted', 'TenantryObjectsNotRead');

  expect(operator.proxy.end(of(NetworkPolicy, isWatch))).toBe(1);
  await operator.exceeds('tenantry_watch_outage_seconds{cause="refused"', -1);
  operator.clock.jump(OUTAGE);
  await operator.exceeds('tenantry_watch_outage_seconds{cause="refused"', 120);
  await until('the status names the kind', async () => {
    const { status } = await operator.admin.get(Tenant, { name: 'acme' });
    return JSON.stringify(status?.conditions).includes('networkpolicies');
  });
  await expectAlerts(operator, 'TenantDrifted', 'TenantryObjectsNotRead', 'TenantryWatchFailing');

  await giveBack();
  await until('the right is back', async () => (await read()).status === 200);
  operator.clock.jump(RETRIED);
  await until('the author of the change is reported', async () =>
    (await driftOf(operator)).some(({ manager }) => manager === 'kubectl-edit'),
  );
});

test('when a watch ends whose right is withdrawn, the tenant is Unknown until the right is back', async () => {
  await using cluster = await given.newCluster();
  await using operator = await BlindedOperator.start(cluster);
  const giveBack = await withRules(operator, without('networkpolicies'));
  await until('the right is gone', async () => {
    operator.proxy.end(of(NetworkPolicy, isWatch));
    await operator.exceeds('tenantry_watch_outage_seconds{cause="refused"', -1);
    return true;
  });
  operator.clock.jump(OUTAGE);
  expect(await operator.waitForReady('Unknown NotObserved')).toMatch(
    /networkpolicies\.networking\.k8s\.io cannot be watched since .*forbidden/,
  );
  await operator.exceeds('tenantry_watch_outage_seconds{cause="refused"', 120);
  await expectAlerts(operator, 'TenantNotReady', 'TenantryWatchFailing');
  // The operator cannot see this until the right is back.
  await operator.open();
  await giveBack();
  operator.clock.jump(RETRIED);
  await operator.waitForReady('False Drifted');
});

const policy = (user: string) => ({
  metadata: { name: 'no-status.example.com' },
  spec: {
    failurePolicy: 'Fail' as const,
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ['tenantry.dev'],
          apiVersions: ['*'],
          operations: ['UPDATE' as const],
          resources: ['tenants/status'],
        },
      ],
    },
    validations: [{ expression: `request.userInfo.username != '${user}'`, message: 'no status' }],
  },
});

/** The ways to deny status writes; each returns a function that ends the denial. */
const denials: Readonly<
  Record<string, (operator: BlindedOperator) => Promise<() => Promise<unknown>>>
> = {
  'a missing right': (operator) => withRules(operator, without('tenants/status')),
  'an admission policy': async ({ admin, account }) => {
    const { metadata, spec } = policy(account.user);
    await admin.create(ValidatingAdmissionPolicy, { metadata, spec });
    await admin.create(ValidatingAdmissionPolicyBinding, {
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    });
    return () => admin.delete(ValidatingAdmissionPolicyBinding, metadata);
  },
};

for (const [what, deny] of Object.entries(denials)) {
  test(`while ${what} denies statuses, an alert fires, and afterwards the status is right`, async () => {
    await using cluster = await given.newCluster();
    await using operator = await BlindedOperator.start(cluster);
    const allow = await deny(operator);
    await until('statuses are denied', async () => (await operator.tryStatus()) >= 400);
    await operator.changeQuota(21);
    await operator.exceeds('tenantry_statuses_refused', 0);
    await expectAlerts(operator, 'TenantryStatusRefused');
    await allow();
    await until('statuses are allowed', async () => (await operator.tryStatus()) === 200);
    operator.clock.jump(RETRIED);
    await operator.waitForReady('False Drifted');
  });
}

/** The contents of a broken token file. */
const broken = {
  'a token that was not signed': 'nonsense',
  'text that is not a token': 'two\nlines\n',
};

for (const [what, text] of Object.entries(broken)) {
  test(`while the token file holds ${what}, alerts fire, and afterwards the status is right`, async () => {
    await using cluster = await given.newCluster();
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-token-'));
    const file = join(folder, 'token');
    let token = '';
    try {
      await using operator = await BlindedOperator.start(cluster, (issued) => {
        writeFileSync(file, (token = issued));
        return file;
      });
      writeFileSync(file, text);
      // The file is read again, and silent watches are opened again.
      operator.clock.jump(151_000);
      await operator.exceeds('tenantry_watch_outage_seconds{', -1);
      await operator.changeQuota(21);
      operator.clock.jump(OUTAGE);
      await operator.exceeds('tenantry_statuses_refused', 0);
      await operator.exceeds('tenantry_watch_outage_seconds{', 120);
      await expectAlerts(operator, 'TenantryStatusRefused', 'TenantryWatchFailing');
      writeFileSync(file, token);
      operator.clock.jump(RETRIED);
      await operator.waitForReady('False Drifted');
      await operator.changeQuota(10);
      await operator.waitForReady('True AsDeclared');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('while a Tenant is nested too deep to be read, an alert fires, and afterwards it is read', async () => {
  await using cluster = await given.newCluster();
  await using operator = await BlindedOperator.start(cluster);
  let deep: unknown = 'deep';
  for (let i = 0; i < 600; i++) deep = { deep };
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'deep' }, deep };
  const change = (resources: readonly object[]) =>
    cluster.admin.patch(
      { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', name: 'acme' },
      { spec: { resources } },
    );
  expect((await change([{ manifest }])).status).toBe(200);
  await operator.exceeds('tenantry_cache_unreadable_objects{resource="tenants.tenantry.dev"', 0);
  await expectAlerts(operator, 'TenantryObjectsUnreadable');
  expect((await change([])).status).toBe(200);
  await operator.changeQuota(21);
  await operator.waitForReady('False Drifted');
});

test('while the definition of Tenants is gone, alerts fire, and a Tenant that is created again gets a status', async () => {
  await using cluster = await given.newCluster();
  await using operator = await BlindedOperator.start(cluster);
  await operator.admin.delete(CustomResourceDefinition, { name: 'tenants.tenantry.dev' });
  const absent = 'tenantry_watch_outage_seconds{cause="absent", resource="tenants.tenantry.dev"';
  await operator.exceeds(absent, -1);
  operator.clock.jump(OUTAGE);
  await operator.exceeds(absent, 120);
  await expectAlerts(operator, 'TenantryTenantsVanished', 'TenantryWatchFailing');
  await declareTenant(cluster);
  operator.clock.jump(RETRIED);
  await operator.waitForReady('True AsDeclared');
});
