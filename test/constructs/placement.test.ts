import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { desiredOf, collectFindings, type Given } from './given.ts';

const named = (...names: string[]): Given => ({
  tenant: { namespaces: names.map((name) => ({ name })) },
});
const ofPlatform = (pattern: string) => `must not be a namespace of the platform (${pattern}), got`;

test.each([
  ['default', 'default'],
  ['kube-system', 'kube-*'],
  ['kube-public', 'kube-*'],
  ['kube-node-lease', 'kube-*'],
  ['kube-x', 'kube-*'],
  ['argocd', 'argocd'],
  ['tenantry-system', 'tenantry-system'],
])('no tenant may have the namespace %s (CVE-2024-39690)', (name, pattern) => {
  expect(collectFindings(named('mine', name))).toEqual([
    `spec.namespaces[1].name ${ofPlatform(pattern)} '${name}'`,
  ]);
  expect(collectFindings({ name })).toEqual([`metadata.name ${ofPlatform(pattern)} '${name}'`]);
  expect(collectFindings({ name, platform: { releasedNamespaces: [name] } })).toHaveLength(1);
});

test('a prefix does not hide a protected namespace', () => {
  const tenant = { namespacePrefix: 'kube-', namespaces: [{ name: 'system' }] };
  expect(collectFindings({ tenant })).toEqual([
    `spec.namespaces[0].name ${ofPlatform('kube-*')} 'kube-system'`,
  ]);
});

test('the platform adds protected namespaces, by name, prefix or suffix', () => {
  const platform: PlatformSpec = {
    protectedNamespaces: ['shared', 'infra-*', '*-infra'],
    releasedNamespaces: ['shared'],
    argocd: { namespace: 'gitops' },
    operator: { namespace: 'ops' },
  };
  for (const name of ['shared', 'infra-dns', 'dns-infra', 'gitops', 'ops']) {
    expect(collectFindings({ ...named(name), platform })).toHaveLength(1);
  }
  for (const name of ['shared2', 'infra', 'infrared', 'dnsinfra']) {
    expect(collectFindings({ ...named(name), platform })).toEqual([]);
  }
});

test.each([
  ['istio-system', '*-system'],
  ['calico-system', '*-system'],
  ['openshift', 'openshift'],
  ['openshift-dns', 'openshift-*'],
  ['cert-manager', 'cert-manager'],
  ['kyverno', 'kyverno'],
])('%s belongs to a well-known controller, unless the platform releases it', (name, pattern) => {
  expect(collectFindings(named(name))).toEqual([
    `spec.namespaces[0].name ${ofPlatform(pattern)} '${name}'; releasedNamespaces of the platform can free it`,
  ]);
  expect(collectFindings({ ...named(name), platform: { releasedNamespaces: [name] } })).toEqual([]);
});

test.each(['ingress-nginx', 'monitoring'])(
  'no tenant may have %s, because policies let its pods into the namespaces of all tenants',
  (name) => {
    expect(collectFindings(named(name))).toEqual([
      `spec.namespaces[0].name must not be a namespace that network policies of the platform trust, got '${name}'`,
    ]);
    expect(
      collectFindings({ ...named(name), platform: { releasedNamespaces: [name] } }),
    ).toHaveLength(1);
    const platform: PlatformSpec = { ingressControllers: [], monitoring: [] };
    expect(collectFindings({ ...named(name), platform })).toEqual([
      expect.stringContaining('releasedNamespaces of the platform can free it'),
    ]);
  },
);

test('only namespace names in policies of the platform count as trusted, not other selectors', () => {
  const key = 'kubernetes.io/metadata.name';
  const matchExpressions = [
    { key, operator: 'NotIn' as const, values: ['db'] },
    { key: 'role', operator: 'In' as const, values: ['web'] },
  ];
  const namespaceSelector = { matchLabels: { team: 'shop' }, matchExpressions };
  const platform: PlatformSpec = { ingressControllers: [{ namespaceSelector }] };
  expect(collectFindings({ ...named('shop', 'db', 'web', 'web-2'), platform })).toEqual([]);
});

test('the name of a namespace is at most 63 characters with its prefix', () => {
  const tenant = (length: number) => ({
    namespacePrefix: 'acme-',
    namespaces: [{ name: 'x'.repeat(length) }],
  });
  expect(collectFindings({ tenant: tenant(58) })).toEqual([]);
  expect(collectFindings({ tenant: tenant(59) })).toEqual([
    'spec.namespaces[0].name must be at most 63 characters with the prefix, got 64',
  ]);
});

test('a class limits the number of namespaces of a tenant, regardless of their clusters', () => {
  const platform = { clusters: [{ name: 'eu' }, { name: 'us' }], defaultClusters: ['eu', 'us'] };
  const klass = { ceilings: { namespaces: 2 } };
  expect(collectFindings({ ...named('a', 'b'), klass, platform })).toEqual([]);
  expect(collectFindings({ ...named('a', 'b', 'c'), klass, platform })).toEqual([
    'spec.namespaces must have at most 2 namespaces (ceiling of class standard), got 3',
  ]);
});

test.each<[TenantClassSpec['allowedTenants'], boolean]>([
  [undefined, true],
  [{}, false],
  [{ names: [] }, false],
  [{ names: ['acme'] }, true],
  [{ names: ['acm'] }, false],
  [{ names: ['ac*'] }, true],
  [{ names: ['*'] }, true],
  [{ selector: { matchLabels: { tier: 'gold' } } }, true],
  [
    { selector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] } },
    false,
  ],
  [{ names: ['other'], selector: { matchLabels: { tier: 'tin' } } }, false],
])('allowedTenants %j: %s', (allowedTenants, allowed) => {
  const klass = allowedTenants ? { allowedTenants } : {};
  expect(collectFindings({ labels: { tier: 'gold' }, klass })).toEqual(
    allowed
      ? []
      : [
          "spec.className must be a class that allows the tenant, got 'standard': its allowedTenants leave acme out",
        ],
  );
});

