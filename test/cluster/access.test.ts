import { expect } from '@jest/globals';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { apply, deliver, mayDo, person, reads, type LiveTenant } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

const rbac = 'rbac.authorization.k8s.io';
const levels = ['admin', 'editor', 'viewer', 'auditor', 'deployer', 'account'] as const;
type Level = (typeof levels)[number];

interface Staffed {
  readonly tenant: LiveTenant;
  readonly spec: TenantSpec;
  readonly klass: { readonly allow: { readonly clusterRoles: readonly string[] } };
  readonly clients: Readonly<Record<Level, Client>>;
}

/** A tenant with one member for each way to get access. */
async function staffed(): Promise<Staffed> {
  const { cluster } = given;
  const name = uniqueName('staffed');
  const clusterRole = uniqueName('auditor');
  const reading = [{ apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] }];
  const metadata = { name: clusterRole };
  await apply(cluster, [
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules: reading },
  ]);
  const people = { admin: '', editor: '', viewer: '', auditor: '', deployer: '' };
  for (const level of Object.keys(people) as (keyof typeof people)[]) people[level] = person(level);
  const rules = [
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  ];
  const spec: TenantSpec = {
    serviceAccounts: [{ name: 'ci' }],
    access: {
      admins: { users: [people.admin] },
      editors: {
        users: [people.editor],
        serviceAccounts: [{ name: 'ci', namespace: `${name}-shop` }],
      },
      viewers: { users: [people.viewer] },
      clusterRoles: [{ name: clusterRole, users: [people.auditor] }],
      roles: [{ name: 'deployer', rules, users: [people.deployer] }],
    },
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'data' } } }],
  };
  const klass = { allow: { clusterRoles: [clusterRole] } };
  const tenant = await deliver(cluster, name, spec, { klass });
  const clients = {
    ...(Object.fromEntries(
      Object.entries(people).map(([level, user]) => [level, cluster.user(user)]),
    ) as Record<keyof typeof people, Client>),
    account: await cluster.serviceAccount(tenant.namespace, 'ci'),
  };
  await Promise.all(Object.values(clients).map((client) => reads(client, tenant.namespace)));
  return { tenant, spec, klass, clients };
}

/** One line per verb and resource, followed by the levels that have the right. */
const table = `
get pods: admin editor viewer auditor account
list pods: admin editor viewer auditor deployer account
create pods: admin editor account
create pods/exec: admin editor account
get pods/log: admin editor viewer account
create deployments.apps: admin editor account
get deployments.apps: admin editor viewer deployer account
patch deployments.apps: admin editor deployer account
patch deployments.apps/scale: admin editor account
get secrets: admin editor auditor account
create secrets: admin editor account
delete configmaps: admin editor account
create serviceaccounts/token: admin editor account
impersonate serviceaccounts: admin editor account
create networkpolicies.networking.k8s.io: admin editor account
create poddisruptionbudgets.policy: admin editor account
get roles.rbac.authorization.k8s.io: admin
create roles.rbac.authorization.k8s.io: admin
create rolebindings.rbac.authorization.k8s.io: admin
bind roles.rbac.authorization.k8s.io:
escalate roles.rbac.authorization.k8s.io:
get resourcequotas: admin editor viewer account
create resourcequotas:
update resourcequotas:
update resourcequotas/status:
delete limitranges:
get namespaces: admin editor viewer account
patch namespaces:
delete namespaces:
update namespaces/status:
update namespaces/finalize:
create endpoints:
create endpointslices.discovery.k8s.io:
get tenants.tenantry.dev:
`;

test('every level has its rights in the namespace, and none in another namespace or on the cluster', async () => {
  const { tenant, clients } = await staffed();
  const elsewhere = await newNamespace(given.cluster, 'elsewhere');
  const found: string[] = [''];
  for (const line of table.trim().split('\n')) {
    const [what = ''] = line.split(':');
    const [verb = '', resource = ''] = what.split(' ');
    const may = await Promise.all(
      levels.map((level) => mayDo(clients[level], verb, resource, tenant.namespace)),
    );
    found.push(`${what}: ${levels.filter((_, i) => may[i]).join(' ')}`.trimEnd());
    for (const place of [elsewhere, 'kube-system', undefined]) {
      const there = await Promise.all(
        levels.map((level) => mayDo(clients[level], verb, resource, place)),
      );
      expect([what, place, there]).toEqual([what, place, levels.map(() => false)]);
    }
  }
  expect(`${found.join('\n')}\n`).toBe(table);
});

