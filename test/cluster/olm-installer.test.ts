import { Chart } from 'cdk8s';
import { afterAll, expect, test as plainTest } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bundle as BundleConstruct } from '@tenantry/olm/constructs/bundle';
import { BundleInstallation } from '@tenantry/olm/constructs/installation';
import {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  OperatorCondition,
  OperatorGroup,
  Subscription,
} from '@tenantry/olm/constructs/objects';
import { renderBundleFiles } from '@tenantry/olm/constructs/bundle/files';
import type { BundleProps } from '@tenantry/olm/constructs/bundle/props';
import { readDefinitions } from '@tenantry/crd/manifests';
import type { Verb } from '@tenantry/kube/access';
import type { KubeObject } from '@tenantry/kube/object';
import type { Bundle } from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { parseBundle } from '@tenantry/olm/bundle/parse';
import { readPackageName } from '@tenantry/olm/install-objects/install-target';
import { buildExtensionObjects } from '@tenantry/olm/install-objects/extension-objects';
import {
  buildInstalledObjects,
  installedResource,
} from '@tenantry/olm/install-objects/installed-objects';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { App } from '../../synth/app.ts';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../../scripts/steps.ts';
import { props } from '@tenantry/olm/test/constructs/operators';
import { bundleOf, spec } from '@tenantry/olm/test/install-objects/given';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { isAllowed } from './accounts.ts';

const given = await ownClusters();
const { test } = given;
const borrowed = given.newCluster().catch(() => undefined);
const cluster = (): Promise<NonNullable<Awaited<typeof borrowed>>> =>
  borrowed.then((found) => found ?? Promise.reject(new Error('no cluster')));
afterAll(async () => (await borrowed)?.[Symbol.asyncDispose]());

/** Builds the bundle of a construct. */
function madeOf(bundleProps: BundleProps): Bundle {
  const encoder = new TextEncoder();
  const files = renderBundleFiles(bundleProps).map(({ path, text }) => ({
    path,
    bytes: encoder.encode(text),
  }));
  return parseBundle({ files });
}

type Reply = Awaited<ReturnType<Client['get']>>;

const name = (bundle: Bundle): string => readPackageName(bundle);

