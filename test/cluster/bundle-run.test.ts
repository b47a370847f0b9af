import { afterAll, beforeAll, expect } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderBundleFiles } from '@tenantry/olm/constructs/bundle/files';
import { readDefinitions } from '@tenantry/crd/manifests';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { redisOperator } from '../../examples/redis/operator.ts';
import { Redis } from '../../examples/redis/pods.ts';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '@tenantry/olm/live-cluster/kinds';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { ConfigMap, Namespace } from '@tenantry/runtime/kinds/core';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { commandLine, Project, type Ended } from '../cli/project.ts';
import { CTRL_C, Terminal, testOnTerminal } from '../cli/terminal.ts';
import { readSection } from '../docs/pages.ts';
import { Shell, shownCommands } from '../docs/shell.ts';
import { clientOf, closeClients } from '../examples/operator.ts';
import { serve } from './crds.ts';
import { CatalogOperatorDouble } from './olm/catalog-operator-double.ts';
import { testUnless } from '../skipping.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';

const given = await ownClusters();
/** OLM's own definitions, read from their folder. */
const definitions = process.env['TENANTRY_OLM_CRDS'];
const PAGE = 'docs/package-your-operator.md';
const lacking = given.reason ?? (definitions ? undefined : 'TENANTRY_OLM_CRDS names no folder');
const test = testUnless(lacking, given.test);
const onTerminal = testUnless(lacking, testOnTerminal);

const bundle = (folder: string, version: string, replaces?: string) =>
  renderBundleFiles({
    operator: { ...redisOperator, version },
    displayName: 'Redis',
    description: 'Runs Redis.',
    channels: ['candidate'],
    minKubeVersion: '1.30.0',
    provider: { name: 'Example' },
    ...(replaces !== undefined && { replaces }),
  }).map(({ path, text }): [string, string] => [`${folder}/${path}`, text]);

const shops = renderBundleFiles({
  operator: { name: 'shops', version: '1.0.0', image: 'quay.io/example/shops:1.0.0', access: [] },
  displayName: 'Shops',
  description: 'Runs shops.',
  channels: ['stable'],
  minKubeVersion: '1.30.0',
  provider: { name: 'Example' },
});

const folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-run-'));
const project = new Project(
  folder,
  Object.fromEntries([
    ...bundle('old', '0.1.0'),
    ...bundle('new', '0.2.0', 'redis-operator.v0.1.0'),
    ...bundle('stray', '0.3.0'),
    ...bundle('dist/olm/bundle/0.1.0', '0.1.0'),
    ...shops.map(({ path, text }): [string, string] => [`dist/olm/bundle/1.0.0/${path}`, text]),
  ]),
);

let cluster: Cluster | undefined;
let double: CatalogOperatorDouble | undefined;
let kubeconfig = '';
const end = new AbortController();
let ended: Promise<void> | undefined;

beforeAll(async () => {
  const binaries = (() => {
    try {
      return given.binaries;
    } catch {
      return undefined;
    }
  })();
  if (!binaries || !definitions) return;
  const parts = { controllerManager: true, scheduler: true, readyPods: true };
  cluster = await startCluster({ binaries, ...parts });
  kubeconfig = cluster.kubeconfigFile('admin');
  await admin().create(Namespace, { metadata: { name: 'caches' } });
});

