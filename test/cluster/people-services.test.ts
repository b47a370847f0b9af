import { expect } from '@jest/globals';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { refusedBy, staffedTenant } from './people.ts';

type Bounds = NonNullable<NonNullable<TenantClassSpec['selfService']>['services']>;

const given = await sharedCluster();
const { test } = given;
const dryRun = { dryRun: true };
/** The built-in quota allows no load balancers and node ports. */
const unbounded: TenantSpec = { quota: { preset: 'none' } };
const classOf = (services: Bounds): TenantClassSpec => ({ selfService: { services } });

const service = (namespace: string, spec: object, name = uniqueName('own')): Body => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { ports: [{ port: 80 }], ...spec },
});
const external = (externalName: string) => ({ type: 'ExternalName', externalName });
const refusesName = (name: string) => refusedBy('services', `, got ${name}`);
const force = { fieldManager: 'kubectl', force: true };

test('by default, a Service is no other name of anything', async () => {
  const { namespace, alice } = await staffedTenant(given.cluster, unbounded);
  for (const name of [
    'api.example.com',
    'example.com.',
    'kube-dns.kube-system.svc.cluster.local',
  ]) {
    const words = `must have an externalName that the class allows (none), got ${name}`;
    expect([name, await alice.create(service(namespace, external(name)), dryRun)]).toMatchObject([
      name,
      refusedBy('services', words),
    ]);
  }
  for (const type of ['ClusterIP', 'NodePort', 'LoadBalancer']) {
    const more = type === 'LoadBalancer' ? { loadBalancerClass: 'example.com/public' } : {};
    expect([type, await alice.create(service(namespace, { type, ...more }), dryRun)]).toMatchObject(
      [type, { status: 201 }],
    );
  }
});

test('a class allows names, and no pattern leads into the cluster', async () => {
  const externalNames = [
    '*',
    '*.example.com',
    'web.shared.svc.cluster.local',
    'legacy',
    '10.0.0.1',
  ];
  const { namespace, alice } = await staffedTenant(
    given.cluster,
    unbounded,
    classOf({ externalNames }),
  );
  const ask = (name: string) => alice.create(service(namespace, external(name)), dryRun);
  const allowed = [
    'api.example.com',
    'api.example.com.',
    'example.org.',
    'web.shared.svc.cluster.local',
    'web.shared.svc.cluster.local.',
    'legacy',
    'legacy.',
    '10.0.0.1',
  ];
  for (const name of allowed)
    expect([name, await ask(name)]).toMatchObject([name, { status: 201 }]);
  const refused = [
    'example.com',
    'example.org',
    'com.',
    'localhost',
    'localhost.',
    'printer.local.',
    'kubernetes.default.svc.cluster.local',
    'kubernetes.default.svc.cluster.local.',
    'kubernetes.default.svc',
    'kubernetes.default.svc.',
    'kubernetes.default.svc.example.com',
    'kubernetes.default',
    'web-0.web.shared',
    'http.tcp.web.shared',
    '10-0-0-1.shared.pod.example.com.',
    '10.0.0.2',
    '10.0.0.2.',
    '127.1.',
    '0x7f.1.',
    '2130706433',
    '2130706433.',
    'metadata.google.internal.',
  ];
  for (const name of refused)
    expect([name, await ask(name)]).toMatchObject([name, refusesName(name)]);
});

test('the API server itself accepts no name in upper case and no address of IPv6', async () => {
  const { namespace, alice } = await staffedTenant(
    given.cluster,
    unbounded,
    classOf({ externalNames: ['*', '*.example.com'] }),
  );
  for (const name of ['API.example.com', 'Kubernetes.Default.svc.', '::1', 'fd00::1.', 'a..', '.'])
    expect([name, await alice.create(service(namespace, external(name)), dryRun)]).toMatchObject([
      name,
      { status: 422 },
    ]);
});

test('a name cannot be changed by any kind of request, and an older one stays usable', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(
    cluster,
    unbounded,
    classOf({ externalNames: ['*.example.com'], types: ['ClusterIP', 'ExternalName'] }),
  );
  const inside = 'kubernetes.default.svc.cluster.local';
  const old = service(namespace, external(inside));
  expect((await cluster.admin.create(old)).status).toBe(201);
  const label = { metadata: { labels: { team: 'shop' } } };
  expect(await alice.patch(toReference(old), label)).toMatchObject({ status: 200 });
  expect(
    await alice.replace({ ...old, spec: { ...external(inside), ports: [{ port: 81 }] } }),
  ).toMatchObject({
    status: 200,
  });
  const ports = [{ port: 81 }];
  expect(await alice.apply({ ...old, spec: { ...external(inside), ports } }, force)).toMatchObject({
    status: 200,
  });

  const own = service(namespace, external('api.example.com'));
  expect(await alice.create(own)).toMatchObject({ status: 201 });
  const bad = { ...own, spec: external(inside) };
  expect(await alice.patch(toReference(own), { spec: { externalName: inside } })).toMatchObject(
    refusesName(inside),
  );
  expect(await alice.replace(bad)).toMatchObject(refusesName(inside));
  expect(await alice.apply(bad, force)).toMatchObject(refusesName(inside));
  expect(await alice.apply(service(namespace, external(inside)), force)).toMatchObject(
    refusesName(inside),
  );
  const next = { spec: { externalName: 'www.example.com.' } };
  expect(await alice.patch(toReference(own), next)).toMatchObject({ status: 200 });
  expect(await alice.patch(toReference(old), next)).toMatchObject({ status: 200 });
  const back = { spec: { externalName: inside } };
  expect(await alice.patch(toReference(old), back)).toMatchObject(refusesName(inside));

  // The API server keeps the name of a Service that is no ExternalName.
  const plain = service(namespace, { externalName: inside });
  expect(await alice.create(plain)).toMatchObject({ status: 201 });
  const turned = {
    spec: {
      type: 'ExternalName',
      clusterIP: null,
      clusterIPs: null,
      ipFamilies: null,
      ipFamilyPolicy: null,
      internalTrafficPolicy: null,
    },
  };
  expect(await alice.patch(toReference(plain), turned)).toMatchObject(refusesName(inside));
  expect(await alice.patch(toReference(plain), { spec: { type: 'NodePort' } })).toMatchObject(
    refusedBy('services', 'a type that the class allows (ClusterIP, ExternalName), got NodePort'),
  );
  const status = {
    metadata: old.metadata,
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  };
  expect(
    await alice.patch(toReference(plain), { status: status.status }, { subresource: 'status' }),
  ).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('cannot patch resource "services/status"') },
  });
});

