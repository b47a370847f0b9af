import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import { refusals } from './given.ts';

const API = 'apiVersion: tenantry.dev/v1alpha1\n';
const tenant = (spec: string, name = 'acme') =>
  `${API}kind: Tenant\nmetadata:\n  name: ${name}\nspec:\n${spec.replaceAll(/^/gm, '  ')}\n`;
const klass = `${API}kind: TenantClass
metadata: { name: strict }
spec:
  ceilings:
    namespaces: 1
    quota: { pods: 10 }
    podSecurity: restricted
  allowedTenants: { names: [other] }
`;
const platform: PlatformSpec = { clusters: [{ name: 'eu', kubernetesVersion: '1.36' }] };

/** Returns the findings of a file `t.yaml`, each without the file name. */
const collectProblems = (text: string, files: Record<string, string> = {}) =>
  refusals({ ...files, 't.yaml': text }, platform).map((line) => line.replace(/^t\.yaml:/, ''));

const dns = "must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got";
const kinds =
  'must be a Tenant (tenantry.dev/v1alpha1) or TenantClass (tenantry.dev/v1alpha1), got';
const quantity = "must be a quantity such as '500m', '2Gi' or 10, or 'unlimited', got";

test('a valid tenant has no findings', () => {
  expect(collectProblems(tenant('namespaces: [{name: shop}]'))).toEqual([]);
});

test.each<[string, string, string[]]>([
  [
    'broken YAML',
    'a: 1\nb: [1\n',
    ["2:4 must be YAML: the '[' that opens here is not closed before the end of the document"],
  ],
  [
    'a duplicate key',
    tenant('quota: {}\nquota: {}'),
    ["7:3 must be a key of its own, got 'quota' again"],
  ],
  ['no mapping', '- a\n', [`1:1 ${kinds} a list`]],
  ['another kind', 'kind: Pod\n', [`1:7 kind ${kinds} kind 'Pod'`]],
])('%s', (_name, text, messages) => {
  expect(collectProblems(text)).toEqual(messages);
});

