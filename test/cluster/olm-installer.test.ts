import { afterAll, expect } from '@jest/globals';
import { bundleFiles } from '../../constructs/olm/bundle/files.ts';
import type { BundleProps } from '../../constructs/olm/bundle/props.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { parseBundle } from '../../olm/bundle/parse.ts';
import { packageOf } from '../../olm/install/bundlenames.ts';
import { extended } from '../../olm/install/extended.ts';
import { installedObjects } from '../../olm/install/installedobjects.ts';
import { installedResource } from '../../olm/install/resources.ts';
import type { Client } from '../../testing/controlplane/client.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { until } from '../../testing/waiting/until.ts';
import { props } from '../constructs/olm/operators.ts';
import { bundleOf, spec } from '../olm/install/given.ts';
import { ownClusters } from '../testing/controlplane/shared.ts';
import { isAllowed } from './accounts.ts';

const given = await ownClusters();
const { test } = given;
const borrowed = given.newCluster().catch(() => undefined);
const cluster = (): Promise<NonNullable<Awaited<typeof borrowed>>> =>
  borrowed.then((found) => found ?? Promise.reject(new Error('no cluster')));
afterAll(async () => (await borrowed)?.[Symbol.asyncDispose]());

/** The bundle that a construct makes. */
function madeOf(said: BundleProps): Bundle {
  const encoder = new TextEncoder();
  const files = bundleFiles(said).map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
  return parseBundle({ files });
}

type Reply = Awaited<ReturnType<Client['get']>>;

const name = (bundle: Bundle): string => packageOf(bundle);

/** An account that may install a bundle, once the API server knows of its roles. */
async function installerOf(bundle: Bundle, older: readonly Bundle[] = []): Promise<Client> {
  const { admin } = await cluster();
  const one = name(bundle);
  const { objects, findings } = extended(bundle, { name: one, namespace: one }, older);
  expect(findings).toEqual([]);
  for (const object of objects.filter(({ kind }) => kind !== 'ClusterExtension')) {
    const { status, body } = await admin.create(object as Body);
    if (status !== 201) throw new Error(body.message);
  }
  const account = `${one}-installer`;
  const user = `system:serviceaccount:${one}:${account}`;
  const asked = [
    { group: 'apps', resource: 'deployments', verb: 'create', namespace: one },
    { group: 'apps', resource: 'deployments', verb: 'list' },
    { group: '', resource: 'namespaces', verb: 'list' },
  ] as const;
  await until(`the roles of ${user} are known`, async () => {
    const whole = await cluster();
    const answers = asked.map((request) => isAllowed(whole, user, request));
    return (await Promise.all(answers)).every(Boolean);
  });
  return (await cluster()).serviceAccount(one, account);
}

const done = ({ status, body }: Reply): string => (status < 300 ? '' : String(body.message));

const reference = ({ apiVersion, kind, metadata: { name, namespace } }: KubeObject) => ({
  apiVersion,
  kind,
  name,
  namespace,
});

/** What OLM v1 does with an object while it is installed; what it was refused, by verb. */
async function install(installer: Client, object: KubeObject): Promise<string[]> {
  const at = reference(object);
  const made = await installer.create(object as Body);
  const all = await installer.list({ ...at, namespace: undefined });
  let read = await installer.get(at);
  // The API server itself writes to a new definition.
  const written = await until(`${at.kind} ${at.name} is replaced`, async () => {
    read = await installer.get(at);
    const { resourceVersion = '' } = read.body.metadata ?? {};
    const metadata = { ...object.metadata, resourceVersion };
    const reply = await installer.replace({ ...(object as Body), metadata });
    return reply.status === 409 ? undefined : reply;
  });
  const patched = await installer.patch(at, { metadata: { labels: { 'olm.example.com': 'x' } } });
  const applied = await installer.apply(object as Body, { fieldManager: 'olm', force: true });
  return [made, read, all, written, patched, applied].map(done).filter(Boolean);
}

async function remove(installer: Client, objects: readonly KubeObject[]): Promise<string[]> {
  const refused: string[] = [];
  for (const object of objects.toReversed()) {
    refused.push(done(await installer.delete(reference(object))));
  }
  return refused.filter(Boolean);
}

/** One thing beside each that is allowed: another name, another namespace; and what was allowed of it. */
async function beside(installer: Client, object: KubeObject): Promise<string[]> {
  const at = reference(object);
  const other = { ...at, name: `${at.name}-2` };
  const asked: [string, Reply][] = [
    ['get', await installer.get(other)],
    ['patch', await installer.patch(other, {})],
    ['delete', await installer.delete(other)],
  ];
  if (at.namespace !== undefined) {
    const elsewhere = { ...object, metadata: { ...object.metadata, namespace: 'default' } };
    asked.push(
      ['create elsewhere', await installer.create(elsewhere as Body)],
      ['get elsewhere', await installer.get({ ...at, namespace: 'default' })],
    );
  }
  return asked
    .filter(([, { status }]) => status !== 403)
    .map(([what, { status }]) => `${what} ${at.kind} ${at.name}: ${status}`);
}

