import { afterAll, expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisBundle } from '../../../examples/redis/bundle.ts';
import { redisController } from '../../../examples/redis/controller.ts';
import { NAME, Redis } from '../../../examples/redis/pods.ts';
import { operatorAccess, OPERATOR } from '../../../constructs/operator/access.ts';
import { App } from '../../../index.ts';
import { leaseElectionAccess, type Verb } from '../../../kube/access.ts';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { conditionOf } from '../../../runtime/conditions/conditions.ts';
import { leaseElection } from '../../../runtime/leader/leaseelection.ts';
import { clientOf, closeClients, runAs } from '../../examples/operator.ts';
import { newNamespace } from '../../testing/controlplane/shared.ts';
import { until } from '../../../testing/waiting/until.ts';
import { Account, isAllowed } from '../accounts.ts';
import { ofOneVersion, serve } from '../crds.ts';
import { runInstalled } from '../operatorprogram.ts';
import { applyAll } from '../tenants.ts';
import { bundleIn, objectsOf } from './committed.ts';
import { installBundle, makeOperatorGroup, partsOf } from './installbundle.ts';
import { olmTests } from './olmtests.ts';
import { variablesOf } from './pod.ts';
import { untilPhase } from './realolm.ts';

const given = await olmTests();
const { test } = given;
afterAll(closeClients);

test('an operator comes up from its bundle, and does its work under the rights of the bundle', async () => {
  const { cluster } = given.running;
  const namespace = 'caches';
  await makeOperatorGroup(cluster, namespace);
  const csv = await installBundle(cluster, namespace, partsOf(redisBundle(new App()).files));
  await untilPhase(cluster, csv, 'Succeeded', 'InstallSucceeded');

  const lease = { name: NAME, namespace };
  const access = [...redisController.access, ...leaseElectionAccess(lease)];
  const account = await Account.of(cluster, lease, access);
  const operator = runAs(account.client, redisController, (deps) =>
    leaseElection({ ...deps, lease }),
  );
  try {
    const place = { name: 'sample', namespace: await newNamespace(cluster, 'shop') };
    const admin = clientOf(cluster.admin);
    await admin.create(Redis, { metadata: place, spec: { num: 2 } });
    await until('its pods are ready', async () => {
      return (await admin.get(Redis, place)).status?.ready === 2;
    });
  } finally {
    await operator.stop();
  }
  const asked = (group: string, resource: string, verb: Verb, where?: string) =>
    isAllowed(cluster, account.user, { group, resource, verb, namespace: where });
  expect(await asked('', 'pods', 'delete', 'default')).toBe(true);
  expect(await asked('', 'secrets', 'get', namespace)).toBe(false);
  expect(await asked('', 'pods', 'update', 'default')).toBe(false);
  expect(await asked('', 'pods/exec', 'create', 'default')).toBe(false);
});

test('in an OperatorGroup of all namespaces OLM grants what a bundle asks for its own namespace everywhere', async () => {
  const { cluster } = given.running;
  const user = `system:serviceaccount:caches:${NAME}`;
  const request = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'default' };
  await until('the right is granted elsewhere', () =>
    isAllowed(cluster, user, { ...request, verb: 'create' }),
  );
  expect(await isAllowed(cluster, user, { ...request, verb: 'delete' })).toBe(false);
});

test('our own operator comes up from dist/olm, and tells of tenants what it tells when Argo CD applies it', async () => {
  const { cluster } = given.running;
  const namespace = 'tenantry-system';
  const monitor = { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor' };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  const served = { ...monitor, plural: 'servicemonitors' };
  await serve(cluster.admin, ofOneVersion(served, open, 'Namespaced'));
  await makeOperatorGroup(cluster, namespace);
  await applyAll(cluster.admin, objectsOf('olm/platform/fra1.yaml'));
  const csv = await installBundle(cluster, namespace, partsOf(bundleIn('olm/bundle/0.1.0')));
  await untilPhase(cluster, csv, 'Succeeded');

  const access = operatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
  const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
  const { body: deployment } = await cluster.admin.get({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace,
    name: OPERATOR,
  });
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-operator-'));
  const operator = await runInstalled({
    cluster,
    applied: [deployment, ...objectsOf('olm/platform/fra1.yaml')],
    folder,
    account,
    command: [process.execPath, join(import.meta.dirname, '../../../cli/main.ts')],
    environment: await variablesOf(cluster, deployment),
  });
  try {
    const tenant = 'clusters/fra1/tenants/shipper-plugins';
    const told = async (): Promise<string | undefined> => {
      const { status } = await clientOf(cluster.admin).get(Tenant, { name: 'shipper-plugins' });
      return conditionOf(status?.conditions, 'Ready')?.status;
    };
    await applyAll(cluster.admin, objectsOf('clusters/fra1/tenantclasses'));
    await applyAll(cluster.admin, objectsOf(`${tenant}/tenant.yaml`));
    await until('it tells that the tenant is not there', async () => (await told()) === 'False');
    await applyAll(cluster.admin, objectsOf(tenant));
    await until('it tells that the tenant is there', async () => (await told()) === 'True');
    expect(await operator.stop()).toBe(0);
  } catch (error) {
    throw new Error(operator.said.slice(-3000), { cause: error });
  } finally {
    await operator.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const asked = (group: string, resource: string, verb: Verb) =>
    isAllowed(cluster, account.user, { group, resource, verb });
  expect(await asked('', 'namespaces', 'create')).toBe(false);
  expect(await asked('', 'secrets', 'list')).toBe(false);
  expect(await asked('tenantry.dev', 'tenants', 'patch')).toBe(false);
});