test('an alias bomb is refused', () => {
  const lines = [...'bcdefgh'].map(
    (c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcdefg'[i]}`).join(',')}]\n`,
  );
  const [problem, ...more] = collectProblems(`a: &a [1,1,1,1,1,1,1,1,1,1]\n${lines.join('')}`);
  expect(problem).toMatch(/^\d+:\d+ must .*alias/);
  expect(more).toEqual([]);
});

test.each([
  ['../../x', "'../../x'"],
  ['a/b', "'a/b'"],
  ['"a\\nb"', "'a\\nb'"],
  ['"a\\0b"', "'a\\u0000b'"],
  ['Acme', "'Acme'"],
  ['a'.repeat(64), `'${'a'.repeat(57)}...'`],
  ['"a: [b]"', "'a: [b]'"],
  ['.', "'.'"],
  ['-a', "'-a'"],
  ['12', '12; YAML reads it as a number: write it in quotes, as it is meant'],
  ['{a: b}', 'a mapping; write b'],
  ['""', "''"],
])('a tenant named %s', (name, got) => {
  expect(collectProblems(tenant('{}', name))).toEqual([`4:9 metadata.name ${dns} ${got}`]);
});

test.each<[string, string, string[]]>([
  [
    'a quantity that is none',
    'quota: {hard: {pods: half}}',
    [`6:24 spec.quota.hard.pods ${quantity} 'half'`],
  ],
  [
    'a quantity below zero',
    'quota: {hard: {pods: -1}}',
    [`6:24 spec.quota.hard.pods ${quantity} -1`],
  ],
  [
    'a quantity below zero in quotes',
    "quota: {hard: {pods: '-1'}}",
    [`6:24 spec.quota.hard.pods ${quantity} '-1'`],
  ],
  [
    'limits below requests',
    'limits:\n  items:\n    - {type: Container, default: {cpu: 1}, defaultRequest: {cpu: 2}}',
    [
      '8:7 spec.limits.items must have defaultRequest at most default for Container cpu, got 2 above 1',
    ],
  ],
  [
    'a class that there is not',
    'className: gold',
    ["6:14 spec.className must be a declared TenantClass (default), got 'gold'"],
  ],
  [
    'a subject without a name',
    'access: {admins: {users: [""]}}',
    [
      "6:29 spec.access.admins.users[0] must be the name of a user: 1 to 256 visible characters, with spaces only between them, got ''",
    ],
  ],
  [
    'a service account without a namespace',
    'access: {admins: {serviceAccounts: [{name: ci}]}}',
    [`6:39 spec.access.admins.serviceAccounts[0].namespace ${dns} nothing`],
  ],
  [
    'a subject of the system',
    'access: {admins: {groups: ["system:masters"]}}',
    [
      "6:29 spec.access.admins.groups must not begin with 'system:', got 'system:masters': these are identities of Kubernetes itself",
    ],
  ],
  [
    'a reserved label',
    'labels: {tenantry.dev/tenant: other}',
    [
      '6:33 spec.labels["tenantry.dev/tenant"] must not be set: the key \'tenantry.dev/tenant\' is reserved for Tenantry',
    ],
  ],
  [
    'a cluster-scoped resource',
    'resources:\n  - manifest: {apiVersion: v1, kind: Node, metadata: {name: a, namespace: acme}}',
    [
      "7:40 spec.resources[0].manifest.kind must be a namespaced kind, got 'Node', which is cluster-scoped whatever namespace it names",
    ],
  ],
  [
    'a forbidden resource',
    'resources:\n  - manifest: {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a}}',
    [
      '7:66 spec.resources[0].manifest.kind must not be a RoleBinding: declare it in access, where the ceilings of the class apply',
    ],
  ],
  [
    'an escalating role',
    'access:\n  roles:\n    - name: up\n      rules: [{apiGroups: [""], resources: [users], verbs: [impersonate]}]',
    [
      '9:62 spec.access.roles[0].rules[0].verbs must not hold impersonate: it leads to rights beyond the role',
      "9:46 spec.access.roles[0].rules[0].resources must be a resource of the core group to allow anything, got 'users'",
    ],
  ],
  [
    'a protected namespace',
    'namespaces: [{name: kube-system}]',
    [
      "6:23 spec.namespaces[0].name must not be a namespace of the platform (kube-*), got 'kube-system'",
    ],
  ],
  [
    'a namespace twice',
    'namespaces: [{name: a}, {name: a}]',
    ["6:34 spec.namespaces[1].name must be unique in the list, got 'a' again (first at [0])"],
  ],
  [
    'a namespace with a path for a name',
    'namespaces: [{name: ../x}]',
    [`6:23 spec.namespaces[0].name ${dns} '../x'`],
  ],
  [
    'an unknown cluster',
    'clusters: [us]',
    ["6:13 spec.clusters must be clusters of the platform (eu), got 'us'"],
  ],
  ['no cluster', 'clusters: []', ['6:13 spec.clusters must have 1 to 100 items, got 0']],
])('%s', (_name, spec, messages) => {
  expect(collectProblems(tenant(spec))).toEqual(messages);
});

test('a class that does not allow the tenant, and its ceilings', () => {
  const spec =
    'className: strict\nquota: {hard: {pods: 11}}\nnamespaces:\n  - name: a\n  - name: b';
  expect(collectProblems(tenant(spec), { 'c.yaml': klass })).toEqual([
    "6:14 spec.className must be a class that allows the tenant, got 'strict': its allowedTenants leave acme out",
    '9:5 spec.namespaces must have at most 1 namespace (ceiling of class strict), got 2',
    "6:14 spec.className must be at least restricted (ceiling of class strict), got 'baseline' in namespace a",
    '7:24 spec.quota.hard.pods must be at most 10 for pods (ceiling of class strict), got 11 in namespace a',
    "6:14 spec.className must be at least restricted (ceiling of class strict), got 'baseline' in namespace b",
    '7:24 spec.quota.hard.pods must be at most 10 for pods (ceiling of class strict), got 11 in namespace b',
  ]);
});

test('two tenants with the same name', () => {
  expect(collectProblems(tenant('{}'), { 's.yaml': tenant('{}') })).toEqual([
    "4:9 metadata.name must be the only tenant of its name, got 'acme', which s.yaml declares",
  ]);
});

test('two tenants with the same namespace', () => {
  const other = tenant('namespaces: [{name: shop}]', 'other');
  expect(collectProblems(tenant('namespaces: [{name: shop}]'), { 's.yaml': other })).toEqual([
    "6:23 spec.namespaces[0].name must be a namespace of one tenant only, got 'shop', which tenant other has (s.yaml)",
  ]);
});
