import { afterAll, expect } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { promtool } from '../go/promtool.ts';
import { expectFiring } from '../operator/faults/firing.ts';
import { samplesOf } from '@tenantry/runtime/test/metrics/scraped';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account } from './accounts.ts';
import { notReady, runInstalled, type RunningProgram } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
const run = await promtool();
const namespace = 'tenantry-system';
const command = [process.execPath, join(import.meta.dirname, '../../cli/main.ts')];
afterAll(closeClients);

async function pageOf(operator: RunningProgram): Promise<ReadonlyMap<string, number>> {
  const { port } = await operator.logged('metrics are served to everybody who can reach the port');
  return samplesOf(await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text());
}

async function codeOf(operator: RunningProgram, path: string): Promise<number> {
  const { port } = await operator.logged('health is served');
  return (await fetch(`http://127.0.0.1:${String(port)}${path}`)).status;
}

test('with a broken token the installed operator ends when it loses its lease, waits visibly after a restart, and recovers', async () => {
  await using cluster = await given.newCluster();
  const applied = await applyDist(cluster.admin, 'fra1');
  const admin = clientOf(cluster.admin);
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-operator-'));
  const access = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
  const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
  const { token = '' } = account.client.credentials;
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token);
  const kubeconfig = cluster.kubeconfigFile('operator', account.client);
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { users: { user: object }[] };
  config.users[0]!.user = { tokenFile };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const start = () => runInstalled({ cluster, applied, folder, account, command, kubeconfig });

  let operator = await start();
  try {
    expect(await until('all tenants are compared', () => notReady(admin))).toEqual([]);
    writeFileSync(tokenFile, 'nonsense');
    expect(await operator.ended()).toBe(1);
    expect(operator.stderr).toMatch(/^error .*lease/m);

    operator = await start();
    await until('nobody leads', async () => {
      const page = await pageOf(operator);
      return [...page].some(
        ([name, value]) => name.startsWith('leader_election_master') && value === 0,
      );
    });
    expect([await codeOf(operator, '/healthz'), await codeOf(operator, '/readyz')]).toEqual([
      200, 500,
    ]);
    const page = await pageOf(operator);
    const held = [...page].map(([name, value]) => [name, Array<number>(20).fill(value)] as const);
    const asked = held.filter(([name]) => name.startsWith('tenantry_'));
    if (run) expectFiring(run, new Map(asked), ['TenantryOperatorStalled']);

    const { items } = await admin.list(ResourceQuota, { labelSelector: 'tenantry.dev/tenant' });
    const { name, namespace: place } = items[0]!.metadata;
    const key = 'count/jobs.batch';
    await admin.patch(
      ResourceQuota,
      { name, namespace: place },
      { spec: { hard: { [key]: '7' } } },
    );
    writeFileSync(tokenFile, token);
    await until(
      'the drift is reported',
      async () => {
        const tenants = (await admin.list(Tenant)).items;
        return tenants.some(({ status }) => status?.drift?.some((one) => one.name === name));
      },
      { within: 120_000 },
    );
    expect(await codeOf(operator, '/readyz')).toBe(200);
    expect(await operator.stop()).toBe(0);
  } catch (error) {
    throw new Error(operator.stderr.slice(-3000), { cause: error });
  } finally {
    await operator.stop();
    rmSync(folder, { recursive: true });
  }
});
