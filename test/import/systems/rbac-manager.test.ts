import { expect, test } from '@jest/globals';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';

const namespaces = `
apiVersion: v1
kind: Namespace
metadata: { name: web, labels: { team: shop } }
---
apiVersion: v1
kind: Namespace
metadata: { name: api, labels: { team: shop } }
---
apiVersion: v1
kind: Namespace
metadata: { name: pay }
---
`;

/** The definition of the project's documentation, with each of its fields. */
const definition = `
apiVersion: rbacmanager.reactiveops.io/v1beta1
kind: RBACDefinition
metadata: { name: access }
rbacBindings:
  - name: shop-team
    subjects:
      - { kind: User, name: jane@example.com }
      - { kind: Group, name: shop }
    roleBindings:
      - { clusterRole: edit, namespaceSelector: { matchLabels: { team: shop } } }
      - { clusterRole: view, namespace: pay }
  - name: ci
    subjects:
      - kind: ServiceAccount
        name: robot
        namespace: pay
        imagePullSecrets: [regcred]
        automountServiceAccountToken: false
    roleBindings:
      - { clusterRole: admin, namespace: pay }
`;

test('subjects of an RBACDefinition get their roles in the namespaces that it selects', () => {
  const imported = importSystem(namespaces + definition);
  const people = { users: ['jane@example.com'], groups: ['shop'] };
  expect(readTenant(imported, 'web')).toMatchObject({ access: { editors: people } });
  expect(readTenant(imported, 'api')).toMatchObject({ access: { editors: people } });
  expect(readTenant(imported, 'pay')).toMatchObject({
    access: { viewers: people, admins: { serviceAccounts: [{ name: 'robot' }] } },
    serviceAccounts: [
      { name: 'robot', imagePullSecrets: ['regcred'], automountServiceAccountToken: false },
    ],
  });
  expect(imported.report.outcome).toBe('done');
});

test('a role in the whole cluster is no right of a tenant, and must be accepted by name', () => {
  const whole = `
apiVersion: rbacmanager.reactiveops.io/v1beta1
kind: RBACDefinition
metadata: { name: ops }
rbacBindings:
  - name: ops
    subjects: [{ kind: User, name: root }]
    clusterRoleBindings: [{ clusterRole: cluster-admin }]
`;
  const imported = importSystem(namespaces + whole);
  expect(imported.report.outcome).toBe('different');
  expect(readOutcomes(imported, 'RBACDefinition ops')).toMatchObject({
    'rbacBindings[0].clusterRoleBindings[0].clusterRole': expect.stringContaining('whole cluster'),
  });
  expect(importSystem(namespaces + whole, ['RBACDefinition ops']).report.outcome).toBe('done');
});

test('a binding without a namespace of the source is left, and so is a field that nobody knows', () => {
  const imported = importSystem(`${namespaces}
apiVersion: rbacmanager.reactiveops.io/v1beta1
kind: RBACDefinition
metadata: { name: odd }
rbacBindings:
  - name: odd
    expires: tomorrow
    subjects: [{ kind: User, name: jane }]
    roleBindings:
      - { clusterRole: edit, namespace: gone }
      - { clusterRole: edit, namespaceSelector: { matchLabels: { team: none } } }
`);
  const outcomes = readOutcomes(imported, 'RBACDefinition odd');
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome.startsWith('left'))).toEqual([
    [
      'rbacBindings[0].roleBindings[0].clusterRole',
      'left: the source does not have the namespace gone',
    ],
    [
      'rbacBindings[0].roleBindings[0].namespace',
      'left: the source does not have the namespace gone',
    ],
    [
      'rbacBindings[0].roleBindings[1].clusterRole',
      'left: the source has no namespace with these labels',
    ],
    [
      'rbacBindings[0].roleBindings[1].namespaceSelector.matchLabels.team',
      'left: the source has no namespace with these labels',
    ],
    ['rbacBindings[0].expires', 'left: Tenantry does not know this field'],
  ]);
});

const define = (rbacBindings: string, name = 'one'): string => `
---
apiVersion: rbacmanager.reactiveops.io/v1beta1
kind: RBACDefinition
metadata: { name: ${name} }
rbacBindings:
${rbacBindings}
`;

const listRights = (text: string): string[] =>
  importSystem(namespaces + text).result.translated.objects.flatMap(({ object }) =>
    object.kind === 'RoleBinding'
      ? (object as unknown as { subjects: { name: string }[] }).subjects.map(
          ({ name }) => `${object.metadata.namespace} ${name} ${object.metadata.name}`,
        )
      : [],
  );

test.each([
  ['names no role', '{ namespace: pay }'],
  ['selects no namespace', '{ clusterRole: view }'],
  ['selects no namespace', '{ clusterRole: view, namespaceSelector: {} }'],
  [
    'has a selector that is invalid',
    '{ clusterRole: view, namespaceSelector: { matchExpressions: [{ key: team, operator: In }] } }',
  ],
  [
    'has a selector that is invalid',
    "{ clusterRole: view, namespaceSelector: { matchLabels: { team: 'a b' } } }",
  ],
])('a definition with a binding that %s grants nothing at all', (fault, broken) => {
  const text = define(`  - name: a
    subjects: [{ kind: User, name: jane }]
    roleBindings: [{ clusterRole: edit, namespace: pay }, ${broken}]`);
  expect(listRights(text)).toEqual([]);
  for (const outcome of Object.values(
    readOutcomes(importSystem(namespaces + text), 'RBACDefinition one'),
  )) {
    expect(outcome).toContain(`rbacBindings[0].roleBindings[1] ${fault}`);
  }
});

