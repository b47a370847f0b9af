import { afterAll, beforeAll, expect } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestsOf } from '../../examples/redis/manifests.ts';
import { NAME, Redis } from '../../examples/redis/pods.ts';
import { redisController } from '../../examples/redis/controller.ts';
import { DEPLOYED, MANAGER } from '@tenantry/operator-kit/install/objects/ownership';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { surveyObjects } from '@tenantry/operator-kit/install/removal/survey';
import { planRemoval } from '@tenantry/operator-kit/install/removal/plan';
import { remove } from '@tenantry/operator-kit/install/removal/remove';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { ConfigMap, Namespace, ResourceQuota, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { ClusterRole } from '@tenantry/runtime/kinds/rbac';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { commandLine, importTenantry, Project, type Ended } from '../cli/project.ts';
import { clientOf, closeClients, runAs } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';

const given = await ownClusters();
const { test } = given;

const image = `registry.example.com/${NAME}:1.0.0`;
const definition = { name: 'redises.myapp.demo.kubebuilder.io' };
const own = { name: NAME, namespace: NAME };
const folder = mkdtempSync(join(tmpdir(), 'tenantry-deploy-'));
const project = new Project(folder, {
  'dist/redis.yaml': emitYaml(manifestsOf(image)),
  'sample.yaml': emitYaml([
    {
      apiVersion: 'myapp.demo.kubebuilder.io/v1',
      kind: 'Redis',
      metadata: { name: 'sample', namespace: 'default' },
      spec: { port: 6379, num: 1 },
    },
  ]),
});

let cluster: Cluster | undefined;
let kubeconfig = '';
beforeAll(async () => {
  // Without control plane binaries every test is skipped, with the reason.
  const binaries = (() => {
    try {
      return given.binaries;
    } catch {
      return undefined;
    }
  })();
  if (!binaries) return;
  const parts = { controllerManager: true, scheduler: true, readyPods: true };
  cluster = await startCluster({ binaries, ...parts });
  kubeconfig = cluster.kubeconfigFile('admin');
});

afterAll(async () => {
  closeClients();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => clientOf(cluster!.admin);

/** Runs the command line against the cluster. */
async function run(words: string): Promise<Ended> {
  const ended = await project.tenantry(words, { KUBECONFIG: kubeconfig, NO_COLOR: '1' });
  if (ended.code === 2) throw new Error(ended.err);
  return ended;
}

async function dropNamespace(): Promise<void> {
  await admin().delete(Namespace, { name: NAME });
  await until('the namespace is gone', async () => {
    return (await admin().get(Namespace, { name: NAME }).catch(ifGone)) === undefined;
  });
}

test('definitions alone can be installed twice, are served, and can be uninstalled', async () => {
  const first = await run('operator install dist --crds-only');
  expect(first).toMatchObject({
    code: 0,
    out: `CustomResourceDefinition ${definition.name} created\n1 object: 1 created, 0 changed\n`,
  });
  expect((await admin().list(Redis)).items).toEqual([]);
  expect((await run('operator install dist --crds-only')).out).toBe(
    `CustomResourceDefinition ${definition.name} unchanged\n1 object: 0 created, 0 changed\n`,
  );
  const { metadata } = await admin().get(CustomResourceDefinition, definition);
  expect(metadata.annotations).toMatchObject({ [DEPLOYED]: 'true' });
  expect(metadata.managedFields?.map(({ manager }) => manager)).toContain(MANAGER);

  const unasked = await run('operator uninstall dist --crds-only');
  expect(unasked.code).toBe(1);
  expect(unasked.err).toContain(`  CustomResourceDefinition ${definition.name} with no objects\n`);
  expect(unasked.err).toContain('error --yes must be given where nobody can be asked');
  expect(await admin().get(CustomResourceDefinition, definition)).toBeDefined();

  expect(await run('operator uninstall dist --crds-only --yes --quiet')).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  expect(await admin().get(CustomResourceDefinition, definition).catch(ifGone)).toBeUndefined();
});

test('an operator is deployed until it is available, works, and is undeployed completely with its objects', async () => {
  const deployed = await run('operator install dist');
  expect(deployed).toEqual({ code: 0, out: expect.anything(), err: expect.anything() });
  expect(deployed.out).toMatch(/^Namespace redis-operator created\nCustomResourceDefinition /);
  expect(deployed.out).toMatch(/\n(\d+) objects: \1 created, 0 changed\n$/);
  const { status } = await admin().get(Deployment, own);
  expect(status?.availableReplicas).toBe(2);

  const operator = runAs(cluster!.admin, redisController);
  try {
    expect((await run('operator install sample.yaml')).out).toContain(
      'Redis default/sample created',
    );
    const sample = { name: 'sample', namespace: 'default' };
    await until('the operator has reconciled the object', async () => {
      const { metadata } = await admin().get(Redis, sample);
      return metadata.finalizers?.length === 1;
    });

    const refused = await run('operator uninstall dist --yes');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      `error ${definition.name} must have no objects, got 1 (default/sample), which would be deleted with it: give --delete-objects to delete them (removal)\n`,
    );
    expect(refused.err).toContain('1 problem; nothing was deleted\n');
    expect(await admin().get(Redis, sample)).toBeDefined();

    const note = { metadata: { name: 'notes', namespace: NAME }, data: { by: 'somebody' } };
    await admin().create(ConfigMap, note, { fieldManager: 'somebody' });
    const held = await run('operator uninstall dist --delete-objects --yes');
    expect(held.code).toBe(1);
    expect(held.err).toContain(
      `error Namespace ${NAME} must hold nothing of others, got 1 (ConfigMap notes), which would be deleted with it: move them, or give --keep-namespaces (removal)\n`,
    );
    expect(await admin().get(Deployment, own)).toBeDefined();
    await admin().delete(ConfigMap, note.metadata);

    const gone = await run('operator uninstall dist --delete-objects --yes');
    expect(gone).toMatchObject({ code: 0 });
    expect(gone.err).toContain(`${definition.name} with all of its 1 objects\n`);
    const order = gone.out.split('\n').map((line) => line.split(' ')[0]);
    expect(order.indexOf('Redis')).toBeLessThan(order.indexOf('Deployment'));
    expect(order.indexOf('Deployment')).toBeLessThan(order.indexOf('ClusterRole'));
    expect(order.at(-3)).toBe('Namespace');
    expect(await admin().get(Namespace, { name: NAME }).catch(ifGone)).toBeUndefined();
    expect(await admin().get(ClusterRole, { name: NAME }).catch(ifGone)).toBeUndefined();
  } finally {
    await operator.stop();
  }
});

test('uninstall keeps what existed before and what others apply, and install takes over fields of others only with --force', async () => {
  await admin().create(Namespace, { metadata: { name: NAME } }, { fieldManager: 'somebody' });
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount' as const,
    metadata: { name: 'other', namespace: NAME, labels: { team: 'shops' } },
  };
  await admin().apply(ServiceAccount, account, { fieldManager: 'argocd-controller' });
  project.write({
    'few/objects.yaml': emitYaml([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAME, labels: { own: 'yes' } } },
      { ...account, metadata: { ...account.metadata, labels: { team: 'bank' } } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: NAME } },
    ]),
  });
  const conflict = await run('operator install few');
  expect(conflict.code).toBe(1);
  expect(conflict.err).toMatch(
    /error ServiceAccount redis-operator\/other must have no other field manager: \.metadata\.labels\.team \(conflict with "argocd-controller"\); --force takes them over \(deploy\)\n/,
  );
  expect(conflict.out).toContain(
    `Namespace ${NAME} changed; it was there before, and uninstall leaves it\n`,
  );
  expect((await run('operator install few --force')).code).toBe(0);
  const { code, out, err } = await run('operator uninstall few --yes');
  expect({ code, out }).toEqual({
    code: 0,
    out: `ConfigMap ${NAME}/own deleted\n1 object deleted, 2 left\n`,
  });
  expect(err).toContain(`Namespace ${NAME} stays: it was there before it was deployed\n`);
  expect(err).toContain(`ServiceAccount ${NAME}/other stays: `);
  expect(await admin().get(Namespace, { name: NAME })).toBeDefined();
  await dropNamespace();
});