const plain: BundleProps = {
  ...props,
  operator: { ...props.operator, watch: { mode: 'AllNamespaces' }, network: false },
};

for (const [what, bundle] of [
  ['that a construct makes', madeOf(plain)],
  [
    'with roles and bindings of its own',
    bundleOf(
      { ...spec, version: '3.0.0' },
      undefined,
      // Its own package, and so its own namespace.
      {
        'metadata/annotations.yaml':
          'annotations: { operators.operatorframework.io.bundle.package.v1: redis-roles }\n',
      },
    ),
  ],
] as const) {
  test(`an account installs and removes a bundle ${what}, and can do nothing beside`, async () => {
    const installer = await installerOf(bundle);
    const objects = installedObjects(bundle, name(bundle));
    expect(objects.length).toBeGreaterThan(5);
    for (const object of objects) expect(await install(installer, object)).toEqual([]);
    const { apiVersion, kind } = { apiVersion: 'apps/v1', kind: 'DaemonSet' };
    const strangers = [
      await installer.list({ apiVersion, kind, namespace: name(bundle) }),
      await installer.list({ apiVersion: 'v1', kind: 'Secret' }),
      await installer.delete({ apiVersion: 'v1', kind: 'Namespace', name: name(bundle) }),
    ];
    expect(strangers.map(({ status }) => status)).toEqual([403, 403, 403]);
    for (const object of objects) expect(await beside(installer, object)).toEqual([]);
    expect(await remove(installer, objects)).toEqual([]);
  });
}

test('an account gives itself no right that the bundle does not have', async () => {
  const bundle = bundleOf({ ...spec, version: '4.0.0' }, [], {
    'metadata/annotations.yaml':
      'annotations: { operators.operatorframework.io.bundle.package.v1: redis-greedy }\n',
  });
  const installer = await installerOf(bundle);
  const RBAC = 'rbac.authorization.k8s.io';
  const role = (rules: object[]): Body => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'greedy' },
    rules,
  });
  const more = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const bound = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'greedy' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'User', apiGroup: RBAC, name: 'mallory' }],
  };
  const replies = [await installer.create(role(more)), await installer.create(bound)];
  expect(replies.map(({ status }) => status)).toEqual([403, 403]);
  // What the operator may do, it may hand on, under whatever name: RBAC holds no `create` to names.
  const held = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  expect((await installer.create(role(held))).status).toBe(201);
  expect((await installer.delete({ ...reference(role(held) as KubeObject) })).status).toBe(403);
});

test('an account comes from an older bundle to a newer one, and removes what is left', async () => {
  const files = {
    'metadata/annotations.yaml':
      'annotations: { operators.operatorframework.io.bundle.package.v1: redis-moved }\n',
  };
  const config = (called: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: called },
  });
  const older = bundleOf({ ...spec, version: '1.0.0' }, [config('old')], files);
  const bundle = bundleOf({ ...spec, version: '2.0.0' }, [config('new')], files);
  const installer = await installerOf(bundle, [older]);
  const { admin } = await cluster();
  const [before, after] = [older, bundle].map((one) => installedObjects(one, name(one)));
  for (const object of before!) {
    // Until the definition of the test before is gone.
    await until(
      `${object.kind} is made`,
      async () => done(await admin.create(object as Body)) === '',
    );
  }
  const ids = new Set(after!.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  const left = before!.filter(({ kind, metadata }) => !ids.has(`${kind} ${metadata.name}`));
  expect(left.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ClusterRole', 'ClusterRoleBinding', 'ConfigMap']),
  );
  for (const object of after!) {
    const { status, body } = await installer.apply(object as Body, {
      fieldManager: 'olm',
      force: true,
    });
    expect([status < 300, body.message]).toEqual([true, undefined]);
  }
  expect(await remove(installer, left)).toEqual([]);
  const again = left.find(({ kind }) => kind === 'ClusterRole')!;
  const greedy = { ...again, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  expect((await installer.create(greedy as Body)).status).toBe(403);
});

test('the plurals and scopes of what is installed are those of the API server', async () => {
  const { admin } = await cluster();
  const objects = installedObjects(bundleOf(), 'default');
  for (const { apiVersion, kind } of objects) {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { body } = await admin.request({ method: 'GET', path });
    const resources = body['resources'] as { kind: string; name: string; namespaced: boolean }[];
    const found = resources.find((one) => one.kind === kind && !one.name.includes('/'));
    expect(installedResource(apiVersion, kind)).toMatchObject({
      resource: found?.name,
      isNamespaced: found?.namespaced,
    });
  }
});
