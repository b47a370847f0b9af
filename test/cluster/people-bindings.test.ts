import { expect } from '@jest/globals';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { toReference } from '@tenantry/testing/controlplane/objects';
import { deliver, reads } from './tenant.ts';
import { account, binding, group, refusedBy, staffedTenant, user } from './people.ts';

const given = await sharedCluster();
const { test } = given;
const dryRun = { dryRun: true };
const nameOf = (subject: { kind: string; name: string; namespace?: string }) =>
  [subject.kind, [subject.namespace, subject.name].filter(Boolean).join('/')].join(' ');

test('an administrator binds roles that the class allows to declared subjects, and to no one else', async () => {
  const { cluster } = given;
  const other = await newNamespace(cluster, 'other');
  const { namespace, alice, name, tenant } = await staffedTenant(
    cluster,
    {
      namespaces: [{ name: 'shop' }, { name: 'pay' }],
      access: { viewers: { users: ['bob@example.com'], groups: ['github:shop'] } },
    },
    { allow: { serviceAccounts: [{ namespace: 'ci', name: 'release-*' }] } },
  );
  const sibling = tenant.namespace.replace(/shop$/, 'pay');
  const honest = [
    user(name),
    user('bob@example.com'),
    group('github:shop'),
    account(namespace, 'default'),
    account(sibling, 'anything'),
    account('ci', 'release-bot'),
    group(`system:serviceaccounts:${sibling}`),
  ];
  expect(await alice.create(binding(namespace, 'view', honest))).toMatchObject({ status: 201 });
  expect(await alice.create(binding(namespace, 'edit', honest), dryRun)).toMatchObject({
    status: 201,
  });
  expect(await alice.create(binding(namespace, 'Role/own', honest), dryRun)).toMatchObject({
    status: 404,
  });
  const foreignSubjects = [
    user('eve@example.com'),
    group('github:other'),
    group('system:authenticated'),
    group('system:unauthenticated'),
    group('system:masters'),
    group('system:serviceaccounts'),
    group(`system:serviceaccounts:${other}`),
    group('system:serviceaccounts:'),
    user(`system:serviceaccount:${namespace}:default`),
    user('system:anonymous'),
    user('github:shop'),
    group('bob@example.com'),
    account(other, 'default'),
    account('ci', 'other-bot'),
    account('kube-system', 'default'),
  ];
  for (const subject of foreignSubjects) {
    const asked = await alice.create(binding(namespace, 'view', [...honest, subject]), dryRun);
    const words = `must be for users, groups and service accounts that the tenant declares or its class allows, got ${nameOf(subject)}`;
    expect([subject, asked]).toMatchObject([subject, refusedBy('roleBindings', words)]);
  }
});

test('a role that the class does not allow is refused, even to a user who holds its rights', async () => {
  const { cluster } = given;
  const { namespace, alice, name } = await staffedTenant(cluster);
  const asked = await alice.create(binding(namespace, 'system:basic-user', [user(name)]), dryRun);
  expect(asked).toMatchObject(
    refusedBy('roleBindings', 'that the class allows (admin, edit, view), got system:basic-user'),
  );
});

test('a binding from before the policy must meet the same rules when it is changed', async () => {
  const { cluster } = given;
  const { namespace, alice, name } = await staffedTenant(cluster);
  const old = binding(namespace, 'view', [user('gone@example.com')]);
  expect((await cluster.admin.create(old)).status).toBe(201);
  const edit = { metadata: { labels: { a: 'b' } } };
  expect(await alice.patch(toReference(old), edit)).toMatchObject(
    refusedBy('roleBindings', 'got User gone@example.com'),
  );
  expect(await alice.patch(toReference(old), { subjects: [user(name)] })).toMatchObject({
    status: 200,
  });
  expect(await alice.patch(toReference(old), { subjects: [user('eve')] })).toMatchObject(
    refusedBy('roleBindings', 'got User eve'),
  );
  expect((await alice.delete(toReference(old))).status).toBe(200);
});