/** Returns an account that may install a bundle, once the API server knows its roles. */
async function installerOf(bundle: Bundle, older: readonly Bundle[] = []): Promise<Client> {
  const { admin } = await cluster();
  const one = name(bundle);
  const { objects, findings } = buildExtensionObjects(bundle, { name: one, namespace: one }, older);
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

/** Repeats a request while the API server prepares the storage of a new kind, which it answers with 429. */
function untilPrepared(send: () => Promise<Reply>): Promise<Reply> {
  return until('the storage of the kind is prepared', async () => {
    const reply = await send();
    return reply.status !== 429 && reply;
  });
}

/** Does with an object what OLM v1 does to install it. Returns the messages of the refused requests. */
async function install(installer: Client, object: KubeObject): Promise<string[]> {
  const at = reference(object);
  const made = await until(`the kind ${at.kind} is known`, async () => {
    const reply = await untilPrepared(() => installer.create(object as Body));
    return reply.status === 404 ? undefined : reply;
  });
  const all = await untilPrepared(() => installer.list({ ...at, namespace: undefined }));
  let read = await untilPrepared(() => installer.get(at));
  // The API server itself writes to a new definition.
  const written = await until(`${at.kind} ${at.name} is replaced`, async () => {
    read = await installer.get(at);
    const { resourceVersion = '' } = read.body.metadata ?? {};
    const metadata = { ...object.metadata, resourceVersion };
    const reply = await installer.replace({ ...(object as Body), metadata });
    return [409, 429].includes(reply.status) ? undefined : reply;
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

/**
 * Tries a request next to each allowed one: another name, another namespace. Returns those that were allowed, except
 * for rights of the operator: RBAC requires that the installer has all rights that it grants.
 */
async function beside(installer: Client, object: KubeObject, operator: string): Promise<string[]> {
  const at = reference(object);
  const other = { ...at, name: `${at.name}-2` };
  const elsewhere = { ...at, namespace: 'default' };
  const moved = { ...object, metadata: { ...object.metadata, namespace: 'default' } } as Body;
  const asked: [Verb, typeof at, Reply][] = [
    ['get', other, await installer.get(other)],
    ['patch', other, await installer.patch(other, {})],
    ['delete', other, await installer.delete(other)],
    ...(at.namespace === undefined
      ? []
      : ([
          ['create', { ...elsewhere, name: '' }, await installer.create(moved)],
          ['get', elsewhere, await installer.get(elsewhere)],
        ] satisfies [Verb, typeof at, Reply][])),
  ];
  const allowed: string[] = [];
  for (const [verb, { name: called, namespace }, { status }] of asked) {
    const { group, resource } = installedResource(at.apiVersion, at.kind)!;
    const request = { group, resource, verb, name: called || undefined, namespace };
    if (status === 403 || (await isAllowed(await cluster(), operator, request))) continue;
    allowed.push(`${verb} ${at.kind} ${called} ${namespace ?? ''}: ${status}`);
  }
  return allowed;
}

const plain: BundleProps = {
  ...props,
  operator: { ...props.operator, watch: { mode: 'AllNamespaces' }, network: false },
};

/** The kind of Prometheus' operator, of which our own bundle has an object. */
const serviceMonitors: Body = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'servicemonitors.monitoring.coreos.com' },
  spec: {
    group: 'monitoring.coreos.com',
    names: { kind: 'ServiceMonitor', plural: 'servicemonitors' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

const [own = ''] = readdirSync(join(root, 'dist/olm/bundle'));

for (const [what, bundle] of [
  ['that a construct makes', madeOf(plain)],
  ['of our own operator', readBundle(join(root, 'dist/olm/bundle', own))],
  [
    'with roles and bindings of its own',
    bundleOf(
      { ...spec, version: '3.0.0' },
      undefined,
      // A package of its own, and therefore a namespace of its own.
      {
        'metadata/annotations.yaml':
          'annotations: { operators.operatorframework.io.bundle.package.v1: redis-roles }\n',
      },
    ),
  ],
] as const) {
  test(`an account installs and removes a bundle ${what}, and can do nothing else`, async () => {
    await (await cluster()).admin.apply(serviceMonitors, { fieldManager: 'prometheus' });
    const installer = await installerOf(bundle);
    const objects = buildInstalledObjects(bundle, name(bundle));
    expect(objects.length).toBeGreaterThan(5);
    for (const object of objects) expect(await install(installer, object)).toEqual([]);
    const { name: account } = objects.find(({ kind }) => kind === 'ServiceAccount')!.metadata;
    const operator = `system:serviceaccount:${name(bundle)}:${account}`;
    const { apiVersion, kind } = { apiVersion: 'apps/v1', kind: 'DaemonSet' };
    const ungranted = [
      await installer.list({ apiVersion, kind, namespace: name(bundle) }),
      await installer.list({ apiVersion: 'v1', kind: 'Secret' }),
      await installer.delete({ apiVersion: 'v1', kind: 'Namespace', name: name(bundle) }),
    ];
    expect(ungranted.map(({ status }) => status)).toEqual([403, 403, 403]);
    for (const object of objects) expect(await beside(installer, object, operator)).toEqual([]);
    expect(await remove(installer, objects)).toEqual([]);
  });
}

test('an account cannot give itself a right that the bundle does not have', async () => {
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
  // The account may grant the operator's rights in a role of any name: RBAC cannot limit `create` to names.
  const held = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  expect((await installer.create(role(held))).status).toBe(201);
  expect((await installer.delete({ ...reference(role(held) as KubeObject) })).status).toBe(403);
});

test('an account upgrades an older bundle to a newer one, and removes what is left over', async () => {
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
  const [before, after] = [older, bundle].map((one) => buildInstalledObjects(one, name(one)));
  for (const object of before!) {
    // Wait until the definition of the previous test is gone.
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

test('the plurals and scopes of installed kinds match those of the API server', async () => {
  const { admin } = await cluster();
  const objects = buildInstalledObjects(bundleOf(), 'default');
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

const published = process.env['TENANTRY_OLM_CRDS'];
const ACCEPTED = "a cluster with OLM's definitions accepts each object of the constructs";
if (!published)
  plainTest.skip(`${ACCEPTED} [skipped: TENANTRY_OLM_CRDS names no folder]`, () => {});
else {
  test(ACCEPTED, async () => {
    const { admin } = await cluster();
    for (const file of readdirSync(published)) {
      const text = readFileSync(join(published, file), 'utf8');
      const [found] = readDefinitions(file, text).definitions;
      const { status } = await admin.create(found!.manifest as unknown as Body);
      expect(status).toBe(201);
    }
    const app = new App();
    const chart = new Chart(app, 'olm', { namespace: 'default' });
    const metadata = { name: 'redis' };
    const catalog = {
      packageName: 'redis-operator',
      version: '>=1.2.0, <2.0.0',
      channels: ['stable'],
    };
    new CatalogSource(chart, 'source', {
      metadata,
      spec: {
        sourceType: 'grpc',
        image: 'quay.io/example/catalog:latest',
        updateStrategy: { registryPoll: { interval: '45m' } },
        grpcPodConfig: { securityContextConfig: 'restricted', memoryTarget: '64Mi' },
      },
    });
    new OperatorGroup(chart, 'group', { metadata, spec: { targetNamespaces: ['default'] } });
    new Subscription(chart, 'subscription', {
      metadata,
      spec: {
        name: 'redis-operator',
        source: 'ours',
        sourceNamespace: 'olm',
        installPlanApproval: 'Manual',
        config: {
          env: [{ name: 'LEVEL', value: 'info' }],
          tolerations: [{ operator: 'Exists' }],
          resources: { requests: { cpu: '100m' } },
        },
      },
    });
    new OperatorCondition(chart, 'condition', {
      metadata,
      spec: {
        overrides: [{ type: 'Upgradeable', status: 'True', reason: 'Sure', message: 'Looked.' }],
      },
    });
    // Cluster-scoped objects are in a chart without a namespace.
    const whole = new Chart(app, 'whole');
    new ClusterExtension(whole, 'extension', {
      metadata,
      spec: {
        namespace: 'default',
        serviceAccount: { name: 'redis-installer' },
        source: { sourceType: 'Catalog', catalog },
        install: { preflight: { crdUpgradeSafety: { enforcement: 'Strict' } } },
      },
    });
    new ClusterCatalog(whole, 'catalog', {
      metadata,
      spec: {
        priority: 1,
        source: {
          type: 'Image',
          image: { ref: 'quay.io/example/catalog:latest', pollIntervalMinutes: 60 },
        },
      },
    });
    const bundle = new BundleConstruct(app, 'bundle', { ...plain, package: 'accepted' });
    new BundleInstallation(whole, 'v0', { bundle, namespace: 'accepted' });
    new BundleInstallation(whole, 'v1', {
      bundle,
      olm: 'v1',
      namespace: 'accepted',
      makesNamespace: false,
    });
    const objects = [chart, whole].flatMap((one) => one.toJson() as Body[]);
    expect(objects.length).toBeGreaterThan(15);
    for (const object of objects) {
      const made = await until(`${object.kind} is known`, async () => {
        const reply = await admin.create(object, { fieldValidation: 'Strict' });
        return reply.status === 404 ? undefined : reply;
      });
      expect([object.kind, made.status, made.body.message]).toEqual([object.kind, 201, undefined]);
    }
  });
}
