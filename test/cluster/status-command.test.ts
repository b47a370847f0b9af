import { afterAll, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { ResourceQuota } from '@tenantry/runtime/kinds/core';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { commandLine } from '../cli/project.ts';
import { clientOf, closeClients, runAs } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { isAllowed } from './accounts.ts';
import { applyDist, ownPlatform } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

/** A run of the command line, with its output so far, and how it ended. */
function start(words: string, kubeconfig: string) {
  const child = spawn(process.execPath, [commandLine, ...words.split(' ')], {
    env: { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  return { output, ended, interrupt: () => child.kill('SIGINT') };
}

const platformFile = join(import.meta.dirname, '../../tenantry.yaml');

const run = (words: string, kubeconfig: string) => start(words, kubeconfig).ended;

/** Returns the ClusterRole that docs/operator.md gives to readers. */
function documentedRole(): Body {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operator.md'), 'utf8');
  const [, text] = /```yaml\n([^`]*kind: ClusterRole\n[^`]*)```/.exec(page)!;
  return readDocuments(text!).documents[0]!.value as Body;
}

/** Returns a kubeconfig of a user who has that role, and nothing else. */
async function reader(cluster: ClusterAccess): Promise<string> {
  const role = documentedRole();
  const group = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${group}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'readers' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role.metadata!.name },
    subjects: [{ apiGroup: group, kind: 'User', name: 'rita' }],
  };
  for (const object of [role, binding]) {
    const { status, body } = await cluster.admin.create(object);
    if (status !== 201) throw new Error(body.message);
  }
  const asked = { group: 'tenantry.dev', resource: 'tenants', verb: 'watch' } as const;
  await until('the role is known', () => isAllowed(cluster, 'rita', asked));
  return cluster.kubeconfigFile('rita.json', cluster.user('rita'));
}

test('a cluster that has no Tenants, refuses or does not answer is reported in one clear line', async () => {
  await using cluster = await given.newCluster();
  const admin = cluster.kubeconfigFile('admin.json', cluster.admin);
  const none = `error the cluster must have Tenants, got no definition of tenants.tenantry.dev at ${cluster.server}: apply what Tenantry renders to crds/\n`;
  for (const words of [
    'tenant status',
    'tenant status payments',
    'tenant drift payments',
    'tenant status --watch',
  ]) {
    expect(await run(words, admin)).toEqual({ code: 1, out: '', err: none });
  }
  const nobody = cluster.kubeconfigFile('nobody.json', cluster.user('nobody'));
  const refused = await run('tenant status', nobody);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /^error you must be allowed to get, list and watch tenants\.tenantry\.dev, got: .*"nobody" cannot list.*; ask for the ClusterRole tenantry-tenant-reader of docs\/operator\.md\n$/,
  );
  const stale = { ...(JSON.parse(readFileSync(admin, 'utf8')) as { users: { user: object }[] }) };
  stale.users[0]!.user = { token: 'expired' };
  const token = cluster.kubeconfigFile('token.json', cluster.admin);
  writeFileSync(token, JSON.stringify(stale));
  expect(await run('tenant status', token)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^error the credentials must be ones that .* got 401 .*\n$/),
  });
});

