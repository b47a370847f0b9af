import { afterAll, expect } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redisBundle } from '../../../examples/redis/bundle.ts';
import { redisController } from '../../../examples/redis/controller.ts';
import { NginxV1alpha1, NginxV1alpha2 } from '../../../examples/nginx/kinds.ts';
import { NAME, Redis } from '../../../examples/redis/pods.ts';
import { listOperatorAccess, OPERATOR } from '../../../model/operator/access.ts';
import { App } from '../../../index.ts';
import { leaseElectionAccess, type Verb } from '@tenantry/kube/access';
import { Tenant } from '../../../operator/cluster/kinds.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { clientOf, closeClients, runAs } from '../../examples/operator.ts';
import { testUnless } from '../../skipping.ts';
import { newNamespace } from '@tenantry/testing/test/controlplane/shared';
import type { ObjectReference } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { Account, isAllowed } from '../accounts.ts';
import { ofOneVersion, serve } from '../crds.ts';
import { runInstalled, templateOf } from '../operator-program.ts';
import { applyAll } from '../tenants.ts';
import { bundleIn, objectsOf } from './committed.ts';
import { installBundle, makeOperatorGroup, partsOf } from './install-bundle.ts';
import { olmTests } from './olm-tests.ts';
import {
  CERTIFICATES,
  DEFINITION,
  DEPLOYMENT,
  NAMESPACE,
  neverReady,
  nginxParts,
  runNginx,
} from './nginx.ts';
import { variablesOf } from './pod.ts';
import { csvReference, csvStatus, untilPhase, type CsvName } from './real-olm.ts';
import { whyNoService } from './service-addresses.ts';

const given = await olmTests();
const { test } = given;
const noService = await whyNoService();
const testWithService = testUnless(noService, test);
afterAll(closeClients);