test('a class sets the clusters that its tenants may use', () => {
  const platform = { clusters: [{ name: 'eu' }, { name: 'us' }] };
  const klass = { allow: { clusters: ['eu'] } };
  expect(collectFindings({ platform, klass, tenant: { clusters: ['eu'] } })).toEqual([]);
  expect(collectFindings({ platform, klass, tenant: { clusters: ['eu', 'us'] } })).toEqual([
    "spec.className must allow cluster us, got 'standard', which allows eu",
  ]);
});

test('a cluster must exist in the platform, and is reported where it is named', () => {
  const platform = { clusters: [{ name: 'eu' }, { name: 'us' }] };
  const words = "must be clusters of the platform (eu, us), got 'ap'";
  expect(collectFindings({ platform, tenant: { clusters: ['eu', 'ap'] } })).toEqual([
    `spec.clusters ${words}`,
  ]);
  const namespaces = [{ name: 'a', clusters: ['ap'] }, { name: 'b' }];
  expect(collectFindings({ platform, tenant: { namespaces } })).toEqual([
    `spec.namespaces[0].clusters ${words}`,
  ]);
  expect(
    collectFindings({ platform, tenant: { namespaces: [{ name: 'a' }], clusters: ['ap'] } }),
  ).toEqual([`spec.clusters ${words}`]);
});

test('an environment must exist in the platform', () => {
  const platform = { environments: ['dev', 'prod'] };
  const namespaces = [
    { name: 'a', environment: 'prd' },
    { name: 'b', environment: 'dev' },
  ];
  expect(collectFindings({ platform, tenant: { namespaces } })).toEqual([
    "spec.namespaces[0].environment must be one of dev, prod, got 'prd'; did you mean 'prod'?",
  ]);
  expect(collectFindings({ platform, tenant: { environment: 'prd' } })).toEqual([
    "spec.environment must be one of dev, prod, got 'prd'; did you mean 'prod'?",
  ]);
  expect(
    collectFindings({ platform, tenant: { environment: 'prd', namespaces: [{ name: 'c' }] } }),
  ).toEqual(["spec.environment must be one of dev, prod, got 'prd'; did you mean 'prod'?"]);
  expect(collectFindings({ platform, tenant: { namespaces: [{ name: 'c' }] } })).toEqual([]);
  expect(collectFindings({ tenant: { namespaces } })).toEqual([]);
});

test("a tenant is rendered for the clusters that it names, or for the platform's default ones", () => {
  const platform = {
    clusters: [{ name: 'eu' }, { name: 'us' }, { name: 'ap' }],
    defaultClusters: ['us'],
  };
  const places = (given: Given) =>
    desiredOf({ ...given, platform }).namespaces.map(({ cluster, name }) => `${cluster}/${name}`);
  expect(places({})).toEqual(['us/acme']);
  const namespaces = [{ name: 'a', clusters: ['ap', 'eu'] }, { name: 'b' }];
  expect(places({ tenant: { namespaces, clusters: ['eu'] } })).toEqual(['eu/a', 'eu/b', 'ap/a']);
  expect(desiredOf({ platform, tenant: { namespaces } }).clusters).toEqual(['eu', 'us', 'ap']);
});

test.each<[string, string | undefined, number]>([
  ['baseline', 'privileged', 1],
  ['baseline', 'none', 1],
  ['baseline', 'baseline', 0],
  ['baseline', 'restricted', 0],
  ['restricted', 'baseline', 1],
  ['restricted', undefined, 1],
  ['privileged', 'none', 0],
])('under the ceiling %s, pods at %s have %s errors', (ceiling, enforce, problems) => {
  const podSecurity = enforce ? { enforce: enforce as 'baseline' } : {};
  const klass = { ceilings: { podSecurity: ceiling as 'baseline' } };
  expect(collectFindings({ tenant: { podSecurity }, klass })).toHaveLength(problems);
});

test('a level below the ceiling is reported where it is set', () => {
  const klass = { ceilings: { podSecurity: 'restricted' as const } };
  const namespaces = [{ name: 'a', podSecurity: { enforce: 'privileged' as const } }];
  expect(
    collectFindings({ tenant: { namespaces, podSecurity: { enforce: 'restricted' } }, klass }),
  ).toEqual([
    "spec.namespaces[0].podSecurity.enforce must be at least restricted (ceiling of class standard), got 'privileged' in namespace a",
  ]);
});

test('under a ceiling, a tenant cannot pin an older version of the level, which is weaker', () => {
  const klass: TenantClassSpec = {
    ceilings: { podSecurity: 'restricted' },
    defaults: { podSecurity: { enforce: 'restricted', version: 'v1.35' } },
  };
  expect(collectFindings({ klass })).toEqual([]);
  expect(collectFindings({ klass, tenant: { podSecurity: { version: 'latest' } } })).toEqual([]);
  expect(collectFindings({ klass, tenant: { podSecurity: { version: 'v1.0' } } })).toEqual([
    "spec.podSecurity.version must be latest or left out under the ceiling of class standard, since older versions ask less, got 'v1.0'",
  ]);
  const pinned = { podSecurity: { version: 'v1.0' } };
  expect(collectFindings({ klass: {}, tenant: pinned })).toEqual([]);
  expect(
    collectFindings({ klass: { ceilings: { podSecurity: 'privileged' } }, tenant: pinned }),
  ).toEqual([]);
});