test('an object that is created during uninstall keeps its definition or namespace from deletion', async () => {
  const late = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'late' } };
  project.write({ 'late.yaml': emitYaml([late]) });
  expect((await run('operator install dist --crds-only')).code).toBe(0);
  expect((await run('operator install late.yaml')).code).toBe(0);
  const client = admin();
  const namespace = { kind: Namespace, name: { name: 'late' } };
  const kind = { kind: CustomResourceDefinition, name: definition };
  const options = {
    client,
    clock: systemClock,
    deadline: Infinity,
    signal: new AbortController().signal,
    report: () => undefined,
  };
  const removals = [
    planRemoval(await surveyObjects(client, [namespace])),
    planRemoval(await surveyObjects(client, [kind])),
  ];
  expect(removals.map(({ going, refusals }) => [going.length, refusals])).toEqual([
    [1, []],
    [1, []],
  ]);
  await client.create(ConfigMap, { metadata: { name: 'notes', namespace: 'late' } });
  await client.create(Redis, { metadata: { name: 'new', namespace: 'default' } });
  for (const removal of removals) {
    const ended = await remove(removal, options);
    expect(ended).toMatchObject({ removed: [], problems: [{ rule: 'removal' }] });
  }
  const live = [
    await client.get(Namespace, namespace.name),
    await client.get(CustomResourceDefinition, definition),
  ];
  expect(live.map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined]);
  await client.delete(Redis, { name: 'new', namespace: 'default' });
  await client.delete(ConfigMap, { name: 'notes', namespace: 'late' });
  expect((await run('operator uninstall late.yaml dist --yes')).code).toBe(0);
});