afterAll(async () => {
  end.abort();
  await ended;
  closeClients();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => clientOf(cluster!.admin);
const at = (name: string) => ({ name, namespace: 'caches' });

async function run(words: string): Promise<Ended> {
  const ended = await project.tenantry(`bundle ${words} --namespace caches`, {
    KUBECONFIG: kubeconfig,
    NO_COLOR: '1',
  });
  if (ended.code === 2) throw new Error(ended.err);
  return ended;
}

/** Makes the API server serve these kinds of OLM. */
async function serveKinds(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    const path = join(definitions!, file);
    const [one] = readDefinitions(path, readFileSync(path, 'utf8')).definitions;
    await serve(cluster!.admin, one!.manifest as Parameters<typeof serve>[1]);
  }
}

test('flags that no cluster would accept are reported before the command contacts the cluster', async () => {
  for (const [flags, message] of [
    ['--image Quay', "--image must be an image such as 'quay.io/example/redis:v1.2.3' or "],
    ['--opm-image :v1', '--opm-image must be an image such as '],
    ['--pull-secret A', "--pull-secret must be the name of a Secret, got 'A'"],
    ['--namespace A', "--namespace must be a DNS label, got 'A'"],
  ] as const) {
    const { code, err } = await project.tenantry(`bundle run old ${flags}`);
    expect([flags, code]).toEqual([flags, 1]);
    expect(err).toContain(`error ${message}`);
  }
});

test('on a cluster without OLM the command reports that OLM is missing', async () => {
  expect(await run('run old')).toMatchObject({
    code: 1,
    err: 'error the cluster must have OLM v0, got no definition of Subscriptions: see tenantry olm status\n',
  });
  const plurals = ['catalogsources', 'clusterserviceversions', 'installplans', 'subscriptions'];
  const files = [...plurals, 'operatorgroups'].map((one) => `operators.coreos.com_${one}.yaml`);
  await serveKinds(...files);
  double = new CatalogOperatorDouble(admin());
  ended = double.run(end.signal);
});

test('an InstallPlan that also installs something else is not approved', async () => {
  double!.others = ['etcd.v1.0.0'];
  const { code, err } = await run('run old --timeout 120s');
  expect(code).toBe(1);
  expect(err).toContain(
    'error InstallPlan install-redis-operator-v0-1-0 installs etcd.v1.0.0, too: approve it yourself, or install those first\n',
  );
  expect(err).toContain('OperatorGroup caches/redis-operator: AllNamespaces\n');
  const plan = at('install-redis-operator-v0-1-0');
  expect((await admin().get(InstallPlan, plan)).spec.approved).toBe(false);
  double!.others = [];
  await admin().delete(InstallPlan, plan);
});

test('a bundle that fails is reported with the reason from OLM, and the command continues once the failure is fixed', async () => {
  double!.phase = 'Failed';
  const { code, err } = await run('run old --timeout 120s');
  expect(code).toBe(1);
  expect(err).toContain('redis-operator.v0.1.0 is Failed: InstallComponentFailed: no room\n');
  await double!.change(async () => {
    double!.phase = 'Succeeded';
    await admin().delete(ClusterServiceVersion, at('redis-operator.v0.1.0'));
  });
  expect(await run('run old --quiet --timeout 120s')).toEqual({ code: 0, out: '', err: '' });
  expect(await admin().list(Redis)).toBeDefined();
  const { metadata, spec } = await admin().get(Subscription, at('redis-operator'));
  expect(spec).toMatchObject({ installPlanApproval: 'Manual', channel: 'candidate' });
  expect(metadata.labels).toEqual({ 'tenantry.dev/bundle-run': 'redis-operator' });
});

test('a version that does not upgrade from the running one is refused', async () => {
  const stray = await run('run stray');
  expect(stray.err).toBe(
    'error redis-operator.v0.3.0 must lead from redis-operator.v0.1.0, which runs, by replaces, skips or olm.skipRange, got replaces: nothing\n',
  );
  const wrong = await run('run new --install-mode SingleNamespace=shop');
  expect(wrong.err).toMatch(
    /^error --install-mode must be one that the bundle supports \(.*\), got /,
  );
});

test('Ctrl-C stops a run where it is, and the same command continues it: the next version replaces the running one', async () => {
  double!.phase = 'Installing';
  const words = 'bundle run new --namespace caches --timeout 120s'.split(' ');
  const environment = { KUBECONFIG: kubeconfig, NO_COLOR: '1' };
  const begun = project.start(process.execPath, [commandLine, ...words], environment);
  let err = '';
  begun.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const left = once(begun, 'close');
  await until('it waits', () => err.includes('redis-operator.v0.2.0 is Installing'));
  begun.kill('SIGINT');
  expect(await left).toEqual([1, null]);
  expect(err).toMatch(
    /\nerror interrupted: finished steps are kept; run the same command to continue\n$/,
  );
  double!.phase = 'Succeeded';
  expect(await run('run new --timeout 120s')).toEqual({
    code: 0,
    out: 'redis-operator.v0.2.0 in caches: Succeeded\n',
    err: expect.any(String),
  });
  const served = await admin().list(Deployment, { namespace: 'caches' });
  expect(served.items).toHaveLength(1);
  const { spec } = await admin().get(CatalogSource, at('redis-operator-catalog'));
  expect(spec.address).toBe(`${served.items[0]!.metadata.name}.caches.svc:50051`);
});

test('olm status shows the state of OLM v0, and the reason of what is stuck', async () => {
  const status = await project.tenantry('olm status', { KUBECONFIG: kubeconfig, NO_COLOR: '1' });
  expect(status).toMatchObject({ code: 0, err: '' });
  expect(status.out).toMatch(/^OLM v0\nWHAT +STATE +OF\n/);
  expect(status.out).toMatch(/\nCatalogSource caches\/redis-operator-catalog +READY +redis-oper/);
  expect(status.out).toMatch(
    /\nClusterServiceVersion caches\/redis-operator\.v0\.2\.0 +Succeeded +0\.2\.0\n/,
  );
});

onTerminal('a cleanup waits for a confirmation, and only yes deletes anything', async () => {
  const words = 'bundle cleanup redis-operator --namespace caches'.split(' ');
  for (const [answer, message] of [
    ['no\n', 'error nothing was deleted'],
    ['\n', 'error nothing was deleted'],
    [CTRL_C, 'error nothing was deleted: the question has no answer'],
  ] as const) {
    const terminal = new Terminal(project, words, { KUBECONFIG: kubeconfig });
    await terminal.answer('to be deleted from ', '');
    await terminal.answer('  Subscription caches/redis-operator\n', '');
    await terminal.answer('[yes/no] ', answer);
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown.trimEnd().split('\n').at(-1)).toBe(message);
  }
  expect(await admin().get(Subscription, at('redis-operator'))).toBeDefined();
});

