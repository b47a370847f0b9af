import { expect, test } from '@jest/globals';
import { FACTS } from '../../model/ownership.ts';
import type { Lifecycle } from '../../crds/settings.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { objectsOf, ofKind, collectFindings, type Given } from './given.ts';

type Fact = keyof typeof FACTS;

/** Returns the lines of a fact in the annotations of a namespace. */
function factOf(fact: Fact, given: Given, namespace?: string): string[] {
  const { annotations = {} } = ofKind(given, 'Namespace', namespace)[0]!.metadata as {
    annotations?: Record<string, string>;
  };
  return annotations[FACTS[fact]]?.split('\n') ?? [];
}

const tenant = (spec: TenantSpec): Given => ({ tenant: spec });

test('a namespace lists its siblings on its cluster, and the declared subjects, in order', () => {
  const given: Given = {
    platform: { clusters: [{ name: 'a' }, { name: 'b' }] },
    klass: {
      defaults: { access: { viewers: { groups: ['support'] } } },
      allow: { serviceAccounts: [{ namespace: 'ci', name: 'bot' }, { namespace: 'cd' }] },
      selfService: { roleBindings: { users: ['guest', '*@example.org'] } },
    },
    tenant: {
      access: { admins: { users: ['bob', 'alice'] } },
      namespaces: [
        { name: 'shop' },
        { name: 'pay', access: { editors: { users: ['eve'] } } },
        { name: 'far', clusters: ['b'], access: { editors: { users: ['frank'] } } },
      ],
    },
  };
  expect(factOf('namespaces', given, 'shop')).toEqual(['pay', 'shop']);
  expect(factOf('namespaces', given, 'far')).toEqual(['far']);
  const subjects = ['Group support', 'ServiceAccount ci/bot', 'User alice', 'User bob', 'User eve'];
  expect(factOf('subjects', given, 'shop')).toEqual([...subjects, 'User guest']);
  expect(factOf('subjectPatterns', given, 'shop')).toEqual([
    'ServiceAccount cd/*',
    'User *@example.org',
  ]);
});

test('a name with a line break, which would count as two, is refused', () => {
  const users = ['eve\nServiceAccount kube-system/default', 'alice'];
  expect(() => factOf('subjects', tenant({ access: { admins: { users } } }))).toThrow(
    'must be the name of a user: 1 to 256 visible characters',
  );
});

test.each<[Lifecycle, Lifecycle, string[]]>([
  ['Active', 'Active', ['Group support', 'ServiceAccount shop/ci', 'User alice', 'User eve']],
  ['Active', 'Suspended', ['Group support', 'ServiceAccount shop/ci', 'User alice']],
  ['Active', 'Retired', ['Group support', 'ServiceAccount shop/ci', 'User alice']],
  ['Suspended', 'Active', ['Group support', 'ServiceAccount shop/ci']],
  ['Retired', 'Active', []],
])('in a %s namespace beside a %s one, users may bind %j', (here, there, whom) => {
  const ci = [{ name: 'ci', namespace: 'shop' }];
  const given: Given = {
    klass: {
      defaults: { access: { viewers: { groups: ['support'] } } },
      selfService: { roleBindings: { users: ['*'] } },
    },
    tenant: {
      namespaces: [
        {
          name: 'shop',
          lifecycle: here,
          access: { admins: { users: ['alice'], serviceAccounts: ci } },
        },
        { name: 'pay', lifecycle: there, access: { admins: { users: ['eve'] } } },
      ],
    },
  };
  expect(factOf('subjects', given, 'shop')).toEqual(whom);
  expect(factOf('subjectPatterns', given, 'shop')).toEqual(here === 'Active' ? ['User *'] : []);
});

test('the roles that users may bind are those of the class, and no others of Kubernetes', () => {
  expect(factOf('clusterRoles', {})).toEqual(['admin', 'edit', 'view']);
  const klass = {
    roles: { admins: 'cluster-admin', editors: 'system:node', viewers: 'example:view' },
    allow: { clusterRoles: ['cluster-admin', 'monitor', 'system:auth-delegator'] },
  };
  expect(factOf('clusterRoles', { klass })).toEqual(['example:view', 'monitor']);
});

