import { expect, test } from '@jest/globals';
import { made, namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';

const oil = namespaces('oil', { 'oil-dev': '', 'oil-prod': 'stage: live' });

test('owners are admins of all namespaces, and no longer delete them', () => {
  const imported = importSystem(
    oil +
      tenant('oil', '{ owners: [{ kind: User, name: alice }, { kind: Group, name: drillers }] }'),
  );
  expect(readTenant(imported, 'oil')).toMatchObject({
    access: { admins: { users: ['alice'], groups: ['drillers'] } },
  });
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.owners[0].kind': 'taken: `access` of the tenant',
    'spec.owners[0].name': expect.stringMatching(/^changed: .*capsule-namespace-deleter/),
  });
  expect(imported.report.outcome).toBe('different');
});

test('an owner with ClusterRoles has these, and no others', () => {
  const owners = '{ owners: [{ kind: User, name: alice, clusterRoles: [view] }] }';
  const imported = importSystem(oil + tenant('oil', owners));
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { viewers: { users: ['alice'] } } });
  expect(readTenant(imported, 'oil')).not.toHaveProperty('access.admins');
  expect(imported.report.outcome).toBe('done');
  const none = '{ owners: [{ kind: User, name: alice, clusterRoles: [] }] }';
  expect(readTenant(importSystem(oil + tenant('oil', none)), 'oil')).not.toHaveProperty('access');
});

test.each([
  ['system:serviceaccount:oil-dev:robot', true],
  ['robot', false],
  ['oil-dev:robot', false],
  ['system:serviceaccount:oil-dev:robot:more', false],
  ['system:serviceaccount::robot', false],
])('a ServiceAccount is an owner by its user name: %s %p', (name, isOwner) => {
  const owner = `{ owners: [{ kind: ServiceAccount, name: '${name}', clusterRoles: [edit] }] }`;
  const imported = importSystem(oil + tenant('oil', owner));
  const robot = { serviceAccounts: [{ name: 'robot', namespace: 'oil-dev' }] };
  if (isOwner) expect(readTenant(imported, 'oil')).toMatchObject({ access: { editors: robot } });
  else expect(readTenant(imported, 'oil')).not.toHaveProperty('access');
  expect(imported.report.outcome).toBe(isOwner ? 'done' : 'different');
});

const owner = (name: string, labels: string) => `
apiVersion: capsule.clastix.io/v1beta2
kind: TenantOwner
metadata: { name: ${name}, labels: { ${labels} } }
spec: { kind: User, name: ${name}, clusterRoles: [edit], aggregate: true }
---`;

test('TenantOwners are owners by the label with the tenant, or by its selectors', () => {
  const gas = namespaces('gas', { 'gas-dev': '' });
  const imported = importSystem(
    oil +
      gas +
      tenant('oil', '{ permissions: { matchOwners: [{ matchLabels: { team: rig } }] } }') +
      tenant('gas', '{}') +
      owner('ann', 'team: rig') +
      owner('bob', 'projectcapsule.dev/tenant: gas') +
      owner('eve', 'team: none'),
  );
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { editors: { users: ['ann'] } } });
  expect(readTenant(imported, 'gas')).toMatchObject({ access: { editors: { users: ['bob'] } } });
  expect(readOutcomes(imported, 'TenantOwner eve')).toEqual({
    spec: 'left: no Tenant of the source that has namespaces selects it',
  });
});

test('bindings of a rule are in the namespaces that it selects, and additional ones in all', () => {
  const spec = `
  additionalRoleBindings:
    - clusterRoleName: view
      subjects: [{ kind: Group, name: auditors, apiGroup: rbac.authorization.k8s.io }]
  rules:
    - namespaceSelector: { matchLabels: { stage: live } }
      permissions:
        bindings:
          - { clusterRoleName: edit, subjects: [{ kind: User, name: ops }], labels: { a: b } }
          - { clusterRoleName: edit, subjects: [{ kind: ServiceAccount, name: lost }] }
`;
  const imported = importSystem(oil + tenant('oil', spec));
  expect(readTenant(imported, 'oil')).toMatchObject({
    access: { viewers: { groups: ['auditors'] } },
    namespaces: [
      { name: 'oil-dev' },
      { name: 'oil-prod', access: { editors: { users: ['ops'] } } },
    ],
  });
  expect(readTenant(imported, 'oil')).not.toHaveProperty('namespaces[0].access');
  expect(readOutcomes(imported, 'Tenant oil')).toMatchObject({
    'spec.rules[0].permissions.bindings[0].labels': expect.stringMatching(/^left: RoleBindings/),
    'spec.rules[0].permissions.bindings[1].subjects[0]':
      expect.stringMatching(/^left: .*namespace/),
  });
});

