import { afterAll, expect } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { hookController } from '../../operator/hooks/hook-controller.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { jsonLog } from '@tenantry/runtime/log/log';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { Manager } from '@tenantry/runtime/manager/manager';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { untilEnd } from '../cli/project.ts';
import { readPage } from '../docs/pages.ts';
import { shownCommands } from '../docs/shell.ts';
import { clientOf, closeClients } from '../examples/operator.ts';
import { withoutKubectl } from '../kubectl.ts';
import { WebhookReceiver } from '../operator/hooks/doubles/webhook-receiver.ts';
import { MountedSecrets, signingKey } from '../operator/hooks/given.ts';
import { testUnless } from '../skipping.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';

const given = await ownClusters();
const withoutJq = spawnSync('jq', ['--version']).status === 0 ? undefined : 'jq is not in the PATH';
const test = testUnless(withoutKubectl ?? withoutJq, given.test);
afterAll(closeClients);

const authority = new Authority();
const pair = authority.issue({ commonName: 'cmdb', hosts: ['127.0.0.1'] });

/** Returns the commands under "Backup and restore" of docs/operator-install.md, in order. */
function documented(): readonly [backup: string, restore: string] {
  const { text, ...page } = readPage('docs/operator-install.md');
  const [, section = ''] = /^## Backup and restore\n([^]*?)^## /m.exec(text)!;
  const [backup, restore, ...more] = shownCommands({ ...page, text: section });
  if (!backup || !restore || more.length > 0) throw new Error('there must be two blocks');
  return [backup.commands, restore.commands];
}

/** Returns an operator with a hook for new tenants, and the receiver of the hook. */
async function hookedOperator({ admin }: ClusterAccess) {
  const receiver = new WebhookReceiver([signingKey]);
  const server = await ScriptedServer.start(({ method, url, headers, body }, response) => {
    const asked = { method, path: url, query: new URLSearchParams(), headers, body };
    response.writeHead(receiver.answer(asked).status).end();
  }, pair);
  const secrets = new MountedSecrets().put('cmdb', { 'signing-key': signingKey });
  const authorities = authority.pair.certificate;
  const webhook = { url: server.url };
  const hooks = [
    { name: 'cmdb', events: ['Onboarded' as const], secret: 'cmdb', authorities, webhook },
  ];
  const platform = resolvePlatform({
    clusters: [{ name: 'eu' }],
    defaultClass: 'standard',
    operator: { hooks },
  });
  const fleet = new Fleet(platform);
  fleet.classes.add({ name: 'standard', spec: {} });
  return {
    receiver,
    /** Applies the objects of a tenant, as Argo CD does. */
    declare: async (name: string): Promise<void> => {
      for (const { objects } of fleet.desired({ name, spec: {} }).namespaces) {
        for (const object of objects) await admin.apply(object, { fieldManager: 'argocd' });
      }
    },
    /** Runs the operator during an action. */
    during: async (act: () => Promise<unknown>): Promise<void> => {
      const end = new AbortController();
      const manager = new Manager({
        client: clientOf(admin),
        log: jsonLog({ clock: systemClock, write: () => undefined }),
        controllers: [
          tenantController({ platform, cluster: 'eu', rolloutDeadline: 1 }),
          hookController({ platform, cluster: 'eu', credentials: secrets.folder }),
        ],
      });
      const ended = manager.run(end.signal);
      ended.catch(() => undefined);
      try {
        await act();
      } finally {
        end.abort(new Error('it is to stop'));
        await ended;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      secrets[Symbol.dispose]();
    },
  };
}

const deployment = {
  metadata: { name: 'tenantry-operator', namespace: 'tenantry-system' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'operator', image: 'registry.example.com/tenantry' }] },
    },
  },
};

test('after the documented backup and restore no hook is called again, and drift keeps the time at which it began', async () => {
  await using cluster = await given.newCluster();
  const { admin } = cluster;
  const client = clientOf(admin);
  for (const one of [tenant, tenantClass]) await serve(admin, crdManifest(one));
  await client.create(TenantClass, { metadata: { name: 'standard' }, spec: {} });
  await client.create(Namespace, { metadata: { name: 'tenantry-system' } });
  await client.create(Deployment, deployment);
  await using operator = await hookedOperator(cluster);
  const statusOf = async (name: string) => (await client.get(Tenant, { name })).status;
  const make = (name: string) => client.create(Tenant, { metadata: { name }, spec: {} });
  const isDelivered = async (name: string) =>
    (await statusOf(name))?.hooks?.some(({ state }) => state === 'Delivered');

  await operator.declare('acme');
  await make('acme');
  const quota = { name: 'tenant-quota', namespace: 'acme' };
  await operator.during(async () => {
    await until('the hook is called', () => isDelivered('acme'));
    await client.patch(ResourceQuota, quota, { spec: { hard: { 'count/jobs.batch': '7' } } });
    await until('the drift is reported', async () => (await statusOf('acme'))?.drift);
  });
  const before = (await statusOf('acme'))!;

  const folder = mkdtempSync(join(tmpdir(), 'tenantry-restore-'));
  try {
    const [backup, restore] = documented();
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfigFile('admin.json', admin) };
    const run = async (commands: string): Promise<string> => {
      const stdio = ['ignore', 'pipe', 'pipe'] as const;
      const ended = await untilEnd(
        spawn('sh', ['-ec', commands], { cwd: folder, env, stdio: [...stdio] }),
      );
      expect(ended).toMatchObject({ code: 0, err: '' });
      return ended.out;
    };
    await run(backup);
    await client.delete(Tenant, { name: 'acme' });
    await make('acme');
    expect(await statusOf('acme')).toBeUndefined();
    expect(await run(restore)).toContain('acme patched');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { drift, hooks } = before;
  expect(await statusOf('acme')).toMatchObject({ drift: drift!, hooks: hooks! });
  expect((await client.get(Deployment, deployment.metadata)).spec?.replicas).toBe(2);

  await operator.during(async () => {
    await until('the tenant is compared', async () =>
      findCondition((await statusOf('acme'))?.conditions, 'Ready'),
    );
    expect((await statusOf('acme'))?.drift).toEqual(drift);
    // Hooks are called once a tenant is ready; a later tenant is called after that.
    await client.patch(ResourceQuota, quota, {
      spec: { hard: { 'count/jobs.batch': null } },
    } as never);
    await operator.declare('acme');
    await until('the tenant is ready', async () => {
      const ready = findCondition((await statusOf('acme'))?.conditions, 'Ready');
      return ready?.status === 'True';
    });
    await operator.declare('bolt');
    await make('bolt');
    await until('a hook is called for another tenant', () => isDelivered('bolt'));
  });
  const subjects = [...operator.receiver.events.values()].map(({ subject }) => subject);
  expect(subjects).toEqual(['acme', 'bolt']);
  expect(operator.receiver.deliveries).toBe(2);
});