test('namespaces have the label with their name, whether or not the manifest states it', () => {
  const select = (operator: string): string =>
    define(`  - name: a
    subjects: [{ kind: User, name: jane }]
    roleBindings:
      - clusterRole: edit
        namespaceSelector:
          matchExpressions: [{ key: kubernetes.io/metadata.name, operator: ${operator}, values: [pay] }]`);
  expect(listRights(select('In'))).toEqual(['pay jane tenant-clusterrole-edit']);
  expect(listRights(select('NotIn')).map((right) => right.split(' ')[0])).toEqual(['web', 'api']);
});

test('a ServiceAccount without a namespace voids the bindings beside it, as on the API server', () => {
  const text = define(`  - name: a
    subjects: [{ kind: User, name: jane }, { kind: ServiceAccount, name: robot }]
    roleBindings: [{ clusterRole: edit, namespace: pay }]`);
  expect(listRights(text)).toEqual([]);
  expect(readOutcomes(importSystem(namespaces + text), 'RBACDefinition one')).toMatchObject({
    'rbacBindings[0].roleBindings[0].clusterRole': expect.stringMatching(/^left: the API server/),
  });
});

test('of two bindings that rbac-manager names alike only the first grants something', () => {
  const parts = (user: string): string => `  - name: a
    subjects: [{ kind: User, name: ${user} }]
    roleBindings: [{ clusterRole: edit, namespace: pay }]`;
  const text = define(`${parts('jane')}\n${parts('mallory')}`);
  expect(listRights(text)).toEqual(['pay jane tenant-clusterrole-edit']);
  expect(readOutcomes(importSystem(namespaces + text), 'RBACDefinition one')).toMatchObject({
    'rbacBindings[1].roleBindings[0].clusterRole':
      'left: rbac-manager has another RoleBinding one-a-edit in pay',
  });
});

test('two definitions that bind one subject to one role are one right', () => {
  const parts = `  - name: a
    subjects: [{ kind: User, name: jane }]
    roleBindings: [{ clusterRole: edit, namespace: pay }]`;
  const text = define(parts) + define(parts, 'two');
  expect(listRights(text)).toEqual(['pay jane tenant-clusterrole-edit']);
  expect(importSystem(namespaces + text).report.outcome).toBe('done');
});

test('a ServiceAccount has the content of the binding that names it first, and keeps its name', () => {
  const parts = (name: string, more: string): string => `  - name: ${name}
    subjects: [{ kind: ServiceAccount, name: robot, namespace: pay${more} }]
    roleBindings: [{ clusterRole: ${name}, namespace: pay }]`;
  const text = define(
    `${parts('edit', ', imagePullSecrets: [a]')}\n${parts('view', ', imagePullSecrets: [b]')}`,
  );
  const imported = importSystem(namespaces + text);
  expect(readTenant(imported, 'pay')).toMatchObject({
    serviceAccounts: [{ name: 'robot', imagePullSecrets: ['a'] }],
  });
  expect(readOutcomes(imported, 'RBACDefinition one')).toMatchObject({
    'rbacBindings[1].subjects[0].imagePullSecrets[0]':
      'left: rbac-manager has another ServiceAccount pay/robot',
  });
});

test('a binding to a Role that the source lacks is left out and reported, and so is cluster-admin', () => {
  const text = define(`  - name: a
    subjects: [{ kind: User, name: jane }]
    roleBindings: [{ role: deployer, namespace: pay }, { clusterRole: cluster-admin, namespace: pay }]`);
  const { report } = importSystem(namespaces + text);
  expect(report.outcome).toBe('different');
  expect(report.omitted.map(({ reason }) => reason).toSorted()).toEqual([
    expect.stringMatching(/binds the Role 'deployer', which is not imported/),
    expect.stringMatching(/must be a role for tenants, got 'cluster-admin'/),
  ]);
});

test('an empty selector of labels grants rights in every namespace, and in protected ones they are reported', () => {
  const text = define(`  - name: a
    subjects: [{ kind: User, name: jane, apiGroup: '' }]
    roleBindings: [{ clusterRole: view, namespaceSelector: { matchLabels: {} } }]`);
  const system = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: kube-system }\n---\n';
  const { report } = importSystem(system + namespaces + text);
  expect(listRights(text).map((right) => right.split(' ')[0])).toEqual(['web', 'api', 'pay']);
  expect(report.omitted.map(({ object }) => object)).toContain(
    'RoleBinding kube-system/tenant-clusterrole-view',
  );
});

test('an object of another form than its kind is an error with its place', () => {
  const broken = definition.replace('- { kind: User, name: jane@example.com }', '- jane');
  expect(() => importSystem({ 'a.yaml': namespaces, 'rbac.yaml': broken })).toThrow(
    /rbac.yaml:2.* rbacBindings\[0\].subjects\[0\] must be .*got 'jane' \(RBACDefinition access\)/,
  );
});

/** What rbac-manager makes of the definition in the namespace `web`. */
const made = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: access-shop-team-edit
  namespace: web
  labels: { rbac-manager: reactiveops }
  ownerReferences:
    - { apiVersion: rbacmanager.reactiveops.io/v1beta1, kind: RBACDefinition, name: access, uid: '1' }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: jane@example.com }
`;

test('a binding that rbac-manager made is no object of its own if its definition explains it', () => {
  const imported = importSystem(namespaces + definition + made);
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.omitted).toEqual([
    expect.objectContaining({ object: 'RoleBinding web/access-shop-team-edit', accepted: true }),
  ]);
});

test('a binding that rbac-manager made for somebody else is reported', () => {
  const other = made.replace('jane@example.com', 'mallory');
  const { report } = importSystem(namespaces + definition + other);
  expect(report.outcome).toBe('different');
  expect(report.omitted).toEqual([
    expect.objectContaining({ object: 'RoleBinding web/access-shop-team-edit', accepted: false }),
  ]);
});