test('a cleanup deletes definitions and their objects only with --delete-crds', async () => {
  const sample = { metadata: at('sample'), spec: { port: 6379, num: 1 } };
  await admin().create(Redis, sample);
  const unasked = await run('cleanup redis-operator');
  expect(unasked.err).toContain('error --yes must be given where nobody can be asked');
  const refused = await run('cleanup redis-operator --delete-crds --yes');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(
    'error redises.myapp.demo.kubebuilder.io must have no objects, got 1 (caches/sample)',
  );
  expect(await admin().get(Subscription, at('redis-operator'))).toBeDefined();
  const gone = await run('cleanup redis-operator --yes');
  expect(gone).toMatchObject({ code: 0 });
  expect(gone.out).toMatch(/^Subscription caches\/redis-operator deleted\n/);
  expect(gone.err).toContain(
    'redises.myapp.demo.kubebuilder.io stays: it goes with --delete-crds\n',
  );
  for (const kind of [Subscription, CatalogSource, OperatorGroup, ClusterServiceVersion]) {
    expect((await admin().list(kind)).items).toEqual([]);
  }
  expect(await admin().get(Redis, at('sample')).catch(ifGone)).toBeDefined();
  const name = 'redises.myapp.demo.kubebuilder.io';
  expect(await admin().get(CustomResourceDefinition, { name })).toBeDefined();
  expect((await run('cleanup redis-operator --yes')).err).toContain(
    'error the package must be one that bundle run ran in caches, got nothing of redis-operator there\n',
  );
});

test('OLM pulls a pushed bundle with the given Secrets', async () => {
  const image = 'quay.io/example/redis-bundle:v0.1.0';
  // OLM would garbage-collect the InstallPlans with their Subscription; here the test deletes them.
  const plans = (await admin().list(InstallPlan)).items;
  await Promise.all(plans.map(({ metadata }) => admin().delete(InstallPlan, metadata)));
  const missing = await run(`run old --image ${image} --timeout 2s`);
  expect(missing.code).toBe(1);
  expect(missing.err).toContain(`unpack job not completed: cannot pull ${image}\n`);
  const manifests = bundle('', '0.1.0').filter(([path]) => path.startsWith('/manifests/'));
  double!.pushed.set(
    image,
    manifests.flatMap(([, text]) =>
      readDocuments(text).documents.map(({ value }) => value as object),
    ),
  );
  const done = await run(`run old --image ${image} --pull-secret registry --timeout 120s`);
  expect(done).toMatchObject({ code: 0, out: 'redis-operator.v0.1.0 in caches: Succeeded\n' });
  const { spec } = await admin().get(CatalogSource, at('redis-operator-catalog'));
  expect(spec.secrets).toEqual(['registry']);
  const [name = ''] = spec.address!.split('.');
  const served = await admin().get(Deployment, at(name));
  expect(served.spec?.template.spec?.imagePullSecrets).toEqual([{ name: 'registry' }]);
  const texts = (await admin().list(ConfigMap, { namespace: 'caches' })).items
    .filter(({ metadata }) => metadata.name.startsWith(name))
    .map(({ data }) => data?.['catalog.json'] ?? '')
    .filter((text) => text.includes('"olm.bundle"'));
  expect(texts.map((text) => text.includes('olm.bundle.object'))).toEqual([false]);
  expect(JSON.parse(texts[0]!)).toMatchObject({ image });
  expect(await run('cleanup redis-operator --yes')).toMatchObject({ code: 0 });
});