test('the API server allows each level exactly what the table lists', async () => {
  const { tenant, clients } = await staffed();
  const { namespace } = tenant;
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine', namespace } };
  const role = {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: 'mine', namespace },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  };
  const climbing = { ...role, rules: [{ ...role.rules[0], resources: ['nodes'], verbs: ['*'] }] };
  const secrets = { apiVersion: 'v1', kind: 'Secret', namespace };
  const shop = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'shop' };
  const dryRun = { dryRun: true };
  const asked = async (client: Client) =>
    Promise.all([
      client.create(configMap, dryRun),
      client.create(role, dryRun),
      client.create(climbing, dryRun),
      client.list(secrets),
      client.patch(shop, { metadata: { labels: { a: 'b' } } }),
      client.list({ ...secrets, namespace: 'kube-system' }),
    ]).then((replies) => replies.map(({ status }) => status));
  // Only a user who may write the Deployment gets 404 for one that does not exist.
  expect(await asked(clients.admin)).toEqual([201, 201, 403, 200, 404, 403]);
  expect(await asked(clients.editor)).toEqual([201, 403, 403, 200, 404, 403]);
  expect(await asked(clients.viewer)).toEqual([403, 403, 403, 403, 403, 403]);
  expect(await asked(clients.auditor)).toEqual([403, 403, 403, 200, 403, 403]);
  expect(await asked(clients.deployer)).toEqual([403, 403, 403, 403, 404, 403]);
  expect(await asked(clients.account)).toEqual([201, 403, 403, 200, 404, 403]);
});

const pod = (namespace: string, name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
});

test('suspension revokes the access of users, keeps the service account and running pods, and blocks new pods', async () => {
  const { cluster } = given;
  const { tenant, spec, klass, clients } = await staffed();
  const { name, namespace } = tenant;
  const { account, ...people } = clients;
  expect(await people.admin.create(pod(namespace, 'first'))).toMatchObject({ status: 201 });
  await deliver(cluster, name, { ...spec, lifecycle: 'Suspended' }, { klass, before: tenant });
  await Promise.all(Object.values(people).map((client) => reads(client, namespace, false)));
  await reads(account, namespace);
  const refused = await until('the quota is in force', async () => {
    const reply = await account.create(pod(namespace, 'second'), { dryRun: true });
    return reply.status !== 201 && reply;
  });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('exceeded quota: tenant-quota, requested: pods=1') },
  });
  expect((await account.get({ ...pod(namespace, ''), name: 'first', namespace })).status).toBe(200);
});

test('retirement removes every declared binding of users and machines, and keeps the data', async () => {
  const { cluster } = given;
  const { tenant, spec, klass, clients } = await staffed();
  const { name, namespace } = tenant;
  await deliver(cluster, name, { ...spec, lifecycle: 'Retired' }, { klass, before: tenant });
  await Promise.all(Object.values(clients).map((client) => reads(client, namespace, false)));
  const bindings = { apiVersion: `${rbac}/v1`, kind: 'RoleBinding', namespace };
  expect((await cluster.admin.list(bindings)).body.items).toEqual([]);
  const data = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'data' };
  expect((await cluster.admin.get(data)).status).toBe(200);
});

test('a removed member loses access at once, and the other members keep theirs (CVE-2019-6287, CVE-2021-36775)', async () => {
  const { cluster } = given;
  const names = [person('alice'), person('bob')];
  const [alice, bob] = names.map((name) => cluster.user(name)) as [Client, Client];
  const of = (users: string[]): TenantSpec => ({ access: { admins: { users } } });
  const both = await deliver(cluster, uniqueName('left'), of(names));
  await reads(alice, both.namespace);
  await reads(bob, both.namespace);
  const one = await deliver(cluster, both.name, of([names[1]!]), { before: both });
  await reads(alice, one.namespace, false);
  await reads(bob, one.namespace);
  await deliver(cluster, both.name, of([]), { before: one });
  await reads(bob, one.namespace, false);
});

test('a binding that a member created herself outlives her membership, and lacks the label', async () => {
  const { cluster } = given;
  const name = person('alice');
  const alice = cluster.user(name);
  const before = await deliver(cluster, uniqueName('kept'), {
    access: { admins: { users: [name] } },
  });
  const { namespace } = before;
  await reads(alice, namespace);
  const kind = { apiVersion: `${rbac}/v1`, kind: 'RoleBinding' };
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'admin' };
  const subjects = [{ apiGroup: rbac, kind: 'User', name }];
  const own = { ...kind, metadata: { name: 'back-door', namespace }, roleRef, subjects };
  expect(await alice.create(own)).toMatchObject({ status: 201 });
  await deliver(cluster, before.name, {}, { before });
  const list = await cluster.admin.list(
    { ...kind, namespace },
    { labelSelector: '!tenantry.dev/tenant' },
  );
  expect(list.body.items!.map(({ metadata }) => metadata!.name)).toEqual(['back-door']);
  await reads(alice, namespace);
});
