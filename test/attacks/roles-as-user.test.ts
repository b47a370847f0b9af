import { expect } from '@jest/globals';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { apply, deliver, mayDo, person, reads } from '../cluster/tenant.ts';
import { kubernetesRights } from './rights.ts';

/**
 * Kubernetes' `admin` is the limit for a tenant's own Role. These tests check on an API server whether `admin` has the
 * rights that such a Role could once grant, and what those rights allow.
 */
const given = await sharedCluster();
const { test } = given;

interface Held {
  readonly alice: Client;
  readonly namespace: string;
}

let held: Promise<Held> | undefined;

/** Returns the administrator of a tenant whose class has no ceilings. */
function admin(): Promise<Held> {
  held ??= deliverTo(person('alice'));
  return held;
}

async function deliverTo(name: string, spec: TenantSpec = {}): Promise<Held> {
  const access = { admins: { users: [name] } };
  const { namespace } = await deliver(given.cluster, uniqueName('rights'), { access, ...spec });
  const alice = given.cluster.user(name);
  await reads(alice, namespace);
  return { alice, namespace };
}

for (const { what, group, resource, verb } of kubernetesRights) {
  test(`Kubernetes’ admin does not let a tenant ${what}`, async () => {
    const { alice, namespace } = await admin();
    const [plural, ...rest] = resource.split('/');
    const name = [group ? `${plural}.${group}` : plural, ...rest].join('/');
    expect(await mayDo(alice, verb, name, namespace)).toBe(false);
  });
}

const RBAC = 'rbac.authorization.k8s.io';

/** Gives mallory one more right, by a Role as Argo CD would apply it. */
async function withRight(namespace: string, resource: string): Promise<Client> {
  const name = person('mallory');
  const metadata = { name: uniqueName('right'), namespace };
  const roleRef = { apiGroup: RBAC, kind: 'Role', name: metadata.name };
  const subjects = [{ apiGroup: RBAC, kind: 'User', name }];
  const rules = [{ apiGroups: [''], resources: [resource, 'pods'], verbs: ['list', 'patch'] }];
  await apply(given.cluster, [
    { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules },
    { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects },
  ]);
  const mallory = given.cluster.user(name);
  await reads(mallory, namespace);
  return mallory;
}

const shop = { app: 'shop' };
const webOf = (namespace: string): Body[] => [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace, labels: shop },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace },
    spec: { selector: shop, ports: [{ port: 80 }] },
  },
];

/** Returns the addresses to which the Service of this name sends requests. */
async function addressesOf(namespace: string): Promise<string[]> {
  const slices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', namespace };
  const { body } = await given.cluster.admin.list(slices);
  return (body.items ?? []).flatMap((slice) =>
    ((slice['endpoints'] as { addresses: string[] }[] | null) ?? []).flatMap(
      (one) => one.addresses,
    ),
  );
}

test('a user who may patch pods/status can move a pod’s address, and the Service follows', async () => {
  const { alice, namespace } = await admin();
  for (const object of webOf(namespace)) {
    expect(await alice.create(object)).toMatchObject({ status: 201 });
  }
  await until('the Service has the pod', async () => (await addressesOf(namespace)).length > 0);
  const pod = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace };
  const moved = { status: { podIP: '192.0.2.7', podIPs: [{ ip: '192.0.2.7' }] } };
  const status = { subresource: 'status' };
  expect(await alice.patch(pod, moved, status)).toMatchObject({ status: 403 });
  const mallory = await withRight(namespace, 'pods/status');
  expect(await mallory.patch(pod, moved, status)).toMatchObject({ status: 200 });
  await until('the Service follows', async () => {
    return (await addressesOf(namespace)).includes('192.0.2.7');
  });
});

test('a user who may patch services/status can take over an address for a Service (CVE-2020-8554)', async () => {
  const { alice, namespace } = await deliverTo(person('alice'), {
    quota: { hard: { 'services.loadbalancers': 1 } },
  });
  const service = { apiVersion: 'v1', kind: 'Service' };
  const metadata = { name: 'taker', namespace };
  const ports = [{ port: 443 }];
  const spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports };
  expect(await alice.create({ ...service, metadata, spec })).toMatchObject({ status: 201 });
  const taken = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.53' }] } } };
  const status = { subresource: 'status' };
  expect(await alice.patch({ ...service, ...metadata }, taken, status)).toMatchObject({
    status: 403,
  });
  const mallory = await withRight(namespace, 'services/status');
  expect(await mallory.patch({ ...service, ...metadata }, taken, status)).toMatchObject({
    status: 200,
    body: taken,
  });
});