const account = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: robot, namespace: oil-dev, labels: { owner.projectcapsule.dev/promote: 'true' } }
---`;

const configuration = (spec: string): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: CapsuleConfiguration
metadata: { name: default }
spec: ${spec}
---`;

test('promoted ServiceAccounts have what the configuration gives them, and nothing without it', () => {
  const spec = '{ permissions: { allowOwnerPromotion: true } }';
  const unknown = importSystem(oil + tenant('oil', spec) + account);
  expect(readOutcomes(unknown, 'Tenant oil')).toEqual({
    'spec.permissions.allowOwnerPromotion': expect.stringMatching(/^left: .*CapsuleConfiguration/),
  });
  const allowed =
    '{ allowServiceAccountPromotion: true, rbac: { promotionClusterRoles: [capsule-namespace-deleter, edit] } }';
  const imported = importSystem(oil + tenant('oil', spec) + account + configuration(allowed));
  expect(readTenant(imported, 'oil')).toMatchObject({
    access: { editors: { serviceAccounts: [{ name: 'robot', namespace: 'oil-dev' }] } },
  });
  const denied = importSystem(oil + tenant('oil', spec) + account + configuration('{}'));
  expect(readTenant(denied, 'oil')).not.toHaveProperty('access');
  const off = '{ permissions: { allowOwnerPromotion: false } }';
  const switched = importSystem(oil + tenant('oil', off) + account + configuration(allowed));
  expect(readTenant(switched, 'oil')).not.toHaveProperty('access');
});

test('rules give rights to labeled ServiceAccounts of the namespaces that they select', () => {
  const spec = `{ rules: [{ permissions: { promotions: [{ clusterRoles: [view], selector: { matchLabels: { app: ci } } }] } }] }`;
  const labeled = (name: string, labels: string): string =>
    `\napiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${name}, namespace: oil-prod, labels: { ${labels} } }\n---`;
  const imported = importSystem(
    oil +
      tenant('oil', spec) +
      labeled('ci', "projectcapsule.dev/promote: 'true', app: ci") +
      labeled('other', "projectcapsule.dev/promote: 'true'") +
      labeled('plain', 'app: ci'),
  );
  expect(readTenant(imported, 'oil')).toMatchObject({
    access: { viewers: { serviceAccounts: [{ name: 'ci', namespace: 'oil-prod' }] } },
  });
});

test('administrators have the ClusterRoles of the configuration in every tenant', () => {
  const spec =
    '{ administrators: [{ kind: Group, name: root }], rbac: { administrationClusterRoles: [capsule-namespace-deleter, view] } }';
  const imported = importSystem(oil + tenant('oil', '{}') + configuration(spec));
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { viewers: { groups: ['root'] } } });
  expect(readOutcomes(imported, 'CapsuleConfiguration default')).toMatchObject({
    'spec.administrators[0]': expect.stringMatching(/^left: /),
  });
});

const owners = tenant('oil', '{ owners: [{ kind: User, name: alice, clusterRoles: [admin] }] }');

const binding = (user: string): string =>
  made(
    'RoleBinding',
    'capsule:managed:0f2a',
    'oil',
    `roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user} }]`,
  );

test('a binding that Capsule made is explained by the owners, and one for somebody else is reported', () => {
  const same = importSystem(oil + owners + binding('alice'));
  expect(same.report.leftOut).toEqual([]);
  expect(same.report.made).toMatchObject([{ kind: 'RoleBinding', objects: 1 }]);
  expect(same.report.outcome).toBe('done');
  const other = importSystem(oil + owners + binding('mallory'));
  expect(other.report.leftOut).toEqual([expect.objectContaining({ accepted: false })]);
  expect(JSON.stringify(readTenant(other, 'oil'))).not.toContain('mallory');
});
