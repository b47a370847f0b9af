import { afterAll, expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { eventAccess } from '@tenantry/runtime/events/events';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account, STREAMED } from './accounts.ts';
import { deploymentIn, notReady, runInstalled, templateOf } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
const namespace = 'tenantry-system';
afterAll(closeClients);

/**
 * A change to an object of each kind whose objects are read one by one, to a value that the tenant did not declare.
 */
const changes = [
  ['v1', 'Namespace', { metadata: { labels: { 'pod-security.kubernetes.io/enforce': null } } }],
  ['v1', 'ResourceQuota', { spec: { hard: { 'count/jobs.batch': '7' } } }],
  ['v1', 'LimitRange', { spec: { limits: [] } }],
  ['v1', 'ServiceAccount', { automountServiceAccountToken: true }],
  ['rbac.authorization.k8s.io/v1', 'Role', { rules: [] }],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', { subjects: [] }],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { ingress: [{}] } }],
  ['policy/v1', 'PodDisruptionBudget', { spec: { maxUnavailable: 7, minAvailable: null } }],
] as const;

test('the operator installed from dist has exactly its rights, and finds all tenants ready', async () => {
  await using cluster = await given.newCluster();
  const applied = await applyDist(cluster.admin, 'fra1');
  const admin = clientOf(cluster.admin);
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-operator-'));
  const access = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
  const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
  const command = [process.execPath, join(import.meta.dirname, '../../cli/main.ts')];
  const operator = await runInstalled({ cluster, applied, folder, account, command });
  try {
    expect(await until('all tenants are compared', () => notReady(admin))).toEqual([]);
    const { port } = await operator.logged('health is served');
    const ready = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
    expect(ready.status).toBe(200);
    const metrics = await operator.logged('metrics are served to everybody who can reach the port');
    const page = await (await fetch(`http://127.0.0.1:${String(metrics['port'])}/metrics`)).text();
    expect(page).toMatch(/leader_election_master_status\{[^}]*\} 1\n/);
    expect(page).toMatch(/rest_client_requests_total\{[^}]*\} [1-9]/);

    for (const [apiVersion, kind, patch] of changes) {
      const one = applied.find(
        (object) =>
          object.kind === kind &&
          object.apiVersion === apiVersion &&
          object.metadata?.labels?.['tenantry.dev/tenant'] !== undefined,
      );
      if (!one) throw new Error(`dist has no ${kind} of a tenant`);
      const { name = '', namespace: place } = one.metadata!;
      const reference = { apiVersion, kind, name, namespace: place };
      const { status, body } = await cluster.admin.patch(reference, patch);
      if (status !== 200) throw new Error(`${kind}: ${body.message}`);
      await until(`the drift of a ${kind} is reported`, async () => {
        const { items } = await admin.list(Tenant);
        const all = items.flatMap(({ status: tenantStatus }) => tenantStatus?.drift ?? []);
        return all.some((entry) => entry.kind === kind && entry.name === name);
      });
    }

    expect(await operator.stop()).toBe(0);
    await account.expectExactAccess([
      ...access
        .filter(({ verbs }) => verbs.includes('list'))
        .map((rule) => [{ ...rule, verbs: ['list'] }, STREAMED] as const),
      ...eventAccess
        .map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb === 'patch') }))
        .map((rule) => [rule, 'only a repeated event is patched'] as const),
    ]);
  } catch (error) {
    throw new Error(operator.stderr.slice(-3000), { cause: error });
  } finally {
    await operator.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a namespace that enforces Pod Security restricted accepts the pods of the Deployment', async () => {
  await using cluster = await given.newCluster();
  const applied = await applyDist(cluster.admin, 'arn1');
  const { metadata, spec } = templateOf(deploymentIn(applied));
  const pod = (name: string, containers: readonly object[]): Body =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name, namespace },
      spec: { ...spec, containers },
    }) as Body;
  const [container] = spec.containers;
  const answer = await cluster.admin.create(pod('operator', [container]), { dryRun: true });
  expect([answer.status, answer.body.message, answer.warnings]).toEqual([201, undefined, []]);
  const { securityContext: _, ...open } = container;
  const refused = await cluster.admin.create(pod('open', [open]), { dryRun: true });
  expect([refused.status, refused.body.message]).toEqual([
    403,
    expect.stringContaining('violates PodSecurity "restricted'),
  ]);
});
