import { afterAll, expect } from '@jest/globals';
import { redisBundle } from '../../../examples/redis/bundle.ts';
import { redisController } from '../../../examples/redis/controller.ts';
import { NAME, Redis } from '../../../examples/redis/pods.ts';
import { App } from '../../../index.ts';
import { leaseElectionAccess, type Verb } from '../../../kube/access.ts';
import { leaseElection } from '../../../runtime/leader/leaseelection.ts';
import { clientOf, closeClients, runAs } from '../../examples/operator.ts';
import { newNamespace } from '../../testing/controlplane/shared.ts';
import { until } from '../../../testing/waiting/until.ts';
import { Account, isAllowed } from '../accounts.ts';
import { installBundle, makeOperatorGroup, partsOf } from './installbundle.ts';
import { olmTests } from './olmtests.ts';
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
