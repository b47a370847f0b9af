import { expect } from '@jest/globals';
import { CONCERNS } from '../../model/ownership.ts';
import { policyName } from '../../model/policies/policy.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import {
  account,
  binding,
  group,
  networkPolicy,
  refusedBy,
  staffedTenant,
  user,
} from './people.ts';
import { bound, deliver, person } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;
const dryRun = { dryRun: true };
const containers = [{ name: 'shop', image: 'example.com/shop:1' }];

const object = (namespace: string, kind: string, more: object, name = uniqueName('own')): Body => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace },
  ...more,
});

test('a Service cannot claim an address of the cluster (CVE-2020-8554)', async () => {
  const { cluster } = given;
  const service = (namespace: string, externalIPs?: string[]) =>
    object(namespace, 'Service', { spec: { ports: [{ port: 80 }], externalIPs } });
  const { namespace, alice } = await staffedTenant(cluster);
  const plain = service(namespace);
  expect(await alice.create(plain)).toMatchObject({ status: 201 });
  const none = 'must have no externalIPs but those that the class allows (none), got 192.0.2.1';
  expect(await alice.create(service(namespace, ['192.0.2.1']), dryRun)).toMatchObject(
    refusedBy('services', none),
  );
  const patch = { spec: { externalIPs: ['192.0.2.1'] } };
  expect(await alice.patch(toReference(plain), patch)).toMatchObject(refusedBy('services', none));
  const services = { externalIPs: ['192.0.2.0/28', '2001:db8::/64'] };
  const open = await staffedTenant(cluster, {}, { selfService: { services } });
  const asked = (...addresses: string[]) =>
    open.alice.create(service(open.namespace, addresses), dryRun);
  expect(await asked('192.0.2.1', '2001:db8::1')).toMatchObject({ status: 201 });
  for (const address of ['192.0.2.16', '198.51.100.1', '2001:db8:0:1::1']) {
    const words = `(192.0.2.0/28, 2001:db8::/64), got ${address}`;
    expect(await asked('192.0.2.1', address)).toMatchObject(refusedBy('services', words));
  }
});

test('nobody keeps a token that never expires, or one that outlives the limit of the class', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster);
  const secret = (type: string) => {
    const annotations = { 'kubernetes.io/service-account.name': 'default' };
    const metadata = { name: uniqueName('own'), namespace, annotations };
    return { apiVersion: 'v1', kind: 'Secret', metadata, type };
  };
  expect(await alice.create(secret('Opaque'), dryRun)).toMatchObject({ status: 201 });
  expect(await alice.create(secret('example.com/token'), dryRun)).toMatchObject({ status: 201 });
  expect(await alice.create(secret('kubernetes.io/service-account-token'), dryRun)).toMatchObject(
    refusedBy('tokenSecrets', 'must not be of type kubernetes.io/service-account-token'),
  );
  const requestToken = (by: Client, there: string, spec: object) => {
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
    const name = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace: there };
    return by.put(name, 'token', request as Body, { method: 'POST' });
  };
  await until('the account is there', async () => {
    return (await requestToken(alice, namespace, {})).status === 201;
  });
  expect(await requestToken(alice, namespace, { expirationSeconds: 86_400 })).toMatchObject({
    status: 201,
  });
  expect(await requestToken(alice, namespace, { expirationSeconds: 86_401 })).toMatchObject(
    refusedBy('tokens', 'must expire within 86400 seconds, got 86401'),
  );
  const selfService = { tokens: { maxSeconds: 900 } };
  const strict = await staffedTenant(cluster, {}, { selfService });
  await until('the account is there', async () => {
    const asked = await requestToken(strict.alice, strict.namespace, { expirationSeconds: 900 });
    return asked.status === 201;
  });
  expect(await requestToken(strict.alice, strict.namespace, {})).toMatchObject(
    refusedBy('tokens', 'must expire within 900 seconds, got 3600'),
  );
});

