import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Concern } from '../../model/ownership.ts';
import { contains, parseCidr } from '@tenantry/kube/address';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { ofKind, type Given } from './given.ts';
import { refusal, type Asked } from './policy-request.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const RBAC = 'rbac.authorization.k8s.io';

const shop: TenantSpec = {
  namespaces: [{ name: 'shop' }, { name: 'pay' }],
  access: { admins: { users: ['alice'], groups: ['team'] } },
  network: { egress: 'Closed' },
};
const namespaceOf = (given: Given = {}) => ofKind({ tenant: shop, ...given }, 'Namespace')[0]!;
const evaluatePolicy = (concern: Concern, asked: Asked, given?: Given) =>
  refusal(concern, namespaceOf(given), asked, given?.platform);

const binding = (role: string, ...subjects: object[]): Asked => ({
  object: {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'own' },
    roleRef: { apiGroup: RBAC, kind: role === 'own' ? 'Role' : 'ClusterRole', name: role },
    ...(subjects.length > 0 && { subjects }),
  } as Asked['object'],
});
const user = (name: string) => ({ kind: 'User', name });
const group = (name: string) => ({ kind: 'Group', name });
const account = (namespace: string, name: string) => ({ kind: 'ServiceAccount', namespace, name });

const network = (spec: object): Asked => ({
  object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec } as Asked['object'],
});
const named = (...values: string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }],
  },
});
const core = (kind: string, more: object): Asked => ({
  object: { apiVersion: 'v1', kind, ...more } as Asked['object'],
});

/** A request to check, and a part of the message of its refusal; without one it is accepted. */
type Case = readonly [what: string, concern: Concern, asked: Asked, refused?: string];

const cases: readonly Case[] = [
  ['a role of the class for a colleague', 'roleBindings', binding('edit', user('alice'))],
  ['a Role of the namespace', 'roleBindings', binding('own', group('team'))],
  ['a binding for nobody', 'roleBindings', binding('view')],
  ['an account of a sibling', 'roleBindings', binding('view', account('pay', 'ci'))],
  ['a role of nobody’s', 'roleBindings', binding('node', user('alice')), 'got node'],
  ['an unknown user', 'roleBindings', binding('view', user('alice'), user('eve')), 'got User eve'],
  ['a group as a user', 'roleBindings', binding('view', user('team')), 'got User team'],
  ['everyone', 'roleBindings', binding('view', group('system:authenticated')), 'system:auth'],
  ['a foreign account', 'roleBindings', binding('view', account('x', 'ci')), 'ServiceAccount x/ci'],
  [
    'an account as a user',
    'roleBindings',
    binding('own', user('system:serviceaccount:shop:x')),
    'got User system:',
  ],
  ['her own pods', 'networkPolicies', network({ ingress: [{ from: [{ podSelector: {} }] }] })],
  ['a sibling', 'networkPolicies', network({ ingress: [{ from: [named('pay', 'shop')] }] })],
  ['nobody', 'networkPolicies', network({ policyTypes: ['Ingress'] })],
  ['everyone', 'networkPolicies', network({ ingress: [{}] }), 'got everyone'],
  [
    'every namespace',
    'networkPolicies',
    network({ ingress: [{ from: [{ namespaceSelector: {} }] }] }),
    'must let in only',
  ],
  [
    'a foreign namespace',
    'networkPolicies',
    network({ ingress: [{ from: [named('pay', 'x')] }] }),
    'must let in only',
  ],
  [
    'the world',
    'networkPolicies',
    network({ egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] }),
    'must let out only',
  ],
  ['a Service', 'services', core('Service', { spec: { ports: [] } })],
  [
    'an address',
    'services',
    core('Service', { spec: { externalIPs: ['192.0.2.1'] } }),
    '(none), got 192.0.2.1',
  ],
  [
    'a Service of another namespace by its name',
    'services',
    core('Service', { spec: { type: 'ExternalName', externalName: 'web.x.svc' } }),
    '(none), got web.x.svc',
  ],
  ['a Secret', 'tokenSecrets', core('Secret', { type: 'Opaque' })],
  ['a Secret without a type', 'tokenSecrets', core('Secret', {})],
  [
    'a token for ever',
    'tokenSecrets',
    core('Secret', { type: 'kubernetes.io/service-account-token' }),
    'never expires',
  ],
  ['a token for a day', 'tokens', core('TokenRequest', { spec: { expirationSeconds: 86_400 } })],
  [
    'a token for longer',
    'tokens',
    core('TokenRequest', { spec: { expirationSeconds: 86_401 } }),
    'within 86400 seconds, got 86401',
  ],
  ['a pod', 'pods', core('Pod', { spec: { containers: [] } })],
  ['a pod on a node', 'pods', core('Pod', { spec: { nodeName: 'a' } }), 'no nodeName, got a'],
  ['a name of her own', 'names', core('ConfigMap', { metadata: { name: 'tenant-portal' } })],
  ['no name at all', 'names', core('LocalSubjectAccessReview', { metadata: {} })],
  [
    'a name of the platform',
    'names',
    core('ResourceQuota', { metadata: { name: 'tenant-quota' } }),
    'the name tenant-quota of a ResourceQuota',
  ],
  [
    'a derived name to come',
    'names',
    core('LimitRange', { metadata: { name: 'tenant-x' } }),
    'must not begin with tenant-',
  ],
];