test('the namespace has the bounds of Services that the class sets', () => {
  const facts = (services: object) => {
    const given = { klass: { selfService: { services } } };
    const keys = ['externalIPs', 'serviceTypes', 'externalNames', 'loadBalancerClasses'] as const;
    return keys.map((key) => factOf(key, given));
  };
  expect(facts({})).toEqual([[], [], [], []]);
  const services = {
    externalIPs: ['192.0.2.0/24'],
    types: ['LoadBalancer', 'ClusterIP'],
    externalNames: ['*', '*.example.com', 'web.shared.svc'],
    loadBalancerClasses: ['internal*', ''],
  };
  expect(facts(services)).toEqual([
    ['192.0.2.0/24'],
    ['ClusterIP', 'LoadBalancer'],
    ['*', '*.example.com', 'web.shared.svc'],
    ['internal*', 'no class'],
  ]);
});

test('a direction that no policy of the platform closes is open to users', () => {
  const directions = (network: TenantSpec['network']) => {
    const given = tenant({ network: network! });
    return [factOf('ingressFrom', given), factOf('egressTo', given)].map((lines) => lines[0]);
  };
  const raw = (spec: object) => [{ name: 'raw', spec }];
  expect(directions({})).toEqual([undefined, 'anywhere']);
  expect(directions({ egress: 'Closed' })).toEqual([undefined, undefined]);
  expect(directions({ isolation: 'Open' })).toEqual(['anywhere', 'anywhere']);
  expect(directions({ isolation: 'Open', policies: raw({}) })).toEqual([undefined, 'anywhere']);
  expect(directions({ isolation: 'Open', policies: raw({ egress: [{}] }) })).toEqual([
    undefined,
    undefined,
  ]);
  const egress = raw({ policyTypes: ['Egress'] });
  expect(directions({ isolation: 'Open', policies: egress })).toEqual(['anywhere', undefined]);
});

test('the namespace has the names of all objects of the platform, existing and possible ones', () => {
  const given: Given = {
    klass: {
      presets: {
        roles: [
          { name: 'deployer', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
          {
            name: 'reader',
            rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
            bindingName: '{namespace}-read',
          },
        ],
      },
      defaults: { access: { admins: { bindingName: '{namespace}-admin' } } },
    },
    tenant: {
      namespaces: [{ name: 'shop' }],
      lifecycle: 'Suspended',
      access: { editors: { users: ['alice'] } },
      serviceAccounts: [{ name: 'ci' }],
      resources: [
        { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'data' } } },
      ],
    },
  };
  const names = factOf('names', given);
  const inside = objectsOf(given).filter(({ kind }) => kind !== 'Namespace');
  expect(inside.length).toBeGreaterThan(4);
  for (const { kind, apiVersion, metadata } of inside) {
    const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
    expect(names).toContain(`${kind}${group} ${metadata.name}`);
  }
  const rbac = 'rbac.authorization.k8s.io';
  for (const name of [
    `RoleBinding.${rbac} shop-admin`,
    `RoleBinding.${rbac} tenant-clusterrole-edit`,
    `RoleBinding.${rbac} shop-read`,
    `Role.${rbac} deployer`,
    `Role.${rbac} reader`,
    'NetworkPolicy.networking.k8s.io tenant-egress',
  ]) {
    expect(names).toContain(name);
  }
  expect(names).toEqual([...new Set(names)].toSorted());
});

test('annotations that the API server would refuse are an error of the tenant', () => {
  const long = 'x'.repeat(16_384);
  const annotations = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`example.com/a${i}`, long]));
  const klass = { allow: { annotations: [{ key: 'example.com/*' }] } };
  expect(collectFindings({ klass, ...tenant({ annotations: annotations(15) }) })).toEqual([]);
  expect(collectFindings({ klass, ...tenant({ annotations: annotations(16) }) })).toEqual([
    expect.stringMatching(
      /^spec\.annotations must have at most 262144 bytes of annotations, got 26\d{4} on namespace acme/,
    ),
  ]);
});