test('an operator starts from its bundle, and works with the rights of the bundle', async () => {
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

test('with an OperatorGroup for all namespaces, OLM grants the rights for the bundle’s own namespace in every namespace', async () => {
  const { cluster } = given.running;
  const user = `system:serviceaccount:caches:${NAME}`;
  const request = { group: 'coordination.k8s.io', resource: 'leases', namespace: 'default' };
  await until('the right is granted elsewhere', () =>
    isAllowed(cluster, user, { ...request, verb: 'create' }),
  );
  expect(await isAllowed(cluster, user, { ...request, verb: 'delete' })).toBe(false);
});

test('our own operator starts from dist/olm, and reports on tenants the same as when Argo CD applies it', async () => {
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

  const access = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
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
    const readReadyStatus = async (): Promise<string | undefined> => {
      const { status } = await clientOf(cluster.admin).get(Tenant, { name: 'shipper-plugins' });
      return findCondition(status?.conditions, 'Ready')?.status;
    };
    await applyAll(cluster.admin, objectsOf('clusters/fra1/tenantclasses'));
    await applyAll(cluster.admin, objectsOf(`${tenant}/tenant.yaml`));
    await until(
      'the missing tenant is reported',
      async () => (await readReadyStatus()) === 'False',
    );
    await applyAll(cluster.admin, objectsOf(tenant));
    await until(
      'the existing tenant is reported',
      async () => (await readReadyStatus()) === 'True',
    );
    expect(await operator.stop()).toBe(0);
  } catch (error) {
    throw new Error(operator.stderr.slice(-3000), { cause: error });
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

const first = { namespace: NAMESPACE, name: 'nginx-operator.v0.0.1' };
const second = { namespace: NAMESPACE, name: 'nginx-operator.v0.1.0' };
const third = { namespace: NAMESPACE, name: 'nginx-operator.v0.2.0' };
const shop = { namespace: 'default', name: 'shop' };

/** Returns the UIDs of the objects that must survive whatever happens to the operator. */
const lasting = async (): Promise<readonly (string | undefined)[]> => {
  const admin = clientOf(given.running.cluster.admin);
  const [object, made] = [await admin.get(NginxV1alpha1, shop), await admin.get(Deployment, shop)];
  return [object.metadata.uid, made.metadata.uid];
};
let before: Awaited<ReturnType<typeof lasting>>;

test('the operator holds back an upgrade, an override lets it continue, and the workload keeps running', async () => {
  const { cluster } = given.running;
  const admin = clientOf(cluster.admin);
  await makeOperatorGroup(cluster, NAMESPACE);
  await installBundle(cluster, NAMESPACE, nginxParts('0.0.1'));
  await untilPhase(cluster, first, 'Succeeded');
  const operator = await runNginx(cluster, '0.0.1');
  try {
    await admin.create(NginxV1alpha1, { metadata: shop, spec: { port: 9000, replicas: 1 } });
    await until('its pod is ready', async () => {
      return (await podsReady()) === 1;
    });
    before = await lasting();
    await untilUpgradeable(first);
    // From here on the test writes the condition in the operator's place, with its account.
    expect(await operator.stop()).toBe(0);

    // The Role that OLM created for the account allows this, and no other Role does.
    const conditions = [upgradeable('False', 'Busy')];
    const own = operatorCondition(first);
    const { client } = operator.account;
    expect((await client.patch(own, { spec: { conditions } })).status).toBe(200);
    const other = operatorCondition({ namespace: NAMESPACE, name: 'another.v1.0.0' });
    expect((await client.patch(other, { spec: { conditions } })).status).toBe(403);
    await until(
      'OLM has read the condition',
      async () => (await readUpgradeableStatus(own)) === 'False',
    );

    await installBundle(cluster, NAMESPACE, nginxParts('0.1.0'));
    const held = await untilPhase(cluster, second, 'Pending', 'OperatorConditionNotUpgradeable');
    expect(held.message).toMatch(/not upgradeable/);
    expect(await imageOfOperator()).toMatch(/:0\.0\.1$/);
    // Only the pods are held back: the InstallPlan has written the definition, which has no conversion yet.
    const { spec: definition } = (await cluster.admin.get(DEFINITION)).body;
    expect(definition).toMatchObject({ versions: [{}, {}], conversion: { strategy: 'None' } });

    const overrides = [upgradeable('True', 'Forced')];
    expect((await cluster.admin.patch(own, { spec: { overrides } })).status).toBe(200);
    await untilPhase(cluster, second, 'Succeeded');
    await until('the old version is gone', async () => !(await csvStatus(cluster, first)));
    expect(await imageOfOperator()).toMatch(/:0\.1\.0$/);
    expect(await lasting()).toEqual(before);
  } finally {
    await operator.stop();
  }
});

testWithService(
  'the operator serves its conversion webhook with the certificate from OLM, which OLM adds to the definition',
  async () => {
    const { cluster } = given.running;
    const admin = clientOf(cluster.admin);
    const { volumeMounts } = templateOf((await cluster.admin.get(DEPLOYMENT)).body).spec
      .containers[0];
    expect(volumeMounts.map(({ mountPath }) => mountPath).toSorted()).toEqual([
      '/apiserver.local.config/certificates',
      CERTIFICATES,
    ]);
    const operator = await runNginx(cluster, '0.1.0');
    try {
      const { spec } = await until('the API server reaches it', () =>
        admin.get(NginxV1alpha2, shop),
      );
      expect(spec.ports).toMatchObject([{ containerPort: 9000 }]);
      const ports = [
        ...spec.ports,
        { containerPort: 9001, name: 'admin', protocol: 'TCP' as const },
      ];
      await admin.patch(NginxV1alpha2, shop, { spec: { ports } });
      expect((await admin.get(NginxV1alpha1, shop)).spec.port).toBe(9000);
      await until('its pods listen at both', async () => {
        const { spec: made } = await admin.get(Deployment, shop);
        return made?.template.spec?.containers[0]?.ports?.length === 2;
      });
      expect(await lasting()).toEqual(before);
      await untilUpgradeable(second);
    } finally {
      expect(await operator.stop()).toBe(0);
    }
  },
);

test('OLM reports an upgrade that never becomes ready, and installing the previous version again reverts it', async () => {
  const { cluster } = given.running;
  await installBundle(cluster, NAMESPACE, neverReady(nginxParts('0.2.0')));
  const waiting = await untilPhase(cluster, third, 'Installing', 'InstallWaiting');
  expect(waiting.message).toMatch(/waiting for deployment nginx-operator to become ready/);
  expect(await csvStatus(cluster, second)).toMatchObject({ phase: 'Replacing' });

  await cluster.admin.delete(csvReference(third));
  // OLM does not roll back by itself: the replaced version stays in its phase.
  await until('it is gone', async () => !(await csvStatus(cluster, third)));
  expect(await csvStatus(cluster, second)).toMatchObject({ phase: 'Replacing' });
  await cluster.admin.delete(csvReference(second));
  await until('it is gone', async () => !(await csvStatus(cluster, second)));
  await installBundle(cluster, NAMESPACE, nginxParts('0.1.0'));
  await untilPhase(cluster, second, 'Succeeded');
  expect(await imageOfOperator()).toMatch(/:0\.1\.0$/);
  expect(await lasting()).toEqual(before);
});

test('OLM names a missing requirement, and the upgrade continues once it is met', async () => {
  const { cluster } = given.running;
  const parts = nginxParts('0.2.0');
  const spec = { ...parts.csv.spec, minKubeVersion: '9.0.0' };
  await installBundle(cluster, NAMESPACE, { ...parts, csv: { ...parts.csv, spec } });
  const { requirementStatus } = await untilPhase(cluster, third, 'Pending', 'RequirementsNotMet');
  const message: unknown = expect.stringMatching(/minKubeVersion \(9\.0\.0\)/);
  expect(requirementStatus).toContainEqual(
    expect.objectContaining({ status: 'PresentNotSatisfied', message }),
  );
  // Nothing is converted until then. OLM applies the new definition without a webhook. If it looks at the old version in
  // between, it puts that version's webhook back, which nobody serves.
  const read = await clientOf(cluster.admin)
    .get(NginxV1alpha2, shop)
    .then(({ spec }) => JSON.stringify(spec), String);
  expect(read).toMatch(/^\{"replicas":1\}$|conversion webhook for .* failed/);
  const met = { spec: { minKubeVersion: parts.csv.spec['minKubeVersion'] } };
  expect((await cluster.admin.patch(csvReference(third), met)).status).toBe(200);
  await untilPhase(cluster, third, 'Succeeded');
  await until('the old version is gone', async () => !(await csvStatus(cluster, second)));
});

testWithService(
  'a version with a new storage version rewrites the stored objects without loss',
  async () => {
    const { cluster } = given.running;
    const operator = await runNginx(cluster, '0.2.0', ['--migration-settle=0']);
    try {
      await until('nothing is stored as before', async () => {
        const { status } = (await cluster.admin.get(DEFINITION)).body as {
          status?: { storedVersions: readonly string[] };
        };
        return status?.storedVersions.join(' ') === 'v1alpha2';
      });
      const { spec } = await clientOf(cluster.admin).get(NginxV1alpha2, shop);
      expect(spec.ports.map(({ containerPort }) => containerPort)).toEqual([9000, 9001]);
      expect(await lasting()).toEqual(before);
    } finally {
      expect(await operator.stop()).toBe(0);
    }
  },
);

test('deleting the ClusterServiceVersion removes the whole operator, and keeps the objects of users', async () => {
  const { cluster } = given.running;
  await cluster.admin.delete(csvReference(third));
  const namesOf = async (apiVersion: string, kind: string): Promise<string[]> => {
    const { body } = await cluster.admin.list({ apiVersion, kind, namespace: NAMESPACE });
    return body.items!.map(({ metadata }) => metadata!.name!);
  };
  const left = async (): Promise<readonly string[]> => [
    ...(await namesOf('apps/v1', 'Deployment')),
    ...(await namesOf('v1', 'Service')),
    ...(await namesOf('v1', 'Secret')),
    ...(await namesOf('v1', 'ServiceAccount')),
    ...(await namesOf('rbac.authorization.k8s.io/v1', 'Role')),
    ...(await namesOf('rbac.authorization.k8s.io/v1', 'RoleBinding')),
    ...(await namesOf('policy/v1', 'PodDisruptionBudget')),
    ...(await namesOf('networking.k8s.io/v1', 'NetworkPolicy')),
    ...(await namesOf('operators.coreos.com/v2', 'OperatorCondition')),
  ];
  await until('nothing is left', async () => (await left()).join(' ') === 'default');
  const user = `system:serviceaccount:${NAMESPACE}:nginx-operator`;
  const deployments = { group: 'apps', resource: 'deployments', verb: 'create' as const };
  await until('no account of its name has its rights', async () => {
    return !(await isAllowed(cluster, user, { ...deployments, namespace: 'default' }));
  });
  const { spec } = (await cluster.admin.get(DEFINITION)).body;
  expect(spec?.['conversion']).toEqual({ strategy: 'None' });
  expect(await lasting()).toEqual(before);
  expect(await podsReady()).toBe(1);
});

const upgradeable = (status: 'True' | 'False', reason: string): object => ({
  type: 'Upgradeable',
  status,
  reason,
  message: 'for a test',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** Returns the condition that OLM has of a version: whether it may be upgraded. */
async function readUpgradeableStatus(condition: ObjectReference): Promise<string | undefined> {
  const { body } = await given.running.cluster.admin.get(condition);
  const { conditions = [] } = (body.status ?? {}) as {
    conditions?: readonly { type: string; status: string }[];
  };
  return conditions.find(({ type }) => type === 'Upgradeable')?.status;
}

async function untilUpgradeable(name: CsvName): Promise<void> {
  await until('the operator reports that it may be upgraded', async () => {
    return (await readUpgradeableStatus(operatorCondition(name))) === 'True';
  });
}

const operatorCondition = (name: CsvName) => ({
  ...name,
  apiVersion: 'operators.coreos.com/v2',
  kind: 'OperatorCondition',
});

async function podsReady(): Promise<number | undefined> {
  const { status } = await clientOf(given.running.cluster.admin).get(Deployment, shop);
  return status?.readyReplicas;
}

async function imageOfOperator(): Promise<unknown> {
  const { body } = await given.running.cluster.admin.get(DEPLOYMENT);
  return templateOf(body).spec.containers[0]['image'];
}