test.each(cases)('%s (%#)', (...[, concern, asked, refused]) => {
  const message = evaluatePolicy(concern, asked);
  if (refused === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(refused);
});

test('the platform is exempt from what users are refused, and no controller is exempt for pods', () => {
  const exempt = [
    ['break-glass', []],
    ['system:serviceaccount:gitops:syncer', []],
    ['system:serviceaccount:tenantry-system:tenantry-operator', []],
    ['x', ['operators']],
    ['system:node:a', ['system:nodes']],
  ] as const;
  const controller = ['replicas', ['system:serviceaccounts:kube-system']] as const;
  const foreignAccounts = [
    ['system:serviceaccount:gitops:argocd-server', ['system:serviceaccounts:gitops']],
    ['system:serviceaccount:gitops:argocd-application-controller', []],
  ] as const;
  const platform = {
    argocd: { namespace: 'gitops', serviceAccounts: ['syncer'] },
    identities: { users: ['break-glass'], groups: ['operators'] },
  };
  for (const [, concern, asked, refused] of cases) {
    if (refused === undefined) continue;
    const by = ([name, groups]: readonly [string, readonly string[]]) =>
      evaluatePolicy(concern, { ...asked, user: name, groups }, { platform });
    for (const one of exempt) expect([concern, one, by(one)]).toEqual([concern, one, undefined]);
    for (const one of foreignAccounts)
      expect([concern, one, by(one)]).toEqual([concern, one, expect.stringContaining(refused)]);
    if (concern === 'pods') expect(by(controller)).toContain(refused);
    else expect(by(controller)).toBeUndefined();
  }
});

test('in a namespace without annotations, no subject counts as one of the tenant', () => {
  const silent = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const empty = group('system:serviceaccounts:');
  for (const asked of [binding('view'), binding('own', user('')), binding('own', empty)]) {
    expect(refusal('roleBindings', silent, asked)).toContain('must be');
  }
  const nobody = network({ ingress: [{ from: [named('')] }] });
  expect(refusal('networkPolicies', silent, nobody)).toContain('must let in only');
});

test('a class allows what it lists', () => {
  const klass: TenantClassSpec = {
    allow: { clusterRoles: ['monitor'], serviceAccounts: [{ namespace: 'ci', name: 'bot-*' }] },
    selfService: {
      roleBindings: { users: ['*@example.org'], groups: ['*'] },
      networkPolicies: { ingressFrom: { namespaces: ['mon*'] }, egressTo: { anywhere: 'Allow' } },
      services: { externalIPs: ['192.0.2.0/30'] },
      tokens: { maxSeconds: 600 },
    },
  };
  const open: [Concern, Asked, string?][] = [
    [
      'roleBindings',
      binding('monitor', user('eve@example.org'), group('x'), account('ci', 'bot-1')),
    ],
    ['roleBindings', binding('monitor', user('eve@example.com')), 'got User eve@example.com'],
    ['roleBindings', binding('monitor', group('system:masters')), 'got Group system:masters'],
    ['roleBindings', binding('monitor', account('ci', 'robot')), 'got ServiceAccount ci/robot'],
    ['networkPolicies', network({ ingress: [{ from: [named('monitoring')] }], egress: [{}] })],
    ['networkPolicies', network({ ingress: [{ from: [named('mo')] }] }), 'must let in only'],
    ['services', core('Service', { spec: { externalIPs: ['192.0.2.3'] } })],
    ['services', core('Service', { spec: { externalIPs: ['192.0.2.4'] } }), 'got 192.0.2.4'],
    ['services', core('Service', { spec: { externalIPs: ['192.0.2.03'] } }), 'got 192.0.2.03'],
    ['tokens', core('TokenRequest', { spec: {} }), 'within 600 seconds, got 3600'],
  ];
  for (const [concern, asked, refused] of open) {
    const message = evaluatePolicy(concern, asked, { klass });
    if (refused === undefined) expect(message).toBeUndefined();
    else expect(message).toContain(refused);
  }
});

test('users may not write subresources of declared objects, and may write those of other objects', () => {
  const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'agent' } };
  const tenant = { ...shop, resources: [{ manifest }, { manifest: pod }] };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {} } as Asked['object'];
  const evict = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {} } as Asked['object'];
  const scaled = (name: string) =>
    evaluatePolicy(
      'names',
      { object: scale, resource: 'deployments', subResource: 'scale', name },
      { tenant },
    );
  const evicted = (name: string) =>
    evaluatePolicy(
      'names',
      { object: evict, resource: 'pods', subResource: 'eviction', name },
      { tenant },
    );
  expect(scaled('web')).toContain('the name web of a Deployment.apps is the platform');
  expect(scaled('agent')).toBeUndefined();
  expect(evicted('agent')).toContain('the name agent of a Pod is the platform');
  expect(evicted('web')).toBeUndefined();
});

