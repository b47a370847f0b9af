import { expect, test } from '@jest/globals';
import { ApiObject, Chart, Lazy, Testing } from 'cdk8s';
import { ConfigMap, Deployment } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layout, PARTS, type Part } from '../../model/layout.ts';
import { APP_OBJECTS } from '../../model/app-objects.ts';
import { desired } from '../../model/desired.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyPlatformDefaults, resolvePlatform } from '../../model/platform.ts';
import { getFleet, useFleet } from '../../constructs/tenant/scope.ts';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import { readDefinition } from '@tenantry/crd/read-definition';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { App } from '../../synth/app.ts';
import { findOutputPath } from '../../synth/charts.ts';
import { ofOneVersion } from '../cluster/crds.ts';

const errorsOf = (scope: Construct): string[] =>
  scope.node.findAll().flatMap((construct) => construct.node.validate());

const chartsOf = (scope: Construct): Chart[] =>
  scope.node.findAll().filter((one): one is Chart => Chart.isChart(one));

const spec: TenantSpec = {
  namespaces: [{ name: 'shop', environment: 'prod' }, { name: 'shop-dev' }],
  access: { admins: { groups: ['github:shop'] } },
  quota: { total: { pods: 10 } },
};

test('a Tenant in TypeScript gives the same objects, in the same files, as one in YAML', () => {
  const app = Testing.app();
  const tenant = new Tenant(app, 'shop', spec);
  const fleet = new Fleet();
  const declaration = { name: 'shop', spec };
  const klass = fleet.classes.all[0]!;
  const wanted = desired(declaration, klass, fleet.platform);
  expect(errorsOf(app)).toEqual([]);
  expect(tenant.namespaces.map((chart) => chart.toJson())).toEqual(
    wanted.namespaces.map(({ objects }) => objects),
  );
  expect(chartsOf(tenant).map(findOutputPath)).toEqual([
    'clusters/in-cluster/tenants/shop/tenant.yaml',
    'clusters/in-cluster/tenants/shop/namespace-shop.yaml',
    'clusters/in-cluster/tenants/shop/namespace-shop-dev.yaml',
  ]);
  expect(chartsOf(tenant)[0]!.toJson()).toEqual([wanted.tenant]);
});

test("an object created in a namespace of a tenant is rendered there, with the owner's labels", () => {
  const namespace = new Tenant(Testing.app(), 'shop', spec).namespace('shop-dev');
  const before = namespace.toJson().length;
  new Deployment(namespace, 'web', { containers: [{ image: 'web:1' }] });
  new ConfigMap(namespace, 'settings', { metadata: { labels: { team: 'a' } } });
  new ApiObject(namespace, 'raw', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'raw' } });
  const made = namespace.toJson().slice(before);
  expect(made.map(({ kind }: ApiObject) => kind)).toEqual(['Deployment', 'ConfigMap', 'Service']);
  for (const { metadata } of made) {
    expect(metadata).toMatchObject({
      namespace: 'shop-dev',
      labels: { 'tenantry.dev/tenant': 'shop', 'app.kubernetes.io/managed-by': 'tenantry' },
    });
  }
});

const stop = {
  type: 'object',
  properties: { at: { type: 'string' }, minutes: { type: 'integer', default: 1 } },
};
const feed = readDefinition(
  ofOneVersion(
    { apiVersion: 'example.com/v1', kind: 'Feed', plural: 'feeds' },
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            speed: { type: 'integer', default: 3 },
            stops: { type: 'array', items: stop },
          },
        },
      },
    },
    'Namespaced',
  ),
);

test('lists of an object created there, also lazy ones, are rendered as stored where the definition is known', () => {
  const app = Testing.app();
  const kind = { group: 'example.com', kind: 'Feed', scope: 'Namespaced' } as const;
  const known = { ...kind, digest: '', read: () => feed };
  useFleet(app, new Fleet(applyPlatformDefaults({ kinds: [kind] }, [known])));
  const namespace = new Tenant(app, 'shop', spec).namespace('shop');
  const make = (name: string, stops: unknown): ApiObject =>
    new ApiObject(namespace, name, {
      apiVersion: 'example.com/v1',
      kind: 'Feed',
      metadata: { name },
      spec: { stops },
    });
  const given = [{ at: 'Malmö' }, { at: 'Lund', minutes: 4 }];
  const stored = [
    { at: 'Malmö', minutes: 1 },
    { at: 'Lund', minutes: 4 },
  ];
  const made = [make('plain', given), make('lazy', Lazy.any({ produce: () => given }))];
  make('broken', Lazy.any({ produce: () => raise() }));
  // A second validation gives the same result.
  expect([errorsOf(app), errorsOf(app)]).toEqual([[], []]);
  for (const one of made) expect(one.toJson()['spec']).toEqual({ stops: stored });
});

