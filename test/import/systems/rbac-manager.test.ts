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
    'rbacBindings[0].clusterRoleBindings[0]': expect.stringContaining('whole cluster'),
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
      - { namespace: pay }
      - { clusterRole: edit }
`);
  const outcomes = readOutcomes(imported, 'RBACDefinition odd');
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome.startsWith('left'))).toEqual([
    ['rbacBindings[0].roleBindings[0]', 'left: the source does not have the namespace gone'],
    ['rbacBindings[0].roleBindings[1]', 'left: the source has no namespace with these labels'],
    ['rbacBindings[0].roleBindings[2]', 'left: it names no role, and rbac-manager refuses it'],
    [
      'rbacBindings[0].roleBindings[3]',
      'left: it selects no namespace, and rbac-manager refuses it',
    ],
    ['rbacBindings[0].expires', 'left: Tenantry does not know this field'],
  ]);
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
  expect(imported.report.leftOut).toEqual([
    expect.objectContaining({ object: 'RoleBinding web/access-shop-team-edit', accepted: true }),
  ]);
});

test('a binding that rbac-manager made for somebody else is reported', () => {
  const other = made.replace('jane@example.com', 'mallory');
  const { report } = importSystem(namespaces + definition + other);
  expect(report.outcome).toBe('different');
  expect(report.leftOut).toEqual([
    expect.objectContaining({ object: 'RoleBinding web/access-shop-team-edit', accepted: false }),
  ]);
});