test('olm status also shows the state of OLM v1, and the reason of what it retries', async () => {
  await serveKinds(
    'olm.operatorframework.io_clustercatalogs.yaml',
    'olm.operatorframework.io_clusterextensions.yaml',
  );
  const lastTransitionTime = '2026-01-31T12:00:00Z';
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime,
  });
  const options = { subresource: 'status' } as const;
  const catalog = { name: 'operatorhubio' };
  const image = { ref: 'quay.io/operatorhubio/catalog:latest' };
  await admin().create(ClusterCatalog, {
    metadata: catalog,
    spec: { source: { type: 'Image', image } },
  });
  const serving = condition('Serving', 'True', 'Available', 'served');
  await admin().patch(ClusterCatalog, catalog, { status: { conditions: [serving] } }, options);
  for (const [name, ...conditions] of [
    ['new'],
    ['there', condition('Installed', 'True', 'Succeeded', 'installed')],
    [
      'stuck',
      condition('Installed', 'False', 'Failed', 'no bundle is installed'),
      condition('Progressing', 'True', 'Retrying', 'no bundles found for package "stuck"'),
    ],
  ] as const) {
    await admin().create(ClusterExtension, {
      metadata: { name },
      spec: {
        namespace: name,
        serviceAccount: { name: 'installer' },
        source: { sourceType: 'Catalog', catalog: { packageName: name } },
      },
    });
    await admin().patch(ClusterExtension, { name }, { status: { conditions } }, options);
  }
  const asked = { KUBECONFIG: kubeconfig, NO_COLOR: '1' };
  const { code, out } = await project.tenantry('olm status', asked);
  expect(code).toBe(0);
  expect(out).toMatch(/^OLM v0 and v1\n/);
  expect(out).toMatch(/\nClusterCatalog operatorhubio +Serving *\n/);
  expect(out).toMatch(/\nClusterExtension new +not looked at *\n/);
  expect(out).toMatch(/\nClusterExtension there +Installed *\n/);
  expect(out).toMatch(/\nClusterExtension stuck +Failed *\n/);
  const reasons = [
    'ClusterExtension stuck: Installed: no bundle is installed',
    'ClusterExtension stuck: Progressing: no bundles found for package "stuck"',
  ];
  expect(out.trimEnd().split('\n').slice(-2)).toEqual(reasons);
  const json = JSON.parse((await project.tenantry('olm status --output json', asked)).out) as {
    readonly versions: readonly string[];
    readonly standings: readonly { readonly what: string; readonly isFine: boolean }[];
  };
  expect(json.versions).toEqual(['v0', 'v1']);
  expect(json.standings.filter(({ isFine }) => isFine).map(({ what }) => what)).toEqual([
    'ClusterCatalog operatorhubio',
    'ClusterExtension there',
  ]);
});

test('the API server accepts the objects that the commands for OLM in docs/package-your-operator.md install', async () => {
  const shell = new Shell(project.folder);
  for (const { commands, place } of shownCommands(readSection(PAGE, 'Installing with OLM'))) {
    expect({ place, ...(await shell.run(commands)) }).toMatchObject({ place, code: 0 });
    for (const { value } of readDocuments(project.tree()['install.yaml']!).documents) {
      const object = value as Body;
      const { status, body } = await cluster!.admin.apply(object, {
        fieldManager: 'kubectl',
        fieldValidation: 'Strict',
      });
      const outcome = { place, kind: object.kind, message: status > 201 ? body.message : '' };
      expect(outcome).toEqual({ place, kind: object.kind, message: '' });
    }
  }
});

onTerminal(
  'the commands for bundles run by OLM in docs/package-your-operator.md work as documented',
  async () => {
    await admin().create(Namespace, { metadata: { name: 'shops' } });
    const [running, cleanup, status] = shownCommands(readSection(PAGE, 'Install without Argo CD'))
      .map(({ commands }) => commands)
      .filter((commands) => /^tenantry (?:bundle|olm) /.test(commands));
    const shell = new Shell(project.folder);
    const environment = { KUBECONFIG: kubeconfig };
    const ran = await shell.run(running!, environment);
    expect(ran).toMatchObject({ code: 0, out: 'shops.v1.0.0 in shops: Succeeded\n' });
    const olmStatus = await shell.run(status!, environment);
    expect(olmStatus.out).toMatch(/\nClusterServiceVersion shops\/shops\.v1\.0\.0 +Succeeded/);
    const terminal = new Terminal(project, cleanup!.trim().split(' ').slice(1), environment);
    await terminal.answer('[yes/no] ', 'yes\n');
    expect(await terminal.ended).toBe(0);
    expect((await admin().list(Subscription, { namespace: 'shops' })).items).toEqual([]);
  },
);
