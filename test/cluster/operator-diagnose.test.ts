import { afterAll, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { listOperatorAccess } from '../../model/operator/access.ts';
import type { Diagnosis } from '../../operator/diagnosis/diagnose.ts';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { Pod, Secret } from '@tenantry/runtime/kinds/core';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { commandLine, untilEnd, type Ended } from '../cli/project.ts';
import { clientOf, closeClients } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { isAllowed } from './accounts.ts';
import { deploymentIn, templateOf } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const namespace = 'tenantry-system';
const planted = 'planted-value-of-a-secret';
const parts = ['deployment', 'pods', 'lease', 'definitions', 'platform', 'rights', 'tenants'];

function diagnose(kubeconfig: string, ...words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: '1' };
  const args = [commandLine, 'tenant', 'diagnose', ...words];
  return untilEnd(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Installs what is in dist, with secret values in every place where a user may have put one. */
async function install(cluster: ClusterAccess): Promise<void> {
  const applied = await applyDist(cluster.admin, 'fra1');
  const client = clientOf(cluster.admin);
  const data = { token: Buffer.from(planted).toString('base64') };
  await client.create(Secret, { metadata: { name: 'cmdb', namespace }, data });
  const { metadata, spec } = templateOf(deploymentIn(applied));
  const [container] = spec.containers;
  const env = [{ name: 'TOKEN', value: planted }];
  const pod = { ...spec, containers: [{ ...container, env }] } as never;
  await client.create(Pod, { metadata: { ...metadata, name: 'operator', namespace }, spec: pod });
  const lease = { holderIdentity: 'operator-1' };
  await client.create(Lease, { metadata: { name: 'tenantry-operator', namespace }, spec: lease });
}

/** Returns a kubeconfig of a user who may list Tenants and pods, and nothing else. */
async function reader(cluster: ClusterAccess): Promise<string> {
  const group = 'rbac.authorization.k8s.io';
  const apiVersion = `${group}/v1`;
  const rules = [
    { apiGroups: ['tenantry.dev'], resources: ['tenants'], verbs: ['list'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  ];
  const metadata = { name: 'few' };
  const objects = [
    { apiVersion, kind: 'ClusterRole', metadata, rules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'few' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'rita' }],
    },
  ];
  for (const object of objects) {
    const { status, body } = await cluster.admin.create(object);
    if (status !== 201) throw new Error(body.message);
  }
  await until('the role is known', () =>
    isAllowed(cluster, 'rita', { group: '', resource: 'pods', verb: 'list' }),
  );
  return cluster.kubeconfigFile('rita.json', cluster.user('rita'));
}

test('a diagnosis has everything that its reader may read, names what they may not read, and has no value of a Secret', async () => {
  await using cluster = await given.newCluster();
  await install(cluster);

  const admin = cluster.kubeconfigFile('admin.json', cluster.admin);
  const whole = await diagnose(admin, '--output', 'json');
  expect(whole).toMatchObject({ code: 0, err: '' });
  const found = JSON.parse(whole.out) as Diagnosis;
  expect(found.notRead).toEqual([]);
  expect(Object.keys(found)).toEqual(expect.arrayContaining(parts));
  expect(found).toMatchObject({
    namespace,
    lease: { holder: 'operator-1' },
    definitions: [
      { name: 'tenants.tenantry.dev', established: 'True' },
      { name: 'tenantclasses.tenantry.dev', established: 'True' },
    ],
    pods: [{ name: 'operator' }],
    rights: { missing: [] },
  });
  const { rights, deployment, platform } = found as Required<Diagnosis>;
  const { digest } = platform as { readonly digest: string };
  expect(deployment).toMatchObject({ platformDigest: digest });
  const verbs = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
  expect(rights.checked).toBeGreaterThanOrEqual(verbs.flatMap((rule) => rule.verbs).length);

  const rita = await reader(cluster);
  const some = await diagnose(rita, '--output', 'json');
  expect(some).toMatchObject({ code: 0, err: '' });
  const few = JSON.parse(some.out) as Diagnosis;
  const refused = parts.filter((part) => part !== 'pods' && part !== 'tenants');
  expect(few.notRead.map(({ part }) => part).toSorted()).toEqual(refused.toSorted());
  for (const { why } of few.notRead) expect(why).toMatch(/^403 .*"rita" cannot (get|create) /);
  expect(few).toMatchObject({ pods: found.pods!, tenants: found.tenants! });

  const nobody = cluster.kubeconfigFile('nobody.json', cluster.user('nobody'));
  const none = await diagnose(nobody);
  expect(none).toMatchObject({ code: 0, err: '' });
  const lines = none.out.trim().split('\n');
  expect(
    lines.filter((line) => line.includes('not read')).map((line) => line.replace(/:.*/, '')),
  ).toEqual(parts);

  for (const { out } of [whole, some, none]) {
    expect(out).not.toContain(planted);
    expect(out).not.toContain(Buffer.from(planted).toString('base64'));
  }
});

test('a diagnosis names missing rights, and reports that nothing is installed', async () => {
  await using cluster = await given.newCluster();
  const admin = cluster.kubeconfigFile('admin.json', cluster.admin);
  const empty = await diagnose(admin, '--output', 'json');
  expect(empty).toMatchObject({ code: 0, err: '' });
  const { notRead } = JSON.parse(empty.out) as Diagnosis;
  expect(notRead.map(({ part }) => part)).toEqual(parts.filter((part) => part !== 'pods'));
  for (const { why } of notRead) expect(why).toMatch(/^404 /);

  await install(cluster);
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    name: 'tenantry-operator',
  };
  await cluster.admin.patch(role, { rules: [] });
  const user = `system:serviceaccount:${namespace}:tenantry-operator`;
  const asked = { group: 'networking.k8s.io', resource: 'networkpolicies', verb: 'list' };
  await until('the right is gone', async () => !(await isAllowed(cluster, user, asked as never)));
  const { out } = await diagnose(admin, '--output', 'json');
  expect((JSON.parse(out) as Diagnosis).rights?.missing).toEqual(
    expect.arrayContaining([
      'list networkpolicies.networking.k8s.io',
      'patch tenants/status.tenantry.dev',
    ]),
  );
});