test('a reader of Tenants sees their state, their drift and each change, and --fail-on drift fails a pipeline', async () => {
  await using cluster = await given.newCluster();
  await applyDist(cluster.admin, 'fra1');
  const rita = await reader(cluster);
  const admin = clientOf(cluster.admin);
  const root = cluster.kubeconfigFile('root.json', cluster.admin);

  const before = await run('tenant status --fail-on drift', rita);
  expect(before.code).toBe(1);
  expect(before.out).toContain(' not looked at');
  expect(before.err).toContain(': not observed by the operator yet\n');

  const operator = runAs(
    cluster.admin,
    tenantController({ platform: ownPlatform(), cluster: 'fra1' }),
  );
  const watch = start('tenant status --watch --fail-on drift', rita);
  const watchJson = start('tenant status --watch --output json', rita);
  try {
    await until('all tenants are compared', async () => {
      const { items } = await admin.list(Tenant);
      return items.every(({ status }) => status !== undefined);
    });
    const fine = await run('tenant status --fail-on drift,not-ready', rita);
    expect(fine).toMatchObject({ code: 0, err: '' });
    expect(fine.out).toMatch(/^NAME .*\n(\S+ +\S+ +True +0 .*\n)+\n\d+ tenants: .*ready/);

    const quotas = await admin.list(ResourceQuota, { labelSelector: TENANT_LABEL });
    const quota = quotas.items.find(({ spec }) => spec?.hard?.['pods'] !== undefined)!;
    const { name, namespace, labels } = quota.metadata;
    const tenant = labels![TENANT_LABEL]!;
    await admin.patch(
      ResourceQuota,
      { name, namespace },
      { spec: { hard: { pods: '999' } } },
      { fieldManager: 'kubectl-edit' },
    );
    const line = new RegExp(`^${tenant} .* False +1 .* Drifted +\\d+s$`, 'm');
    await until('the watch has a line for it', () => line.test(watch.output.out));
    expect(watch.output.out.match(/^NAME /gm)).toHaveLength(1);

    const drifted = await run('tenant status --fail-on drift', rita);
    expect(drifted.code).toBe(1);
    expect(drifted.out.split('\n')[1]).toMatch(line);
    expect(drifted.err).toContain(`--fail-on drift\n  ${tenant}: 1 drifted\n`);

    const one = await run(`tenant status ${tenant} --output json`, rita);
    expect(one.code).toBe(0);
    expect(JSON.parse(one.out)).toMatchObject({
      command: 'tenant status',
      tenant: { name: tenant, state: 'Drifted', ready: 'False', counts: { driftedFields: 1 } },
      status: { drift: [{ field: 'spec.hard.pods', live: '"999"', manager: 'kubectl-edit' }] },
      warnings: [],
    });
    const { code, out } = await run(`tenant drift ${tenant}`, rita);
    expect(code).toBe(0);
    expect(out).toContain(
      `${tenant}: 1 difference in 1 object\n\nResourceQuota ${namespace}/${name}\n  spec.hard.pods\n    declared  "${quota.spec!.hard!['pods']}"\n    live      "999"\n    by        kubectl-edit (Update)\n`,
    );
    const typo = await run(`tenant drift ${tenant}x`, rita);
    expect(typo).toEqual({
      code: 1,
      out: '',
      err: `error the tenant must be one of the cluster, got '${tenant}x'; did you mean '${tenant}'?\n`,
    });

    const live = `tenant drift ${tenant} --live --cluster fra1 --platform ${platformFile}`;
    const refused = await run(live, rita);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(
      /^error --live must be allowed to read what tenants consist of, got: .*"rita" cannot .*\n$/,
    );
    const keys = Array.from({ length: 24 }, (_, at) => [`count/things${at}.example.com`, '1']);
    const more = { hard: Object.fromEntries(keys) as Record<string, string> };
    await admin.patch(ResourceQuota, { name, namespace }, { spec: more });
    await until('the status cannot list them all', async () => {
      const { status } = await admin.get(Tenant, { name: tenant });
      return status?.moreDrift === 5;
    });
    const listed = await run(`tenant drift ${tenant}`, rita);
    expect(listed.out).toContain(`${tenant}: 25 differences in 1 object\n`);
    expect(listed.out).toContain('\nand 5 more differences\n');
    const compared = await run(`${live} --output json`, root);
    const { drift, ...rest } = JSON.parse(compared.out) as { drift: readonly { field: string }[] };
    expect(rest).toMatchObject({
      isLive: true,
      more: 0,
      tenant: { counts: { driftedFields: 25 } },
    });
    expect(drift).toHaveLength(25);
    expect(drift).toContainEqual(
      expect.objectContaining({ field: 'spec.hard.pods', since: expect.any(String) }),
    );

    watch.interrupt();
    expect(await watch.ended).toMatchObject({ code: 1 });
    watchJson.interrupt();
    const json = await watchJson.ended;
    expect(json).toMatchObject({ code: 0, err: '' });
    const tenants = json.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { name: string });
    expect(tenants).toContainEqual(expect.objectContaining({ name: tenant, state: 'Drifted' }));
  } finally {
    await operator.stop();
    watch.interrupt();
    watchJson.interrupt();
  }
});