test('built-in kinds are completed in the same way as `resources`', () => {
  const app = Testing.app();
  const namespace = new Tenant(app, 'shop', spec).namespace('shop');
  const stateful = new ApiObject(namespace, 'stateful', {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'x' },
    spec: { replicas: null, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  });
  const service = new ApiObject(namespace, 'service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x', annotations: { a: 'b' } },
    spec: { clusterIP: '', ports: [{ port: 80, protocol: '' }] },
    status: null,
  });
  expect([errorsOf(app), errorsOf(app)]).toEqual([[], []]);
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } };
  expect(stateful.toJson()['spec']).toEqual({ volumeClaimTemplates: [claim] });
  expect(service.toJson()).toMatchObject({
    metadata: { name: 'x', namespace: 'shop', annotations: { a: 'b' } },
    spec: { ports: [{ port: 80 }] },
  });
  expect(service.toJson()).not.toHaveProperty('status');
  expect(service.toJson()).not.toHaveProperty('spec.clusterIP');
});

test('a reference within the core group is rendered explicitly, for `resources` and for created objects', () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'tenantry-null-')) });
  using stack = new DisposableStack();
  stack.defer(() => rmSync(app.outdir, { recursive: true }));
  const claim = (name: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
    },
  });
  const tenant = new Tenant(app, 'shop', { ...spec, resources: [{ manifest: claim('declared') }] });
  new ApiObject(tenant.namespace('shop'), 'made', claim('made'));
  app.synth();
  const text = readFileSync(
    join(app.outdir, layout.namespace('in-cluster', 'shop', 'shop', 'resources')),
    'utf8',
  );
  expect(text.match(/dataSource:\n +apiGroup: null\n/g)).toHaveLength(2);
});

test('the kind of an object created in a namespace determines its file', () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'tenantry-parts-')) });
  using stack = new DisposableStack();
  stack.defer(() => rmSync(app.outdir, { recursive: true }));
  const namespace = new Tenant(app, 'shop', spec).namespace('shop');
  const make = (apiVersion: string, kind: string) =>
    new ApiObject(namespace, kind, { apiVersion, kind, metadata: { name: 'made' } });
  make('v1', 'ConfigMap');
  make('rbac.authorization.k8s.io/v1', 'Role');
  make('networking.k8s.io/v1', 'NetworkPolicy');
  app.synth();
  const kindsIn = (part: Part) =>
    readFileSync(join(app.outdir, layout.namespace('in-cluster', 'shop', 'shop', part)), 'utf8')
      .split('---')
      .flatMap((document) =>
        document.includes('  name: made\n') ? (/^kind: (\w+)$/m.exec(document)?.[1] ?? []) : [],
      );
  expect(PARTS.map((part) => [part, kindsIn(part)])).toEqual([
    ['namespaces', ['NetworkPolicy']],
    ['rbac', ['Role']],
    ['resources', ['ConfigMap']],
  ]);
});

/** Returns the created objects that the Tenant of each cluster lists. */
function listedIn(app: Construct): Record<string, string | undefined> {
  expect(errorsOf(app)).toEqual([]);
  return Object.fromEntries(
    chartsOf(app).flatMap((chart) => {
      const [object] = chart.toJson() as readonly KubeObject[];
      if (object?.kind !== 'Tenant') return [];
      return [
        [String(findOutputPath(chart)).split('/')[1]!, object.metadata.annotations?.[APP_OBJECTS]],
      ];
    }),
  );
}