test('a class bounds types and the classes of load balancers', async () => {
  const { cluster } = given;
  const bounds: Bounds = {
    types: ['ClusterIP', 'LoadBalancer'],
    loadBalancerClasses: ['', 'example.com/internal*'],
  };
  const { namespace, alice } = await staffedTenant(cluster, unbounded, classOf(bounds));
  const ask = (spec: object) => alice.create(service(namespace, spec), dryRun);
  const balanced = (loadBalancerClass?: string) => ({ type: 'LoadBalancer', loadBalancerClass });
  for (const spec of [
    {},
    { type: 'ClusterIP', clusterIP: 'None' },
    balanced(),
    balanced('example.com/internal-2'),
  ])
    expect([spec, await ask(spec)]).toMatchObject([spec, { status: 201 }]);
  for (const type of ['NodePort', 'ExternalName'])
    expect(
      await ask({ type, ...(type === 'ExternalName' && external('api.example.com')) }),
    ).toMatchObject(
      refusedBy('services', `a type that the class allows (ClusterIP, LoadBalancer), got ${type}`),
    );
  expect(await ask(balanced('example.com/public'))).toMatchObject(
    refusedBy(
      'services',
      'that the class allows (example.com/internal*, no class), got example.com/public',
    ),
  );
  const named = await staffedTenant(
    cluster,
    unbounded,
    classOf({ loadBalancerClasses: ['internal'] }),
  );
  expect(await named.alice.create(service(named.namespace, balanced()), dryRun)).toMatchObject(
    refusedBy('services', 'that the class allows (internal), got no class'),
  );
  const old = service(named.namespace, balanced('example.com/public'));
  expect((await cluster.admin.create(old)).status).toBe(201);
  expect(
    await named.alice.patch(toReference(old), { spec: { ports: [{ port: 81 }] } }),
  ).toMatchObject({
    status: 200,
  });
  const plain = service(named.namespace, {});
  expect(await named.alice.create(plain)).toMatchObject({ status: 201 });
  expect(
    await named.alice.patch(toReference(plain), { spec: balanced('example.com/public') }),
  ).toMatchObject(refusedBy('services', 'got example.com/public'));
  expect(await named.alice.patch(toReference(plain), { spec: balanced('internal') })).toMatchObject(
    {
      status: 200,
    },
  );
});

test('the longest lists of a class stay within the cost limits of CEL', async () => {
  const words = Array.from({ length: 100 }, (_, i) => `${'a'.repeat(59)}${i + 100}`);
  const long = `${'x'.repeat(62)}.${'y'.repeat(62)}.${'z'.repeat(47)}`;
  const { namespace, alice } = await staffedTenant(
    given.cluster,
    unbounded,
    classOf({
      externalNames: words.map((word) => `*.${word}.${long}`),
      loadBalancerClasses: words.map((word) => `${word}.example.com/${'b'.repeat(60)}*`),
    }),
  );
  const externalIPs = Array.from({ length: 50 }, (_, i) => `192.0.2.${i}`);
  const name = `${'w'.repeat(10)}.${words[0]!}.${long}`;
  expect(await alice.create(service(namespace, external(name)), dryRun)).toMatchObject({
    status: 201,
  });
  expect(
    await alice.create(service(namespace, { ...external(`${name}a`), externalIPs }), dryRun),
  ).toMatchObject(refusedBy('services', 'got 192.0.2.0, '));
  expect(await alice.create(service(namespace, external(`${name}a`)), dryRun)).toMatchObject(
    refusesName(`${name}a`),
  );
  const spec = { type: 'LoadBalancer', loadBalancerClass: `other.example.com/${'b'.repeat(63)}` };
  expect(await alice.create(service(namespace, spec), dryRun)).toMatchObject(
    refusedBy('services', `got ${spec.loadBalancerClass}`),
  );
});

test('a class that disables the policy leaves Services to RBAC', async () => {
  const bounds: Bounds = { policy: 'Disabled', types: ['ClusterIP'] };
  const { namespace, alice } = await staffedTenant(given.cluster, unbounded, classOf(bounds));
  const asked = await alice.create(service(namespace, external('kubernetes.default.svc')), dryRun);
  expect(asked).toMatchObject({ status: 201 });
});