test('the class allows further subjects by name or by pattern, and never those of Kubernetes', async () => {
  const { cluster } = given;
  const roleBindings = { users: ['*@example.org', 'guest'], groups: ['github:*'] };
  const { namespace, alice } = await staffedTenant(cluster, {}, { selfService: { roleBindings } });
  const may = [user('eve@example.org'), user('guest'), group('github:x'), group('github:')];
  expect(await alice.create(binding(namespace, 'view', may), dryRun)).toMatchObject({
    status: 201,
  });
  const everyone = { roleBindings: { users: ['*'], groups: ['*'] } };
  const open = await staffedTenant(cluster, {}, { selfService: everyone });
  const anyone = binding(open.namespace, 'view', [user('eve'), group('x')]);
  expect(await open.alice.create(anyone, dryRun)).toMatchObject({ status: 201 });
  for (const subject of [group('system:authenticated'), user('system:anonymous')]) {
    const asked = await open.alice.create(binding(open.namespace, 'view', [subject]), dryRun);
    expect(asked).toMatchObject(refusedBy('roleBindings', `got ${subject.kind} ${subject.name}`));
  }
  for (const subject of [
    user('eve@example.com'),
    user('guest2'),
    group('gitlab:x'),
    user('github:x'),
  ]) {
    const asked = await alice.create(binding(namespace, 'view', [subject]), dryRun);
    expect(asked).toMatchObject(refusedBy('roleBindings', `got ${subject.kind} ${subject.name}`));
  }
});

test('a service account that stays while users are suspended does not let them in again', async () => {
  const { cluster } = given;
  const serviceAccounts = (name: string) => [{ name: 'ci', namespace: `${name}-shop` }];
  const before = await staffedTenant(cluster, { serviceAccounts: [{ name: 'ci' }] });
  const { name } = before.tenant;
  const access = { ...before.spec.access!, editors: { serviceAccounts: serviceAccounts(name) } };
  const admins = { users: [before.name], serviceAccounts: serviceAccounts(name) };
  const spec = { ...before.spec, access: { ...access, admins } };
  await deliver(cluster, name, { ...spec, lifecycle: 'Suspended' }, { before: before.tenant });
  const bot = await cluster.serviceAccount(before.namespace, 'ci');
  await reads(bot, before.namespace);
  const back = binding(before.namespace, 'view', [user(before.name)]);
  expect(await bot.create(back, dryRun)).toMatchObject(
    refusedBy('roleBindings', `got User ${before.name}`),
  );
});

test('a class that disables the policy leaves bindings to RBAC', async () => {
  const { cluster } = given;
  const selfService = { roleBindings: { policy: 'Disabled' as const } };
  const { namespace, alice } = await staffedTenant(cluster, {}, { selfService });
  const asked = await alice.create(binding(namespace, 'view', [user('eve')]), dryRun);
  expect(asked).toMatchObject({ status: 201 });
});

test('a hundred subjects against long lists of a tenant and its class stay within the cost limits of CEL', async () => {
  const { cluster } = given;
  const many = <T>(count: number, of: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => of(i));
  const words = (what: string) => many(100, (i) => `${what}-${i}-${'x'.repeat(40)}`);
  const { namespace, alice } = await staffedTenant(
    cluster,
    {
      namespaces: many(100, (i) => ({ name: i === 0 ? 'shop' : `n${i}`, clusters: ['fra1'] })),
      access: {
        viewers: { users: words('viewer'), groups: words('viewers') },
        editors: { users: words('editor'), groups: words('editors') },
      },
    },
    {
      allow: { serviceAccounts: many(100, (i) => ({ namespace: `ci-${i}` })) },
      selfService: {
        roleBindings: {
          users: words('user').map((name) => `${name}*`),
          groups: words('group').map((name) => `*${name}`),
        },
      },
    },
  );
  const subjects = many(100, (i) => account('ci-99', `bot-${i}`));
  expect(await alice.create(binding(namespace, 'view', subjects), dryRun)).toMatchObject({
    status: 201,
  });
  const asked = await alice.create(binding(namespace, 'view', [...subjects, user('eve')]), dryRun);
  expect(asked).toMatchObject(refusedBy('roleBindings', 'got User eve'));
});