const cidrs = fc
  .tuple(
    fc.constantFrom('10', '192', '255'),
    fc.nat({ max: 3 }),
    fc.constantFrom(0, 7, 8, 15, 16, 32),
  )
  .map(([first, second, bits]) => {
    const address = ((Number(first) << 24) | (second << 16)) >>> 0;
    const masked = bits === 0 ? 0 : (address & (-1 << (32 - bits))) >>> 0;
    return `${[24, 16, 8, 0].map((shift) => (masked >>> shift) & 255).join('.')}/${bits}`;
  });

test('a block is accepted where it is inside one that the class allows, and nowhere else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(cidrs, { maxLength: 3 }), cidrs, (opened, cidr) => {
      const selfService = { networkPolicies: { ingressFrom: { cidrs: opened } } };
      const asked = network({ ingress: [{ from: [{ ipBlock: { cidr } }] }] });
      const inside = opened.some((one) => contains(parseCidr(one)!, parseCidr(cidr)!));
      expect(
        evaluatePolicy('networkPolicies', asked, { klass: { selfService } }) === undefined,
      ).toBe(inside);
    }),
    runs(60),
  );
});

test('a subject may be bound where it is declared by kind and name, or matches a pattern', () => {
  const name = fc.constantFrom('a', 'ab', 'b', 'a*', '*', 'system:a', 'a\nGroup b', '');
  const subjects = fc.record({ kind: fc.constantFrom('User', 'Group'), name });
  const pattern = fc.constantFrom('*', 'a*', '*b', 'a');
  const declared = fc.uniqueArray(fc.constantFrom<string>('a', 'a*', 'ab'), { maxLength: 2 });
  fc.assert(
    fc.property(
      declared,
      fc.uniqueArray(pattern, { maxLength: 2 }),
      subjects,
      (users, of, subject) => {
        const klass = { selfService: { roleBindings: { groups: of } } };
        const tenant: TenantSpec = { access: { admins: { users } } };
        const matches = (one: string) =>
          one.includes('*')
            ? new RegExp(`^${one.replace('*', '[^]*')}$`).test(subject.name)
            : one === subject.name;
        const may =
          !subject.name.startsWith('system:') &&
          (subject.kind === 'User' ? users.includes(subject.name) : of.some(matches));
        const message = evaluatePolicy('roleBindings', binding('own', subject), { tenant, klass });
        expect(message === undefined).toBe(may);
      },
    ),
    runs(200),
  );
});
