import { afterAll, expect } from '@jest/globals';
import { crdManifest } from '../../crds/definition.ts';
import { define } from '../../crds/define.ts';
import { electionForLifeAccess, type AccessRule } from '../../kube/access.ts';
import { allow } from '../../runtime/access/grant.ts';
import { systemClock } from '../../runtime/clock/clock.ts';
import { controller } from '../../runtime/controller/controller.ts';
import { done } from '../../runtime/controller/context.ts';
import { Lease } from '../../runtime/kinds/coordination.ts';
import { ConfigMap, Pod, ServiceAccount } from '../../runtime/kinds/core.ts';
import { kindOf } from '../../runtime/kinds/kind.ts';
import { electionForLife } from '../../runtime/leader/election-for-life.ts';
import { jsonLog } from '../../runtime/log/log.ts';
import { Manager } from '../../runtime/manager/manager.ts';
import { object } from '../../schema/language.ts';
import { startCluster, type Cluster } from '../../testing/controlplane/cluster.ts';
import { ownClusters } from '../testing/controlplane/shared.ts';
import { until } from '../../testing/waiting/until.ts';
import { silent } from '../runtime/leader/candidate.ts';
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