test('no pod chooses its node, regardless of who creates it', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster);
  const pod = (spec: object) => object(namespace, 'Pod', { spec: { containers, ...spec } });
  expect(await alice.create(pod({}), dryRun)).toMatchObject({ status: 201 });
  expect(
    await alice.create(pod({ nodeSelector: { 'kubernetes.io/hostname': 'a' } }), dryRun),
  ).toMatchObject({ status: 201 });
  const words = 'a pod must have no nodeName, got control-plane-1';
  expect(await alice.create(pod({ nodeName: 'control-plane-1' }), dryRun)).toMatchObject(
    refusedBy('pods', words),
  );
  const labels = { app: 'pinned' };
  const template = { metadata: { labels }, spec: { containers, nodeName: 'control-plane-1' } };
  const set = {
    ...object(namespace, 'ReplicaSet', { spec: { selector: { matchLabels: labels }, template } }),
    apiVersion: 'apps/v1',
  };
  expect(await alice.create(set)).toMatchObject({ status: 201 });
  const condition = await until('the controller is refused', async () => {
    const { status } = (await cluster.admin.get(toReference(set))).body;
    return (status as { conditions?: { message: string }[] }).conditions?.[0];
  });
  expect(condition).toMatchObject({
    reason: 'FailedCreate',
    message: expect.stringMatching(words),
  });
});

const rbac = 'rbac.authorization.k8s.io';

const deployer = {
  name: 'deployer',
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  bindingName: '{namespace}-deploy',
};

test('nobody else uses a name that the platform uses or may come to use', async () => {
  const { cluster } = given;
  const { tenant, namespace, alice, name } = await staffedTenant(
    cluster,
    {
      access: { editors: { bindingName: '{namespace}-edit' } },
      serviceAccounts: [{ name: 'ci' }],
      resources: [
        { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'agent' } } },
      ],
      disruptionBudgets: [
        { name: 'web', selector: { matchLabels: { app: 'web' } }, maxUnavailable: 1 },
      ],
    },
    { presets: { roles: [deployer] } },
  );
  for (const object of tenant.objects.filter(({ kind }) => kind !== 'Namespace')) {
    const own: Body = { ...object, metadata: { name: object.metadata!.name!, namespace } };
    // This policy opens nothing, so that only its name is refused.
    if (object.kind === 'NetworkPolicy') own['spec'] = { podSelector: {} };
    if (object.kind === 'PodDisruptionBudget') {
      own['spec'] = { selector: { matchLabels: { app: 'own' } }, maxUnavailable: 1 };
    }
    const asked = await alice.create(own, dryRun);
    if (object.kind === 'ResourceQuota' || object.kind === 'LimitRange') {
      expect(asked.status).toBe(403);
    } else {
      const words = `the name ${own.metadata!.name} of a ${object.kind}`;
      expect([own, asked]).toMatchObject([own, refusedBy('names', words)]);
    }
  }
  const role = {
    ...object(namespace, 'Role', { rules: [] }, 'deployer'),
    apiVersion: `${rbac}/v1`,
  };
  const taken = [
    binding(namespace, 'view', [user(name)], `${namespace}-edit`),
    binding(namespace, 'view', [user(name)], `${namespace}-deploy`),
    networkPolicy(namespace, {}, 'tenant-egress'),
    role,
  ];
  for (const own of taken) {
    const words = `the name ${own.metadata!.name} of a ${own.kind}`;
    expect(await alice.create(own, dryRun)).toMatchObject(refusedBy('names', words));
    expect(
      await alice.apply(own, { fieldManager: 'kubectl', force: true, dryRun: true }),
    ).toMatchObject(refusedBy('names', words));
  }
  const derived = [
    binding(namespace, 'view', [user(name)], 'tenant-clusterrole-view'),
    networkPolicy(namespace, {}, 'tenant-x'),
  ];
  for (const own of derived) {
    expect(await alice.create(own, dryRun)).toMatchObject(
      refusedBy(
        'names',
        `must not begin with tenant-, which is the platform's, got ${own.metadata!.name}`,
      ),
    );
    const generated = { ...own, metadata: { generateName: 'tenant-', namespace } };
    expect(await alice.create(generated, dryRun)).toMatchObject(
      refusedBy('names', 'must not begin with tenant-'),
    );
  }
  const honest = [
    object(namespace, 'Secret', {}, 'agent'),
    object(namespace, 'ConfigMap', {}, 'tenant-portal'),
    object(namespace, 'ServiceAccount', {}, 'deployer'),
    { ...role, metadata: { name: 'deployer2', namespace } },
    networkPolicy(namespace, {}, 'my-tenant-isolation'),
    binding(namespace, 'view', [user(name)], 'views'),
  ];
  for (const own of honest) {
    expect([own, await alice.create(own, dryRun)]).toMatchObject([own, { status: 201 }]);
  }
});

