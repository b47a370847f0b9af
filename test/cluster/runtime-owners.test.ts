import { afterAll, expect } from '@jest/globals';
import { crdManifest } from '@tenantry/crd/definition';
import { define } from '@tenantry/crd/define';
import { electionForLifeAccess, type AccessRule } from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { controller } from '@tenantry/runtime/controller/controller';
import { done } from '@tenantry/runtime/controller/context';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { ConfigMap, Pod, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { kindOf } from '@tenantry/runtime/kinds/kind';
import { electionForLife } from '@tenantry/runtime/leader/election-for-life';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { object } from '@tenantry/crd/schema/language';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { silent } from '@tenantry/runtime/test/leader/candidate';
import { Account, ASKED_BY_ADMISSION } from './accounts.ts';
import { serve } from './crds.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await ownClusters();
const { test } = given;

let started: Promise<Cluster> | undefined;
afterAll(async () => (await started)?.stop());
const clients = new RuntimeClients();
afterAll(() => clients.close());

/** Starts an API server that checks whether the writer of an owner reference may block the deletion of the owner. */
const strict = (): Promise<Cluster> =>
  (started ??= startCluster({
    binaries: given.binaries,
    apiServerFlags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
  }));

const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: { v1: { schema: object('A shop.', {}) } },
});
const Shop = kindOf(shop, 'v1');

const stocking = controller({
  name: 'shops',
  for: Shop,
  owns: [ConfigMap],
  access: [allow(ConfigMap, 'create')],
  reconcile: async ({ object, client, children, owned }) => {
    const { name } = object.metadata;
    if (children(ConfigMap).length === 0) {
      await client.create(ConfigMap, owned({ metadata: { name } }));
    }
    return done;
  },
});

test('where blocking the deletion of an owner requires a right, a controller has the right to finalizers, and needs it', async () => {
  const cluster = await strict();
  const admin = clients.of(cluster.admin);
  await serve(cluster.admin, crdManifest(shop));
  /** Runs the controller until a line of its log contains these words. */
  const running = async (access: readonly AccessRule[], words: string): Promise<void> => {
    const account = await Account.make(cluster, 'default', access);
    const lines: string[] = [];
    const log = jsonLog({ clock: systemClock, level: 'debug', write: (line) => lines.push(line) });
    const stop = new AbortController();
    const client = clients.of(account.client);
    const run = new Manager({ controllers: [stocking], client, log }).run(stop.signal);
    await until(words, async () => {
      const { items } = await admin.list(ConfigMap, { namespace: 'default' });
      return (
        items.some(({ metadata }) => metadata.name === words) ||
        lines.some((line) => line.includes(words))
      );
    }).finally(() => stop.abort());
    await run;
  };
  const without = stocking.access.filter(({ resource }) => resource !== 'shops/finalizers');
  await admin.create(Shop, { metadata: { name: 'bakery', namespace: 'default' } });
  await running(without, 'cannot set blockOwnerDeletion');
  await running(stocking.access, 'bakery');
});

test('where blocking the deletion of an owner requires a right, an election for life has the rights that it needs', async () => {
  const cluster = await strict();
  const admin = clients.of(cluster.admin);
  // Pods require a default ServiceAccount, and no controller creates it here.
  await admin.create(ServiceAccount, { metadata: { name: 'default', namespace: 'default' } });
  const lease = { name: 'operator', namespace: 'default' };
  const account = await Account.make(cluster, 'default', electionForLifeAccess(lease));
  const client = clients.of(account.client);
  const spec = { containers: [{ name: 'main', image: 'example.com/operator' }] };
  for (const pod of ['a', 'b']) {
    await admin.create(Pod, { metadata: { name: pod, namespace: 'default' }, spec });
    const stop = new AbortController();
    const deps = { clock: systemClock, random: Math.random, log: silent };
    const election = electionForLife({ ...deps, client, lease, pod });
    let leader = '';
    await election.run(async () => {
      leader = pod;
      stop.abort();
    }, stop.signal);
    expect(leader).toBe(pod);
  }
  await account.expectExactAccess([
    [allow(Lease, 'delete').named('operator').in('default'), ASKED_BY_ADMISSION],
  ]);
});
