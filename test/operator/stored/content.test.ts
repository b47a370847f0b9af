import { expect, test } from '@jest/globals';
import { normalizeContent } from '../../../operator/stored/content.ts';
import { isSame, objectOf, buildContent, type ComparedKind } from './objects.ts';

const policy = (spec: object) => ({ spec });
const group = 'rbac.authorization.k8s.io';
const container = (fields: object) => ({ spec: { limits: [{ type: 'Container', ...fields }] } });
const hard = (amounts: object) => ({ spec: { hard: amounts } });
const port = (fields: object) => ({ spec: { podSelector: {}, ingress: [{ ports: [fields] }] } });
const bound = (subject: object) => ({
  roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'edit' },
  subjects: [subject],
});
const allows = (rule: object) => ({ rules: [rule] });
const budget = (spec: object) => ({ spec: { minAvailable: 1, ...spec } });

const pairs = (
  title: string,
  rows: readonly (readonly [string, ComparedKind, object, object])[],
  is: boolean,
): void => {
  test.each(rows)(`%s ${title}`, (_, kind, one, other) => {
    expect(isSame(kind, one, other)).toBe(is);
    expect(isSame(kind, other, one)).toBe(is);
  });
};

pairs(
  'means the same',
  [
    // Defaults of the API server.
    [
      'a binding that names no group of its role',
      'RoleBinding',
      { roleRef: { kind: 'Role', name: 'a' } },
      { roleRef: { apiGroup: group, kind: 'Role', name: 'a' } },
    ],
    [
      'a binding with an empty group of its role',
      'RoleBinding',
      { roleRef: { apiGroup: '', kind: 'Role', name: 'a' } },
      { roleRef: { apiGroup: group, kind: 'Role', name: 'a' } },
    ],
    [
      'a user without a group',
      'RoleBinding',
      bound({ kind: 'User', name: 'alice' }),
      bound({ apiGroup: group, kind: 'User', name: 'alice' }),
    ],
    [
      'a group without a group',
      'RoleBinding',
      bound({ kind: 'Group', name: 'team', apiGroup: '' }),
      bound({ apiGroup: group, kind: 'Group', name: 'team' }),
    ],
    [
      'a service account with the core group',
      'RoleBinding',
      bound({ kind: 'ServiceAccount', name: 'ci', namespace: 'shop', apiGroup: '' }),
      bound({ kind: 'ServiceAccount', name: 'ci', namespace: 'shop' }),
    ],
    [
      'a user with an empty namespace',
      'RoleBinding',
      bound({ kind: 'User', name: 'alice', namespace: '' }),
      bound({ kind: 'User', name: 'alice' }),
    ],
    [
      'a port without a protocol',
      'NetworkPolicy',
      port({ port: 80 }),
      port({ port: 80, protocol: 'TCP' }),
    ],
    ['an empty port', 'NetworkPolicy', port({}), port({ protocol: 'TCP' })],
    [
      'a port with protocol null',
      'NetworkPolicy',
      port({ port: 80, protocol: null }),
      port({ port: 80, protocol: 'TCP' }),
    ],
    [
      'an egress port without a protocol',
      'NetworkPolicy',
      policy({ egress: [{ ports: [{ port: 53 }] }] }),
      policy({
        podSelector: {},
        egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }],
        policyTypes: ['Egress', 'Ingress'],
      }),
    ],
    [
      'a policy without directions',
      'NetworkPolicy',
      policy({ podSelector: {} }),
      policy({ podSelector: {}, policyTypes: ['Ingress'] }),
    ],
    [
      'a policy with an empty list of directions',
      'NetworkPolicy',
      policy({ policyTypes: [] }),
      policy({ policyTypes: ['Ingress'] }),
    ],
    [
      'a policy with an empty list of egress rules',
      'NetworkPolicy',
      policy({ egress: [] }),
      policy({ policyTypes: ['Ingress'] }),
    ],
    [
      'a policy with egress and without directions',
      'NetworkPolicy',
      policy({ podSelector: {}, egress: [{}] }),
      policy({ podSelector: {}, egress: [{}], policyTypes: ['Ingress', 'Egress'] }),
    ],
    [
      'a policy without a selector',
      'NetworkPolicy',
      policy({ policyTypes: ['Ingress'] }),
      policy({ podSelector: {}, policyTypes: ['Ingress'] }),
    ],
    [
      'a policy with selector null',
      'NetworkPolicy',
      policy({ podSelector: null }),
      policy({ podSelector: {} }),
    ],
    [
      'a peer with a selector that is null',
      'NetworkPolicy',
      policy({ ingress: [{ from: [{ podSelector: {}, namespaceSelector: null }] }] }),
      policy({ ingress: [{ from: [{ podSelector: {} }] }] }),
    ],
    [
      'the maximum of a container',
      'LimitRange',
      container({ max: { cpu: '2' } }),
      container({ max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } }),
    ],
    [
      'the default of a container',
      'LimitRange',
      container({ default: { cpu: '1' } }),
      container({ default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
    ],
    [
      'the minimum of a container',
      'LimitRange',
      container({ min: { cpu: '1' } }),
      container({ min: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
    ],
    [
      'the maximum of a container with a lower default',
      'LimitRange',
      container({ max: { cpu: '2' }, min: { cpu: '100m' }, default: { cpu: '1' } }),
      container({
        max: { cpu: '2' },
        min: { cpu: '100m' },
        default: { cpu: '1' },
        defaultRequest: { cpu: '1' },
      }),
    ],
    [
      'a container with an explicit request',
      'LimitRange',
      container({ default: { cpu: '1' }, defaultRequest: { cpu: '500m' } }),
      container({ defaultRequest: { cpu: '0.5' }, default: { cpu: 1 } }),
    ],
    // Empty fields.
    ['no amounts', 'ResourceQuota', { spec: {} }, hard({})],
    ['no spec', 'ResourceQuota', {}, hard({})],
    [
      'scopes null',
      'ResourceQuota',
      { spec: { hard: { pods: 1 }, scopes: null } },
      hard({ pods: 1 }),
    ],
    ['no rules', 'Role', { rules: [] }, {}],
    [
      'a rule without names',
      'Role',
      allows({ verbs: ['get'], resourceNames: [] }),
      allows({ verbs: ['get'] }),
    ],
    ['nobody', 'RoleBinding', { subjects: [] }, {}],
    ['an account without pull secrets', 'ServiceAccount', { imagePullSecrets: [] }, {}],
    [
      'an account with what controllers wrote',
      'ServiceAccount',
      { secrets: [{ name: 'one-token-x' }] },
      {},
    ],
    [
      'a rule with no peers',
      'NetworkPolicy',
      policy({ ingress: [{ from: [] }] }),
      policy({ ingress: [{}] }),
    ],
    [
      'a selector without expressions',
      'PodDisruptionBudget',
      budget({ selector: { matchLabels: { a: 'b' }, matchExpressions: [] } }),
      budget({ selector: { matchLabels: { a: 'b' } } }),
    ],
    [
      'a Namespace with finalizers',
      'Namespace',
      { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
      {},
    ],
    [
      'a quota with a status',
      'ResourceQuota',
      { ...hard({ pods: '1' }), status: { used: { pods: '0' } } },
      hard({ pods: '1' }),
    ],
    [
      'a budget with a status',
      'PodDisruptionBudget',
      { ...budget({}), status: { expectedPods: 3 } },
      budget({}),
    ],
    // Spelling and order.
    ['half a core', 'ResourceQuota', hard({ cpu: '0.5' }), hard({ cpu: '500m' })],
    ['a number', 'ResourceQuota', hard({ pods: 10 }), hard({ pods: '10' })],
    ['a power of two', 'ResourceQuota', hard({ memory: '1Gi' }), hard({ memory: '1024Mi' })],
    ['an exponent', 'ResourceQuota', hard({ memory: '1e3' }), hard({ memory: '1k' })],
    [
      'an amount finer than a thousandth',
      'ResourceQuota',
      hard({ cpu: '1100u' }),
      hard({ cpu: '2m' }),
    ],
    [
      'a fine ratio',
      'LimitRange',
      container({ maxLimitRequestRatio: { cpu: '1.0001' } }),
      container({ maxLimitRequestRatio: { cpu: '1001m' } }),
    ],
    [
      'another order of rules and verbs',
      'Role',
      { rules: [{ verbs: ['get', 'list'] }, { verbs: ['watch'] }] },
      { rules: [{ verbs: ['watch'] }, { verbs: ['list', 'get'] }] },
    ],
    [
      'another order of fields',
      'Role',
      allows({ verbs: ['get'], resources: ['pods'] }),
      allows({ resources: ['pods'], verbs: ['get'] }),
    ],
  ],
  true,
);

pairs(
  'means something else',
  [
    [
      'a policy for all pods of all namespaces',
      'NetworkPolicy',
      policy({ ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] }),
      policy({ ingress: [{ from: [{ podSelector: {} }] }] }),
    ],
    [
      'a rule for every subject',
      'NetworkPolicy',
      policy({ ingress: [{}] }),
      policy({ ingress: [] }),
    ],
    [
      'a peer that selects pods',
      'NetworkPolicy',
      policy({ ingress: [{ from: [{ podSelector: {} }] }] }),
      policy({ ingress: [{ from: [{}] }] }),
    ],
    ['UDP', 'NetworkPolicy', port({ port: 53 }), port({ port: 53, protocol: 'UDP' })],
    ['a port by its number', 'NetworkPolicy', port({ port: 80 }), port({ port: '80' })],
    [
      'a direction less',
      'NetworkPolicy',
      policy({ egress: [{}] }),
      policy({ egress: [{}], policyTypes: ['Ingress'] }),
    ],
    ['a budget for all pods', 'PodDisruptionBudget', budget({ selector: {} }), budget({})],
    [
      'a percentage of pods',
      'PodDisruptionBudget',
      { spec: { minAvailable: '1' } },
      { spec: { minAvailable: 1 } },
    ],
    [
      'a label with an empty value',
      'PodDisruptionBudget',
      budget({ selector: { matchLabels: { a: '' } } }),
      budget({ selector: { matchLabels: {} } }),
    ],
    [
      'a label named like a selector',
      'PodDisruptionBudget',
      budget({ selector: { matchLabels: { selector: 'x' } } }),
      budget({ selector: { matchLabels: {} } }),
    ],
    [
      'a field of a newer version',
      'PodDisruptionBudget',
      budget({ unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      budget({}),
    ],
    [
      'an unknown field of quotas',
      'ResourceQuota',
      { spec: { hard: { pods: 1 }, strict: true } },
      hard({ pods: 1 }),
    ],
    [
      'an unknown field of limits',
      'LimitRange',
      { spec: { limits: [], strict: true } },
      { spec: { limits: [] } },
    ],
    [
      'a quota for some pods',
      'ResourceQuota',
      { spec: { hard: { pods: 1 }, scopes: ['Terminating'] } },
      hard({ pods: 1 }),
    ],
    ['no limit, and an empty one', 'ResourceQuota', hard({ pods: '0' }), hard({})],
    ['a thousandth', 'ResourceQuota', hard({ cpu: '1m' }), hard({ cpu: '1001u' })],
    [
      'a limit of a pod instead of a container',
      'LimitRange',
      container({ max: { cpu: '2' } }),
      { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    ],
    [
      'a limit of pods with a default',
      'LimitRange',
      { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
      { spec: { limits: [{ type: 'Pod', max: { cpu: '2' }, default: { cpu: '2' } }] } },
    ],
    [
      'an account that mounts no token',
      'ServiceAccount',
      { automountServiceAccountToken: false },
      {},
    ],
    [
      'an account with another pull secret',
      'ServiceAccount',
      { imagePullSecrets: [{ name: 'a' }] },
      { imagePullSecrets: [{ name: 'b' }] },
    ],
    [
      'the core group',
      'Role',
      allows({ verbs: ['get'], apiGroups: [''] }),
      allows({ verbs: ['get'] }),
    ],
    [
      'one name more',
      'Role',
      allows({ verbs: ['get'], resourceNames: ['a'] }),
      allows({ verbs: ['get'] }),
    ],
    [
      'a user with the name of a group',
      'RoleBinding',
      bound({ kind: 'User', name: 'a' }),
      bound({ kind: 'Group', name: 'a' }),
    ],
    [
      'an account of another namespace',
      'RoleBinding',
      bound({ kind: 'ServiceAccount', name: 'a', namespace: 'a' }),
      bound({ kind: 'ServiceAccount', name: 'a', namespace: 'b' }),
    ],
    [
      'another role',
      'RoleBinding',
      { roleRef: { kind: 'Role', name: 'a' } },
      { roleRef: { kind: 'ClusterRole', name: 'a' } },
    ],
    [
      'a repeated rule',
      'Role',
      { rules: [{ verbs: ['get'] }, { verbs: ['get'] }] },
      { rules: [{ verbs: ['get'] }] },
    ],
    [
      'a text that looks like an amount',
      'Role',
      allows({ verbs: ['0.5'] }),
      allows({ verbs: ['500m'] }),
    ],
    [
      'a list instead of its entry',
      'Role',
      allows({ verbs: [['get']] }),
      allows({ verbs: ['get'] }),
    ],
  ],
  false,
);

test('a kind that only occurs among resources is not read, nor is one of the same name in another group', () => {
  const metadata = { name: 'a', namespace: 'shop' };
  expect(normalizeContent({ apiVersion: 'v1', kind: 'ConfigMap', metadata })).toBeUndefined();
  expect(
    normalizeContent({ apiVersion: 'example.com/v1', kind: 'Role', metadata }),
  ).toBeUndefined();
  expect(normalizeContent({ apiVersion: 'v1', kind: 'Role', metadata })).toBeUndefined();
});

test('only amounts are quantities, not scopes or names of types', () => {
  const quota = buildContent('ResourceQuota', hard({ cpu: '1' }));
  expect(quota.isQuantity(['spec', 'hard', 'cpu'])).toBe(true);
  expect(quota.isQuantity(['spec', 'scopes', 0])).toBe(false);
  const range = buildContent('LimitRange', container({ max: { cpu: '1' } }));
  expect(range.isQuantity(['spec', 'limits', 0, 'max', 'cpu'])).toBe(true);
  expect(range.isQuantity(['spec', 'limits', 0, 'type'])).toBe(false);
  expect(buildContent('Role', {}).isQuantity(['rules', 0, 'verbs', 0])).toBe(false);
});

test('reading an object does not change it', () => {
  const object = objectOf('LimitRange', container({ max: { cpu: '2' }, default: null }));
  const before = structuredClone(object);
  normalizeContent(object);
  expect(object).toEqual(before);
});

test('a service account subject gets no group, unlike users and groups', () => {
  const subject = { kind: 'ServiceAccount', name: 'ci', namespace: 'shop' };
  const { fields } = buildContent('RoleBinding', bound(subject));
  expect(fields['subjects']).toEqual([subject]);
});