test('install reports why pods are refused, and continues from there once the cause is fixed', async () => {
  const name = { name: 'full', namespace: NAME };
  await admin().create(Namespace, { metadata: { name: NAME } });
  await admin().create(ResourceQuota, { metadata: name, spec: { hard: { pods: '0' } } });
  const late = await run('operator install dist --timeout 4s --output json');
  expect(late.code).toBe(1);
  const report = JSON.parse(late.out) as { outcome: string; problems: { message: string }[] };
  expect(report.outcome).toBe('refused');
  expect(report.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Deployment redis-operator\/redis-operator must be ready in time: .*0 of 2 available; no pod can be made: .*exceeded quota: full/,
    ),
  ]);
  expect(late.err).toContain('waiting: Deployment redis-operator/redis-operator to be available');
  await admin().delete(ResourceQuota, name);
  // The Deployment controller retries after a while; a change of the Deployment makes it retry at once.
  await admin().patch(Deployment, own, {
    spec: { template: { metadata: { annotations: { again: 'yes' } } } },
  });
  const again = await run('operator install dist');
  expect(again).toMatchObject({ code: 0 });
  expect(again.out).toMatch(/: 0 created, \d changed\n$/);
  const kept = await run('operator uninstall dist --yes --keep-crds');
  expect(kept).toMatchObject({ code: 0 });
  expect(kept.err).toContain(`${definition.name} stays: it is to be kept\n`);
  expect(await admin().get(CustomResourceDefinition, definition)).toBeDefined();
  await dropNamespace();
});

test('an install and an uninstall that were killed halfway continue where they stopped', async () => {
  const environment = { KUBECONFIG: kubeconfig };
  const flags = ['--quiet', '--delete-objects', '--yes'];
  const killed = async (words: readonly string[], at: () => Promise<boolean>): Promise<void> => {
    const child = project.start(process.execPath, [commandLine, 'operator', ...words], environment);
    const ended = once(child, 'close');
    await until('it is halfway', at);
    child.kill('SIGINT');
    await ended;
  };
  const isThere = async (named: Promise<unknown>): Promise<boolean> =>
    (await named.catch(ifGone)) !== undefined;
  const account = () => isThere(admin().get(ServiceAccount, own));
  await killed(['install', 'dist'], account);
  expect((await run('operator install dist')).code).toBe(0);
  const gone = async () => !(await isThere(admin().get(Deployment, own)));
  await killed(['uninstall', 'dist', ...flags], gone);
  const ended = await run(`operator uninstall dist ${flags.join(' ')}`);
  expect(ended).toEqual({ code: 0, out: '', err: expect.not.stringContaining('error') });
  expect(await isThere(admin().get(Namespace, { name: NAME }))).toBe(false);
  expect(await isThere(admin().get(CustomResourceDefinition, definition))).toBe(false);
});

const program = `${importTenantry('connectionFrom, core, openClient, rbac', '@tenantry/runtime')}
const client = openClient(await connectionFrom());
const tell = async (what, asked) =>
  console.log(what, await asked.then(() => 'may', ({ status }) => status));
await tell('pods', client.list(core.Pod));
await tell('roles', client.list(rbac.ClusterRole));
const alive = setInterval(() => undefined, 1000);
process.once('SIGINT', () => {
  console.log('stopped');
  clearInterval(alive);
  client.close();
});
console.log(process.argv.slice(2).join(' '));
`;

test('a program runs on this machine with the rights that its manifests declare, and ends with Ctrl-C', async () => {
  project.write({ 'main.mts': program });
  const flags = ['--manifests', 'dist', '--install', '--restricted', '--', '--fast'];
  const words = [commandLine, 'operator', 'dev', 'main.mts', ...flags];
  const child = project.start(process.execPath, words, { KUBECONFIG: kubeconfig });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text));
  const ended = once(child, 'close');
  await until('it runs', () => output.out.includes('--fast'));
  expect(output).toMatchObject({
    out: 'pods may\nroles 403\n--fast\n',
    err: expect.stringContaining(`runs as ServiceAccount ${NAME}/${NAME}, with its rights alone`),
  });
  child.kill('SIGINT');
  expect((await ended)[0]).toBe(0);
  expect(output.out).toMatch(/stopped\n$/);
  expect((await admin().list(Redis)).items).toEqual([]);
  expect(await admin().get(Deployment, own).catch(ifGone)).toBeUndefined();
  expect((await run('operator uninstall dist --yes')).code).toBe(0);
});
