import { expect, test } from '@jest/globals';
import { desired } from '../../model/desired.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { formatFinding } from '@tenantry/kube/finding';
import { specOf } from './given.ts';

/** Renders a tenant `acme` of a class `child` that extends `parent`. */
function extended(parent: TenantClassSpec, child: TenantClassSpec, tenant: TenantSpec = {}) {
  const fleet = new Fleet(resolvePlatform({ clusters: [{ name: 'eu' }, { name: 'us' }] }));
  fleet.classes.add({ name: 'child', spec: { ...child, extends: 'parent' } });
  fleet.classes.add({ name: 'parent', spec: parent });
  return fleet.add({ name: 'acme', spec: { className: 'child', ...tenant } }, 'a.yaml');
}

const collectFindings = (...given: Parameters<typeof extended>): string[] =>
  extended(...given).findings.map(formatFinding);

/** Formats the objects of the first namespace by kind and name. */
function objects(...given: Parameters<typeof extended>) {
  const { namespaces, findings } = extended(...given);
  if (findings.length > 0) throw new Error(findings.map(formatFinding).join('\n'));
  return new Map(namespaces[0]!.objects.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
}

const hard = (...given: Parameters<typeof extended>): unknown =>
  specOf(objects(...given).get('ResourceQuota tenant-quota'))['hard'];

const quota = (name: string, pods: number) => ({ name, hard: { pods } });

test("a preset of the child replaces the parent's preset of that name, and the others stay", () => {
  const parent = { presets: { quotas: [quota('small', 1), quota('large', 9)] } };
  const child = { presets: { quotas: [quota('small', 2)] } };
  expect(hard(parent, child, { quota: { preset: 'small' } })).toEqual({ pods: '2' });
  expect(hard(parent, child, { quota: { preset: 'large' } })).toEqual({ pods: '9' });
});

test('defaults of the parent may select a preset of the child', () => {
  const parent = { defaults: { quota: { preset: 'small' } } };
  expect(hard(parent, { presets: { quotas: [quota('small', 3)] } })).toEqual({ pods: '3' });
});

test('parent defaults < child defaults < parent environment < child environment', () => {
  const label = (value: string) => ({ labels: { [value]: 'x', last: value } });
  const parent = { defaults: label('a'), environments: [{ name: 'prod', ...label('c') }] };
  const child = { defaults: label('b'), environments: [{ name: 'prod', ...label('d') }] };
  const labels = (klass: TenantClassSpec, environment: string) =>
    objects(parent, klass, { environment }).get('Namespace acme')!.metadata.labels;
  expect(labels(child, 'prod')).toMatchObject({ a: 'x', b: 'x', c: 'x', d: 'x', last: 'd' });
  expect(labels({ defaults: label('b') }, 'prod')).toMatchObject({ last: 'c' });
  expect(labels(child, 'dev')).toMatchObject({ last: 'b' });
});

test('a total of the parent is divided, and the child overrides it key by key', () => {
  const parent = { defaults: { quota: { total: { pods: 10, 'requests.cpu': 4 } } } };
  const child = { defaults: { quota: { total: { pods: 20 } } } };
  expect(hard(parent, child)).toMatchObject({ pods: '20', 'requests.cpu': '4' });
});

test('a ceiling that the child does not set is inherited', () => {
  const parent: TenantClassSpec = {
    ceilings: {
      namespaces: 1,
      quota: { pods: 10, 'requests.cpu': '1' },
      podSecurity: 'restricted',
      network: { egress: 'SameTenant', ingressFrom: { otherNamespaces: 'Deny', anywhere: 'Deny' } },
    },
  };
  const child: TenantClassSpec = {
    ceilings: {
      quota: { pods: 20 },
      network: { ingressFrom: { anywhere: 'Allow' } },
    },
  };
  const tenant: TenantSpec = {
    namespaces: [{ name: 'a' }, { name: 'b' }],
    quota: { preset: 'none', hard: { pods: 20, 'requests.cpu': 2 } },
    network: { allowFrom: [{ name: 'x', namespaces: ['elsewhere'] }] },
  };
  expect(collectFindings(parent, child, tenant)).toEqual([
    'spec.namespaces must have at most 1 namespace (ceiling of class child), got 2',
    "spec.className must be at least restricted (ceiling of class child), got 'baseline' in namespace a",
    'spec.quota.hard["requests.cpu"] must be at most 1 for requests.cpu (ceiling of class child), got 2 in namespace a',
    "spec.network must be no more open than SameTenant (ceiling of class child), got 'Open'",
    "spec.network.allowFrom[0] must stay within the network ceiling of class child, got namespaces of others in policy 'x'",
    "spec.className must be at least restricted (ceiling of class child), got 'baseline' in namespace b",
    'spec.quota.hard["requests.cpu"] must be at most 1 for requests.cpu (ceiling of class child), got 2 in namespace b',
  ]);
});

test('a list of the child replaces that of the parent, and a list that it does not set is inherited', () => {
  const parent: TenantClassSpec = { allow: { clusterRoles: ['a', 'b'], clusters: ['eu'] } };
  const child: TenantClassSpec = { allow: { clusterRoles: ['c'] } };
  const binding = (name: string): TenantSpec => ({
    access: { clusterRoles: [{ name, users: ['u'] }] },
  });
  expect(collectFindings(parent, child, binding('c'))).toEqual([]);
  expect(collectFindings(parent, child, binding('a'))).toEqual([
    "spec.access.clusterRoles[0] must be a ClusterRole that class child allows (admin, edit, view, c), got 'a'",
  ]);
  expect(collectFindings(parent, child, { clusters: ['us'] })).toEqual([
    "spec.className must allow cluster us, got 'child', which allows eu",
  ]);
});

test('allowedTenants come from one class: names of one are never combined with labels of the other', () => {
  const selector = { matchLabels: { team: 'blue' } };
  const notLet = [
    "spec.className must be a class that allows the tenant, got 'child': its allowedTenants leave acme out",
  ];
  expect(collectFindings({ allowedTenants: { names: ['blue'] } }, {})).toEqual(notLet);
  expect(
    collectFindings({ allowedTenants: { names: ['acme'] } }, { allowedTenants: { selector } }),
  ).toEqual(notLet);
  expect(collectFindings({ allowedTenants: { names: ['acme'] } }, {})).toEqual([]);
});

test('hardening and self-service of the parent apply to namespaces of the child', () => {
  const parent: TenantClassSpec = {
    hardening: { storage: 'Claims' },
    selfService: { tokens: { maxSeconds: 600, policy: 'Disabled' }, pods: { policy: 'Disabled' } },
    roles: { admins: 'boss' },
  };
  const child: TenantClassSpec = {
    hardening: { imagePullPolicy: 'Always' },
    selfService: { tokens: { policy: 'Enforced' } },
    roles: { viewers: 'looker' },
  };
  const { labels, annotations } = objects(parent, child).get('Namespace acme')!.metadata;
  expect(labels).toMatchObject({
    'policy.tenantry.dev/storage': 'Claims',
    'policy.tenantry.dev/image-pull-policy': 'Always',
    'policy.tenantry.dev/pods': 'Disabled',
  });
  expect(labels).not.toHaveProperty(['policy.tenantry.dev/tokens']);
  expect(annotations).toMatchObject({
    'policy.tenantry.dev/token-seconds': '600',
    'policy.tenantry.dev/cluster-roles': 'boss\nedit\nlooker',
  });
});

test('a label of the parent is on every namespace, so selecting by it reaches every tenant', () => {
  const parent = { defaults: { labels: { 'example.com/tier': 'app' } } };
  const child: TenantClassSpec = { ceilings: { network: { ingressFrom: { anywhere: 'Deny' } } } };
  const network = { allowFrom: [{ name: 'x', namespaceLabels: { 'example.com/tier': 'app' } }] };
  expect(collectFindings(parent, child, { network })).toEqual([
    "spec.network.allowFrom[0] must stay within the network ceiling of class child, got all namespaces in policy 'x'",
  ]);
});

test('a child class cannot be used without its parent', () => {
  const klass = { name: 'child', spec: { extends: 'parent' } };
  expect(() => desired({ name: 'acme', spec: {} }, klass, resolvePlatform())).toThrow(
    'class child extends another one: it must come from ClassRegistry.resolve',
  );
});

const classes = (parents: Record<string, string | undefined>): Fleet => {
  const fleet = new Fleet();
  for (const [name, parent] of Object.entries(parents)) {
    fleet.classes.add({ name, spec: parent === undefined ? {} : { extends: parent } });
  }
  return fleet;
};

test.each<[string, Record<string, string | undefined>, Record<string, string>]>([
  ['a parent, and one of another class', { a: 'c', b: 'c', c: undefined }, {}],
  [
    'none of the name',
    { gold: 'standart', standard: undefined },
    {
      gold: "must be a declared TenantClass (default, standard), got 'standart'; did you mean 'standard'?",
    },
  ],
  ['itself', { a: 'a' }, { a: "must be another class, got 'a' itself" }],
  [
    'one that extends',
    { a: 'b', b: 'c', c: undefined },
    { a: "must be a class that extends none, got 'b', which extends 'c'" },
  ],
  [
    'one that cannot be used itself',
    { a: 'b', b: 'c', c: 'd', d: undefined },
    { b: "must be a class that extends none, got 'c', which extends 'd'" },
  ],
  [
    'a circle, reported at the first class by name',
    { c: 'a', b: 'c', a: 'b' },
    { a: "must be a class that extends none, got 'b', which extends 'c'" },
  ],
  [
    'one of a circle',
    { z: 'b', b: 'c', c: 'b' },
    { b: "must be a class that extends none, got 'c', which extends 'b'" },
  ],
])('a class that extends %s', (_what, parents, faults) => {
  const fleet = classes(parents);
  const found = Object.keys(parents).flatMap((name) => {
    return fleet.classes.checkExtension(name).findings.map((fault) => [name, formatFinding(fault)]);
  });
  const expected = Object.entries(faults).map(([name, text]) => [name, `spec.extends ${text}`]);
  expect(found).toEqual(expected);
});

test('a tenant of a class that cannot be used is reported with the reason', () => {
  const fleet = classes({ a: 'b', b: 'c', c: 'd', d: undefined });
  const tenant = { name: 'acme', spec: { className: 'a' } };
  expect(fleet.classes.isUnusable(tenant)).toBe(true);
  expect(fleet.add(tenant, 'a.yaml').findings.map(formatFinding)).toEqual([
    "spec.className must be a class that extends a class which can be used, got 'a', which extends 'b'",
  ]);
});

test('a parent that is added later is found', () => {
  const fleet = classes({ a: 'b' });
  const tenant = { name: 'acme', spec: { className: 'a' } };
  expect(fleet.classes.isUnusable(tenant)).toBe(true);
  fleet.classes.add({ name: 'b', spec: { defaults: { labels: { from: 'b' } } } });
  expect(fleet.classes.isUnusable(tenant)).toBe(false);
  expect(fleet.add(tenant, 'a.yaml').namespaces[0]!.objects[0]!.metadata.labels).toMatchObject({
    from: 'b',
  });
});