test('an object that had a name before the platform used it blocks the platform until it is deleted', async () => {
  const { cluster } = given;
  const before = await staffedTenant(cluster);
  const squatter = binding(before.namespace, 'view', [user(before.name)], 'readers');
  expect((await before.alice.create(squatter)).status).toBe(201);
  const bindingName = 'readers';
  const editors = { users: [person('bob')], bindingName };
  const spec = { ...before.spec, access: { ...before.spec.access!, editors } };
  const delivered = deliver(cluster, before.tenant.name, spec, { before: before.tenant });
  await expect(delivered).rejects.toThrow(/cannot change roleRef/);
  expect((await before.alice.delete(toReference(squatter))).status).toBe(200);
  expect(await before.alice.create(squatter, dryRun)).toMatchObject(
    refusedBy('names', 'the name readers'),
  );
  await deliver(cluster, before.tenant.name, spec, { before: before.tenant });
});

test('an object of the platform is neither evicted nor scaled through a subresource', async () => {
  const { cluster } = given;
  const labels = { app: 'shop' };
  const template = { metadata: { labels }, spec: { containers } };
  const deployment = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  });
  const agent = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'agent' },
    spec: { containers },
  };
  const { namespace, alice } = await staffedTenant(cluster, {
    resources: [{ manifest: deployment('web') }, { manifest: agent }],
  });
  const own = { ...deployment('own'), metadata: { name: 'own', namespace } };
  const pod = object(namespace, 'Pod', { spec: { containers } }, 'mine');
  for (const one of [own, pod]) expect((await alice.create(one)).status).toBe(201);
  const evict = (name: string) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    const to = { apiVersion: 'v1', kind: 'Pod', name, namespace };
    return alice.put(to, 'eviction', eviction, { method: 'POST' });
  };
  const scale = (name: string) =>
    alice.patch(
      { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace },
      { spec: { replicas: 0 } },
      { subresource: 'scale' },
    );
  expect(await evict('agent')).toMatchObject(refusedBy('names', 'the name agent of a Pod'));
  expect(await evict('mine')).toMatchObject({ status: 201 });
  expect(await scale('web')).toMatchObject(refusedBy('names', 'the name web of a Deployment.apps'));
  expect(await scale('own')).toMatchObject({ status: 200 });
});

test('the policies apply neither to the platform and administrators nor outside of tenants', async () => {
  const { cluster } = given;
  const { namespace } = await staffedTenant(cluster);
  const elsewhere = await newNamespace(cluster, 'elsewhere');
  const name = person('root');
  const all = (there: string): Body[] => [
    binding(there, 'edit', [group('system:authenticated'), account('kube-system', 'x')]),
    binding(there, 'view', [user('eve')], 'tenant-clusterrole-view'),
    networkPolicy(there, { ingress: [{}] }, 'tenant-x'),
    object(there, 'Service', { spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] } }),
    object(there, 'Pod', { spec: { containers, nodeName: 'x' } }),
  ];
  const platform = cluster.user('break-glass@wagonlark.example.com');
  const admins = { apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding' };
  const subjects = [user('break-glass@wagonlark.example.com')];
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'admin' };
  const metadata = { name: uniqueName('break-glass') };
  await cluster.admin.create({ ...admins, metadata, roleRef, subjects });
  const root = await bound(cluster, name, [], { metadata: { name: 'cluster-admin' } });
  await until('RBAC knows', async () => {
    return (await platform.create(all(namespace)[0]!, dryRun)).status === 201;
  });
  for (const own of all(namespace)) {
    expect([own, await root.create(own, dryRun)]).toMatchObject([own, { status: 201 }]);
    expect([own, await platform.create(own, dryRun)]).toMatchObject([own, { status: 201 }]);
  }
  const alice = await bound(cluster, person('alice'), [], { metadata: { name: 'admin' } });
  for (const own of all(elsewhere)) {
    expect([own, await alice.create(own, dryRun)]).toMatchObject([own, { status: 201 }]);
  }
});

test('the API server warns of nothing in any expression', async () => {
  const { cluster } = given;
  await staffedTenant(cluster);
  for (const concern of CONCERNS) {
    const kind = 'ValidatingAdmissionPolicy';
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      name: policyName(concern),
    };
    const checked = await until('it was checked', async () => {
      const { status } = (await cluster.admin.get(policy)).body;
      return (status as { typeChecking?: object }).typeChecking;
    });
    expect([concern, checked]).toEqual([concern, {}]);
  }
});
