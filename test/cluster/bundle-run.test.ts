import { afterAll, beforeAll, expect, test as skipped } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFiles } from '../../constructs/olm/bundle/files.ts';
import { readDefinitions } from '../../crds/manifests.ts';
import { redisOperator } from '../../examples/redis/operator.ts';
import { Redis } from '../../examples/redis/pods.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  Subscription,
} from '../../install/olm/kinds.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { CustomResourceDefinition } from '../../runtime/kinds/apiextensions.ts';
import { Deployment } from '../../runtime/kinds/apps.ts';
import { Namespace } from '../../runtime/kinds/core.ts';
import { startCluster, type Cluster } from '../../testing/controlplane/cluster.ts';
import { Project, type Ended } from '../cli/project.ts';
import { clientOf, closeClients } from '../examples/operator.ts';
import { serve } from './crds.ts';
import { CatalogOperatorDouble } from './olm/catalogoperatordouble.ts';
import { ownClusters } from '../testing/controlplane/shared.ts';

const given = await ownClusters();
/** OLM's own definitions, read in place. */
const definitions = process.env['TENANTRY_OLM_CRDS'];
const test: typeof given.test = definitions
  ? given.test
  : (sentence, run) =>
      skipped.skip(`${sentence} [skipped: TENANTRY_OLM_CRDS names no folder]`, run);

const bundle = (folder: string, version: string, replaces?: string) =>
  bundleFiles({
    operator: { ...redisOperator, version },
    displayName: 'Redis',
    description: 'Runs Redis.',
    channels: ['candidate'],
    minKubeVersion: '1.30.0',
    provider: { name: 'Example' },
    ...(replaces !== undefined && { replaces }),
  }).map(({ path, text }): [string, string] => [`${folder}/${path}`, text]);

const folder = mkdtempSync(join(tmpdir(), 'tenantry-bundle-run-'));
const project = new Project(
  folder,
  Object.fromEntries([
    ...bundle('old', '0.1.0'),
    ...bundle('new', '0.2.0', 'redis-operator.v0.1.0'),
    ...bundle('stray', '0.3.0'),
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
}, 120_000);

afterAll(async () => {
  end.abort();
  await ended;
  closeClients();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

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

test('where there is no OLM it says so', async () => {
  expect(await run('run old')).toMatchObject({
    code: 1,
    err: 'error the cluster must have OLM v0, got no definition of Subscriptions: see tenantry olm status\n',
  });
  const plurals = ['catalogsources', 'clusterserviceversions', 'installplans', 'subscriptions'];
  for (const plural of [...plurals, 'operatorgroups']) {
    const path = join(definitions!, `operators.coreos.com_${plural}.yaml`);
    const [one] = readDefinitions(path, readFileSync(path, 'utf8')).definitions;
    await serve(cluster!.admin, one!.manifest as Parameters<typeof serve>[1]);
  }
  double = new CatalogOperatorDouble(admin());
  ended = double.run(end.signal);
}, 60_000);

test('an InstallPlan that installs something else, too, is not approved', async () => {
  double!.others = ['etcd.v1.0.0'];
  const { code, err } = await run('run old --timeout 30s');
  expect(code).toBe(1);
  expect(err).toContain(
    'error InstallPlan install-redis-operator-v0-1-0 installs etcd.v1.0.0, too: approve it yourself, or install those first\n',
  );
  expect(err).toContain('OperatorGroup caches/redis-operator: AllNamespaces\n');
  const plan = at('install-redis-operator-v0-1-0');
  expect((await admin().get(InstallPlan, plan)).spec.approved).toBe(false);
  double!.others = [];
  await admin().delete(InstallPlan, plan);
}, 60_000);

test('a bundle that fails is told with the reason of OLM, and goes on when that is mended', async () => {
  double!.phase = 'Failed';
  const { code, err } = await run('run old --timeout 30s');
  expect(code).toBe(1);
  expect(err).toContain('redis-operator.v0.1.0 is Failed: InstallComponentFailed: no room\n');
  double!.phase = 'Succeeded';
  await admin().delete(ClusterServiceVersion, at('redis-operator.v0.1.0'));
  expect(await run('run old --quiet --timeout 30s')).toEqual({ code: 0, out: '', err: '' });
  expect(await admin().list(Redis)).toBeDefined();
  const { metadata, spec } = await admin().get(Subscription, at('redis-operator'));
  expect(spec).toMatchObject({ installPlanApproval: 'Manual', channel: 'candidate' });
  expect(metadata.labels).toEqual({ 'tenantry.dev/bundle-run': 'redis-operator' });
}, 60_000);

test('the next version takes its place, and one that leads from elsewhere does not', async () => {
  const stray = await run('run stray');
  expect(stray.err).toBe(
    'error redis-operator.v0.3.0 must lead from redis-operator.v0.1.0, which runs, by replaces, skips or olm.skipRange, got replaces: nothing\n',
  );
  const wrong = await run('run new --install-mode SingleNamespace=shop');
  expect(wrong.err).toMatch(
    /^error --install-mode must be one that the bundle supports \(.*\), got /,
  );
  expect((await run('run new --timeout 30s')).out).toBe(
    'redis-operator.v0.2.0 in caches: Succeeded\n',
  );
  const served = await admin().list(Deployment, { namespace: 'caches' });
  expect(served.items).toHaveLength(1);
  const { spec } = await admin().get(CatalogSource, at('redis-operator-catalog'));
  expect(spec.address).toBe(`${served.items[0]!.metadata.name}.caches.svc:50051`);
}, 60_000);

test('how OLM stands is told, and what hangs with its reason', async () => {
  const status = await project.tenantry('olm status', { KUBECONFIG: kubeconfig, NO_COLOR: '1' });
  expect(status).toMatchObject({ code: 0, err: '' });
  expect(status.out).toMatch(/^OLM v0\nWHAT +STATE +OF\n/);
  expect(status.out).toMatch(/\nCatalogSource caches\/redis-operator-catalog +READY +redis-oper/);
  expect(status.out).toMatch(
    /\nClusterServiceVersion caches\/redis-operator\.v0\.2\.0 +Succeeded +0\.2\.0\n/,
  );
}, 60_000);

test('it is cleaned up, and definitions and their objects only with leave', async () => {
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
}, 60_000);