test('the Tenant of a cluster lists the created objects of kinds whose undeclared objects are reported', () => {
  const app = Testing.app();
  useFleet(
    app,
    new Fleet(
      resolvePlatform({
        clusters: [{ name: 'eu' }, { name: 'us' }],
        operator: { comparedKinds: [{ kind: 'ConfigMap' }] },
      }),
    ),
  );
  const tenant = new Tenant(app, 'shop', { clusters: ['eu', 'us'] });
  expect(listedIn(app)).toEqual({ eu: undefined, us: undefined });
  const make = (apiVersion: string, kind: string) =>
    new ApiObject(tenant.namespace('shop', 'us'), `${apiVersion.replace('/', ':')}:${kind}`, {
      apiVersion,
      kind,
      metadata: { name: 'made' },
    });
  make('v1', 'Secret');
  make('v1', 'ServiceAccount');
  make('v1', 'ConfigMap');
  make('example.com/v1', 'ConfigMap');
  make('rbac.authorization.k8s.io/v1', 'RoleBinding');
  expect(listedIn(app)).toEqual({
    eu: undefined,
    us: [
      '/ConfigMap shop/made',
      '/ServiceAccount shop/made',
      'rbac.authorization.k8s.io/RoleBinding shop/made',
    ].join('\n'),
  });
});

