import { expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { assessEffect, givesAccess } from '../../../operator/drift/undeclared-effect.ts';
import { readBrief, isBroadRole } from '../../../operator/cluster/kinds.ts';
import { refusal } from '../../constructs/policy-request.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const space: KubeObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'acme',
    labels: { 'tenantry.dev/tenant': 'acme' },
    annotations: {
      'policy.tenantry.dev/namespaces': 'acme\nacme-dev',
      'policy.tenantry.dev/cluster-roles': 'view',
      'policy.tenantry.dev/subjects': 'Group team',
      'policy.tenantry.dev/subject-patterns': 'User *@example.com',
    },
  },
};

const binding = (role: string, ...subjects: object[]): KubeObject => ({
  apiVersion: `${apiGroup}/v1`,
  kind: 'RoleBinding',
  metadata: { namespace: 'acme', name: 'x' },
  roleRef: { apiGroup, kind: 'ClusterRole', name: role },
  subjects,
});
const policy = (spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'acme', name: 'x' },
  spec: { podSelector: {}, ...spec },
});
const user = (name: string) => ({ kind: 'User', apiGroup, name });

const objects: readonly (readonly [boolean, KubeObject])[] = [
  [false, binding('view', { kind: 'Group', apiGroup, name: 'team' })],
  [false, binding('view', user('eve@example.com'))],
  [false, binding('view', { kind: 'ServiceAccount', namespace: 'acme-dev', name: 'ci' })],
  [false, binding('view')],
  [true, binding('view', user('eve'))],
  [true, binding('view', { kind: 'ServiceAccount', namespace: 'other', name: 'ci' })],
  [true, binding('admin', { kind: 'Group', apiGroup, name: 'team' })],
  [true, binding('view', { kind: 'Group', apiGroup, name: 'system:authenticated' })],
  [false, policy({ ingress: [] })],
  [false, policy({ ingress: [{ from: [{ podSelector: {} }] }] })],
  [true, policy({ ingress: [{}] })],
  [true, policy({ ingress: [{ from: [{ namespaceSelector: {} }] }] })],
];

test("an object gives access if the admission policies would refuse it to the tenant's users", () => {
  const concerns = { RoleBinding: 'roleBindings', NetworkPolicy: 'networkPolicies' } as const;
  for (const [gives, object] of objects) {
    const concern = concerns[object.kind as keyof typeof concerns];
    expect([object, givesAccess(object.kind, object, space)]).toEqual([object, gives]);
    expect([object, refusal(concern, space, { object }) !== undefined]).toEqual([object, gives]);
  }
});

test('an unknown object or namespace counts as access, and limits never do', () => {
  const [, plain] = objects[0]!;
  expect(givesAccess('RoleBinding', undefined, space)).toBe(true);
  expect(givesAccess('RoleBinding', plain, undefined)).toBe(true);
  expect(givesAccess('ResourceQuota', undefined, undefined)).toBe(false);
});

test("content is not kept of objects with a tenant's label, nor of large objects", () => {
  const [, plain] = objects[4]!;
  expect(readBrief(plain)).toEqual({
    brief: { roleRef: plain['roleRef'], subjects: plain['subjects'] },
  });
  const labels = { 'tenantry.dev/tenant': 'acme' };
  expect(readBrief({ ...plain, metadata: { ...plain.metadata, labels } })).toEqual({});
  const many = Array.from({ length: 200 }, (_, i) => user(`user-${i}`));
  expect(readBrief(binding('view', ...many))).toEqual({});
});

test('an effect is bounded and contains no terminal control characters', () => {
  const many = Array.from({ length: 14 }, (_, i) => user(`user-${i}`));
  expect(assessEffect(binding('view', ...many))).toMatchObject({ moreSubjects: 4 });
  const long = assessEffect(binding('view', user(`${'a'.repeat(2_000)}`)));
  expect([...long.subjects![0]!].length).toBeLessThanOrEqual(320);
  const escape = assessEffect(binding('view', user('eve\u001b[2J')));
  expect(escape.subjects).toEqual(['User eve\\u001b[2J']);
});

test.each([
  [true, { verbs: ['*'], resources: ['pods'], apiGroups: [''] }],
  [true, { verbs: ['get'], resources: ['*'], apiGroups: [''] }],
  [true, { verbs: ['get'], resources: ['pods'], apiGroups: ['*'] }],
  [true, { verbs: ['bind'], resources: ['roles'], apiGroups: [apiGroup] }],
  [true, { verbs: ['impersonate'], resources: ['serviceaccounts'], apiGroups: [''] }],
  [false, { verbs: ['get', 'create'], resources: ['pods'], apiGroups: [''] }],
])('whether a role is broad: %s', (isBroad, rule) => {
  const metadata = { namespace: 'acme', name: 'x' };
  const role = { apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata, rules: [rule] };
  expect(isBroadRole(role)).toBe(isBroad);
});