test('more names than fit into an annotation are refused', () => {
  const app = Testing.app();
  const namespace = new Tenant(app, 'shop').namespace('shop');
  for (let i = 0; i < 900; i++) {
    const metadata = { name: `${i}`.padStart(250, 'a') };
    new ApiObject(namespace, `${i}`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  }
  expect(errorsOf(app)).toEqual([
    '[shop] must make objects whose names have at most 200000 bytes in all of its namespaces on a cluster, got 244799',
  ]);
});

function raise(): never {
  throw new Error('not yet');
}

test('objects outside of the namespace are refused: a ClusterRoleBinding, and objects in kube-system', () => {
  const app = Testing.app();
  const namespace = new Tenant(app, 'shop').namespace('shop');
  const make = (id: string, kind: string, metadata: object = {}) =>
    new ApiObject(namespace, id, {
      apiVersion: kind === 'ClusterRoleBinding' ? 'rbac.authorization.k8s.io/v1' : 'v1',
      kind,
      metadata: { name: 'x', ...metadata },
    });
  make('a', 'ClusterRoleBinding');
  make('b', 'Namespace');
  make('c', 'ConfigMap', { namespace: 'kube-system' });
  make('d', 'ConfigMap', { namespace: 'shop' });
  const at = (id: string) => `[shop/in-cluster:shop/${id}] must lie in namespace shop, got`;
  expect(errorsOf(app)).toEqual([
    `${at('a')} a cluster-scoped ClusterRoleBinding`,
    `${at('b')} a cluster-scoped Namespace`,
    `${at('c')} one in kube-system, the ConfigMap`,
  ]);
});

test('the id is the name unless another one is set', () => {
  const app = Testing.app();
  expect(new Tenant(app, 'a').tenantName).toBe('a');
  const named = new Tenant(app, 'b', { name: 'other' });
  expect(named.tenantName).toBe('other');
  expect(named.namespaces.map(({ namespaceName }) => namespaceName)).toEqual(['other']);
});

test('a namespace is found by name and by cluster, and an unknown one is reported', () => {
  const app = Testing.app();
  useFleet(app, new Fleet(resolvePlatform({ clusters: [{ name: 'eu' }, { name: 'us' }] })));
  const tenant = new Tenant(app, 'shop', { clusters: ['us', 'eu'] });
  expect(tenant.namespace('shop').cluster).toBe('eu');
  expect(tenant.namespace('shop', 'us').cluster).toBe('us');
  expect(() => tenant.namespace('shpo')).toThrow(
    "must be a namespace of tenant shop (eu/shop, us/shop), got 'shpo'",
  );
  expect(() => tenant.namespace('shop', 'ap')).toThrow(/must be a namespace/);
});

test('all errors are reported at once when the app is validated, and nothing is rendered', () => {
  const app = Testing.app();
  const wrong = {
    quota: { hard: { pod: 1 } },
    access: { admins: { groups: ['system:masters'] } },
  };
  const tenant = new Tenant(app, 'shop', wrong);
  expect(errorsOf(app)).toEqual([
    "spec.quota.hard.pod must be a resource that Kubernetes counts, got 'pod'; did you mean 'pods'?",
    "spec.access.admins.groups must not begin with 'system:', got 'system:masters': these are identities of Kubernetes itself",
  ]);
  expect(tenant.namespaces).toEqual([]);
  expect(chartsOf(tenant)).toEqual([]);
});

test('the schema refuses what JavaScript allows', () => {
  const app = Testing.app();
  new Tenant(app, 'Shop', { klassName: 'x', namespaces: [{}] } as never);
  expect(errorsOf(app)).toEqual([
    "metadata.name must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got 'Shop'",
    "spec.klassName must be a known field, got 'klassName'; did you mean 'className'?",
    "spec.namespaces[0].name must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got nothing",
  ]);
});

test('two tenants of the same tree must not have the same name or namespaces', () => {
  const app = Testing.app();
  const chart = new Chart(app, 'more');
  new Tenant(app, 'a', { namespaces: [{ name: 'shared' }] });
  new Tenant(app, 'b', { namespaces: [{ name: 'shared' }] });
  new Tenant(chart, 'a');
  expect(errorsOf(app)).toEqual([
    "metadata.name must be the only tenant of its name, got 'a', which [a] declares",
    "spec.namespaces[0].name must be a namespace of one tenant only, got 'shared', which tenant a has ([a])",
  ]);
});

test('tenants of two apps are independent', () => {
  const [one, other] = [Testing.app(), Testing.app()];
  new Tenant(one, 'a');
  new Tenant(other, 'a');
  expect([...errorsOf(one), ...errorsOf(other)]).toEqual([]);
});

test('a TenantClass is available to tenants that are created later', () => {
  const app = Testing.app();
  new TenantClass(app, 'gold', { defaults: { quota: { hard: { pods: 7 } } } });
  const tenant = new Tenant(app, 'shop', { className: 'gold' });
  expect(errorsOf(app)).toEqual([]);
  const quota = tenant
    .namespace('shop')
    .toJson()
    .find(({ kind }: ApiObject) => kind === 'ResourceQuota');
  expect(quota.spec.hard.pods).toBe('7');
});

test('errors of a class are reported, and so is a second class of its name', () => {
  const app = Testing.app();
  new TenantClass(app, 'tin', { ceilings: { namespaces: 0 } });
  new TenantClass(app, 'gold');
  new TenantClass(new Chart(app, 'more'), 'gold');
  expect(errorsOf(app)).toEqual([
    'spec.ceilings.namespaces must be a whole number of at least 1 and at most 1000, got 0',
    "metadata.name must be the only class of its name, got 'gold' again",
  ]);
});

test('an error of a class is reported at the class, and not at the tenants that choose it', () => {
  const app = Testing.app();
  new TenantClass(app, 'tin', { presets: null as never });
  const shop = new Tenant(app, 'shop', { className: 'tin' });
  expect(errorsOf(app)).toEqual(['spec.presets must be a mapping, got null']);
  expect(() => shop.namespace('shop')).toThrow("must be a TenantClass without errors, got 'tin'");
});

test('an error of a class that nobody validates is reported at the tenants that choose it', () => {
  const preset = {
    name: 'x',
    manifests: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' } }],
  };
  const spec = { presets: { resources: [preset] } };
  const collectErrorPaths = (declare: (app: Construct, fleet: Fleet) => void): string[] => {
    const app = Testing.app();
    const fleet = new Fleet();
    useFleet(app, fleet);
    declare(app, fleet);
    new Tenant(app, 'shop', { className: 'gold', resources: [{ preset: 'x' }] });
    return errorsOf(app).map((text) => text.slice(0, text.indexOf(' ')));
  };
  expect(collectErrorPaths((_, fleet) => void fleet.classes.add({ name: 'gold', spec }))).toEqual([
    'spec.resources[0].preset',
  ]);
  expect(
    collectErrorPaths((_, fleet) => void fleet.classes.add({ name: 'gold', spec: 7 as never })),
  ).toEqual(['spec.className']);
  expect(collectErrorPaths((app) => void new TenantClass(app, 'gold', spec))).toEqual([
    'spec.presets.resources[0].manifests[0].kind',
  ]);
});

test('the fleet of a tree is set once, before its first use', () => {
  const app = Testing.app();
  const fleet = new Fleet();
  useFleet(app, fleet);
  expect(getFleet(new Chart(app, 'deep'))).toBe(fleet);
  expect(() => useFleet(app, fleet)).toThrow(
    'the fleet must be given before the first tenant or class',
  );
});
