import { expect, test } from '@jest/globals';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { ClassException } from '../../crds/types.ts';
import { tenantClass, type TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { formatFinding } from '@tenantry/kube/finding';
import { formatPath } from '@tenantry/kube/problem';
import { validate } from '@tenantry/crd/schema/validate';
import { objectsOf, collectFindings, type Given } from './given.ts';

type ExceptionFields = Omit<ClassException, 'tenants' | 'reason'>;

/** A class with exceptions for `acme`. */
const excepting = (
  klass: TenantClassSpec,
  ...exceptions: readonly ExceptionFields[]
): TenantClassSpec => ({
  ...klass,
  exceptions: exceptions.map((one) => ({ tenants: ['acme'], reason: 'agreed', ...one })),
});

/** Checks that `acme` has these findings without the exception, and none with it. */
function lets(klass: TenantClassSpec, exception: ExceptionFields, tenant: TenantSpec): string[] {
  expect(collectFindings({ klass: excepting(klass, exception), tenant })).toEqual([]);
  return collectFindings({ klass, tenant });
}

const pods = (amount: number): TenantSpec => ({
  quota: { preset: 'none', hard: { pods: amount } },
});

test('a quota above the ceiling, for one key', () => {
  const klass: TenantClassSpec = { ceilings: { quota: { pods: 50, services: 5 } } };
  const raised: ExceptionFields = { ceilings: { quota: { pods: 810 } } };
  expect(collectFindings({ klass: excepting(klass, raised), tenant: pods(811) })).toEqual([
    'spec.quota.hard.pods must be at most 810 for pods (ceiling of class standard), got 811 in namespace acme',
    'spec.quota.hard must be at most 5 for services (ceiling of class standard), got no bound in namespace acme',
  ]);
  const more = { quota: { preset: 'none', hard: { pods: 810, services: 5 } } };
  expect(lets(klass, raised, more)).toHaveLength(1);
});

test('an exception without a ceiling for one key', () => {
  const klass: TenantClassSpec = { ceilings: { quota: { pods: 50 }, limits: { cpu: 1 } } };
  const free: ExceptionFields = {
    ceilings: { quota: { pods: 'unlimited' }, limits: { cpu: 'unlimited' } },
  };
  const tenant: TenantSpec = {
    quota: { preset: 'none' },
    limits: { items: [{ type: 'Container', max: { cpu: 9 } }] },
  };
  expect(lets(klass, free, tenant)).toHaveLength(2);
});

test.each<[string, TenantClassSpec, ExceptionFields, TenantSpec]>([
  [
    'a number of namespaces',
    { ceilings: { namespaces: 1 } },
    { ceilings: { namespaces: 2 } },
    { namespaces: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'all namespaces together',
    { ceilings: { tenantQuota: { pods: 60 } } },
    { ceilings: { tenantQuota: { pods: 100 } } },
    { namespaces: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'a level of Pod Security',
    { ceilings: { podSecurity: 'restricted' } },
    { ceilings: { podSecurity: 'privileged' } },
    { podSecurity: { enforce: 'privileged' } },
  ],
  [
    'isolation',
    { ceilings: { network: { isolation: 'SameTenant' } } },
    { ceilings: { network: { isolation: 'Open' } } },
    { network: { isolation: 'Open' } },
  ],
  [
    'a block of addresses',
    { ceilings: { network: { egressTo: { cidrs: ['10.1.0.0/16'] } } } },
    { ceilings: { network: { egressTo: { cidrs: ['10.2.0.0/16'] } } } },
    {
      network: {
        egress: 'Closed',
        allowTo: [{ name: 'x', cidrs: ['10.1.1.0/24', '10.2.1.0/24'] }],
      },
    },
  ],
  [
    'a right of its own Role, beside what every tenant may',
    {},
    { ceilings: { roles: [{ apiGroups: [''], resources: ['endpoints'], verbs: ['create'] }] } },
    {
      access: {
        roles: [
          {
            name: 'r',
            rules: [
              { apiGroups: [''], resources: ['endpoints'], verbs: ['create'] },
              { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
            ],
          },
        ],
      },
    },
  ],
  [
    'a ClusterRole',
    { allow: { clusterRoles: ['a'] } },
    { allow: { clusterRoles: ['b'] } },
    { access: { clusterRoles: [{ name: 'a' }, { name: 'b' }] } },
  ],
  [
    'a service account of others',
    {},
    { allow: { serviceAccounts: [{ namespace: 'ci', name: 'bot' }] } },
    { access: { admins: { serviceAccounts: [{ namespace: 'ci', name: 'bot' }] } } },
  ],
  [
    'a label, beside those that are open anyway',
    {},
    { allow: { labels: [{ key: 'example.com/x' }] } },
    { labels: { 'example.com/x': 'y', team: 'z' } },
  ],
  [
    'an annotation',
    { allow: { annotations: [] } },
    { allow: { annotations: [{ key: 'x' }] } },
    { annotations: { x: 'y' } },
  ],
  [
    'a kind, beside the ordinary ones',
    {},
    { allow: { resources: [{ group: 'discovery.k8s.io', kind: 'EndpointSlice' }] } },
    {
      resources: [
        {
          manifest: {
            apiVersion: 'discovery.k8s.io/v1',
            kind: 'EndpointSlice',
            metadata: { name: 'x' },
          },
        },
        { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } } },
      ],
    },
  ],
])('%s', (_what, klass, exception, tenant) => {
  expect(lets(klass, exception, tenant)).toHaveLength(1);
});

test('an exception for a cluster removes nothing where every cluster is allowed', () => {
  const platform = { clusters: [{ name: 'eu' }, { name: 'us' }] };
  const tenant: TenantSpec = { clusters: ['eu', 'us'] };
  const exception: ExceptionFields = { allow: { clusters: ['us'] } };
  const of = (klass: TenantClassSpec) => collectFindings({ klass, platform, tenant });
  expect(of({ allow: { clusters: ['eu'] } })).toHaveLength(1);
  expect(of(excepting({ allow: { clusters: ['eu'] } }, exception))).toEqual([]);
  expect(of(excepting({}, exception))).toEqual([]);
});

test('address blocks of an exception remove nothing where every block is allowed', () => {
  const exception: ExceptionFields = {
    ceilings: { network: { egressTo: { cidrs: ['10.2.0.0/16'] } } },
  };
  const network = { egress: 'Closed', allowTo: [{ name: 'x', cidrs: ['10.9.0.0/24'] }] } as const;
  expect(collectFindings({ klass: excepting({}, exception), tenant: { network } })).toEqual([]);
});

const two: TenantSpec = {
  namespaces: [
    { name: 'a', quota: { hard: { pods: 90 } } },
    { name: 'b', quota: { hard: { pods: 90 } } },
  ],
};

test('an exception for one namespace applies to that namespace only', () => {
  const klass: TenantClassSpec = { ceilings: { quota: { pods: 50 } } };
  const exception: ExceptionFields = { namespaces: ['a'], ceilings: { quota: { pods: 100 } } };
  expect(collectFindings({ klass: excepting(klass, exception), tenant: two })).toEqual([
    'spec.namespaces[1].quota.hard.pods must be at most 50 for pods (ceiling of class standard), got 90 in namespace b',
  ]);
});

test('an exception for one namespace overrides one for the whole tenant', () => {
  const klass: TenantClassSpec = { ceilings: { quota: { pods: 50 } } };
  const here: ExceptionFields = { namespaces: ['a'], ceilings: { quota: { pods: 100 } } };
  const everywhere: ExceptionFields = { ceilings: { quota: { pods: 60 } } };
  for (const exceptions of [
    [here, everywhere],
    [everywhere, here],
  ]) {
    expect(collectFindings({ klass: excepting(klass, ...exceptions), tenant: two })).toEqual([
      'spec.namespaces[1].quota.hard.pods must be at most 60 for pods (ceiling of class standard), got 90 in namespace b',
    ]);
  }
});

test('users may not bind in one namespace what an exception allows in another', () => {
  const bot = { namespace: 'ci', name: 'bot' };
  const given: Given = {
    klass: excepting(
      {},
      { namespaces: ['a'], allow: { clusterRoles: ['special'], serviceAccounts: [bot] } },
    ),
    tenant: {
      namespaces: [
        {
          name: 'a',
          access: { clusterRoles: [{ name: 'special', users: ['u'], serviceAccounts: [bot] }] },
        },
        { name: 'b', access: { admins: { serviceAccounts: [{ namespace: 'a', name: 'own' }] } } },
      ],
    },
  };
  const facts = (namespace: string) => objectsOf(given, namespace)[0]!.metadata.annotations;
  expect(facts('a')).toMatchObject({
    'policy.tenantry.dev/cluster-roles': 'admin\nedit\nspecial\nview',
    'policy.tenantry.dev/subjects': 'ServiceAccount a/own\nServiceAccount ci/bot\nUser u',
  });
  expect(facts('b')).toMatchObject({
    'policy.tenantry.dev/cluster-roles': 'admin\nedit\nview',
    'policy.tenantry.dev/subjects': 'ServiceAccount a/own\nUser u',
  });
});

test.each<[string, readonly object[], string[]]>([
  [
    'no reason',
    [{ tenants: ['a'], allow: {} }],
    ['spec.exceptions[0].reason must be a reason of visible characters, at most 1024, got nothing'],
  ],
  [
    'an empty one',
    [{ tenants: ['a'], reason: ' ', allow: {} }],
    ["spec.exceptions[0].reason must be a reason of visible characters, at most 1024, got ' '"],
  ],
  [
    'nothing that it lets them',
    [{ tenants: ['a'], reason: 'x' }],
    ['spec.exceptions[0] must have at least one of ceilings, allow'],
  ],
  [
    'a pattern in place of names',
    [{ tenants: ['a*'], reason: 'x', allow: {} }],
    ['spec.exceptions[0].tenants[0] must be a DNS label'],
  ],
  [
    'single namespaces and their number',
    [{ tenants: ['a'], namespaces: ['a'], reason: 'x', ceilings: { namespaces: 2 } }],
    ['spec.exceptions[0] must not be for single namespaces'],
  ],
  [
    'fields that no exception has',
    [{ tenants: ['a'], reason: 'x', allow: {}, hardening: {} }],
    ['spec.exceptions[0].hardening must be'],
  ],
])('an exception with %s is refused', (_what, exceptions, messages) => {
  const found = validate(tenantClass.spec, { exceptions } as object);
  const texts = found.map(({ path, message }) => `${formatPath(['spec', ...path])} ${message}`);
  expect(texts.map((text, i) => text.slice(0, messages[i]?.length))).toEqual(messages);
});

test.each<[string, readonly ExceptionFields[], string | undefined]>([
  [
    'the same for one tenant',
    [{ ceilings: { quota: { pods: 1 } } }, { ceilings: { quota: { pods: 2 } } }],
    'spec.exceptions[1].ceilings.quota.pods must be set once for tenant acme, got 2 beside spec.exceptions[0]',
  ],
  [
    'the same for one namespace',
    [
      { namespaces: ['a', 'b'], ceilings: { podSecurity: 'baseline' } },
      { namespaces: ['b'], ceilings: { podSecurity: 'privileged' } },
    ],
    "spec.exceptions[1].ceilings.podSecurity must be set once for namespace b, got 'privileged' beside spec.exceptions[0]",
  ],
  [
    'something of two keys',
    [{ ceilings: { quota: { pods: 1 } } }, { ceilings: { quota: { services: 2 } } }],
    undefined,
  ],
  [
    'the same for the tenant and for a namespace',
    [{ ceilings: { quota: { pods: 1 } } }, { namespaces: ['a'], ceilings: { quota: { pods: 2 } } }],
    undefined,
  ],
  [
    'something for a list',
    [{ allow: { clusters: ['a'] } }, { allow: { clusters: ['a'] } }],
    undefined,
  ],
])('two exceptions that conflict are refused: %s', (_what, exceptions, message) => {
  const [fault] = new Fleet().classes.add({ name: 'standard', spec: excepting({}, ...exceptions) });
  expect(fault && formatFinding(fault)).toBe(message);
});

/** Returns the warnings about the exceptions of a class `standard` with some tenants. */
function warnings(
  exceptions: readonly Partial<ClassException>[],
  tenants: Readonly<Record<string, TenantSpec>>,
  klass: TenantClassSpec = {},
): string[] {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }));
  const spec = {
    ...klass,
    exceptions: exceptions.map((one) => ({ tenants: ['acme'], reason: 'agreed', ...one })),
  };
  fleet.classes.add({ name: 'standard', spec });
  fleet.classes.add({ name: 'other', spec: {} });
  for (const [name, tenant] of Object.entries(tenants)) fleet.add({ name, spec: tenant }, name);
  return fleet.exceptionWarnings({ name: 'standard', spec }).map(formatFinding);
}

const ceiling: TenantClassSpec = { ceilings: { quota: { pods: 60 } } };
const raised: Partial<ClassException> = { ceilings: { quota: { pods: 99 } } };

test('an exception that is in use causes no warning', () => {
  expect(warnings([raised], { acme: pods(90) }, ceiling)).toEqual([]);
});

test('an exception causes no warning while a tenant that may need it has an error', () => {
  expect(warnings([raised], { acme: pods(100) }, ceiling)).toEqual([]);
});

test.each<[string, Partial<ClassException>, Record<string, TenantSpec>, string[]]>([
  [
    'a tenant that there is not',
    { ...raised, tenants: ['acmee', 'acme'] },
    { acme: pods(90) },
    [
      "spec.exceptions[0].tenants[0] must be a tenant of the class, got 'acmee'; did you mean 'acme'?",
    ],
  ],
  [
    'a tenant of another class',
    raised,
    { acme: { className: 'other' } },
    [
      "spec.exceptions[0].tenants[0] must be a tenant of the class, got 'acme', which is of another class",
    ],
  ],
  [
    'a namespace that the tenant has not',
    { ...raised, namespaces: ['acme', 'acme-prd'] },
    { acme: { namespaces: [{ name: 'acme', ...pods(90) }, { name: 'acme-prod' }] } },
    [
      "spec.exceptions[0].namespaces[1] must be a namespace of its tenants (acme, acme-prod), got 'acme-prd'; did you mean 'acme-prod'?",
    ],
  ],
  [
    'a tenant that is within the class',
    raised,
    { acme: pods(60) },
    [
      'spec.exceptions[0] must be of use to a tenant, got something without which nothing is different',
    ],
  ],
  [
    'two tenants, of which one is within the class',
    { ...raised, tenants: ['acme', 'blue'] },
    { acme: pods(60), blue: pods(61) },
    ["spec.exceptions[0].tenants[0] must be a tenant to which it is of use, got 'acme'"],
  ],
  [
    'two things, of which one changes nothing',
    { ceilings: { quota: { pods: 99 }, namespaces: 9 } },
    { acme: pods(90) },
    [
      'spec.exceptions[0].ceilings.namespaces must be of use to a tenant, got something without which nothing is different',
    ],
  ],
])('an exception for %s causes a warning', (_what, exception, tenants, messages) => {
  expect(warnings([exception], tenants, ceiling)).toEqual(messages);
});

test('an exception that allows users to bind a role is in use even without a declared binding', () => {
  expect(warnings([{ allow: { clusterRoles: ['x'] } }], { acme: {} })).toEqual([]);
});

test('a class does not inherit the exceptions of its parent', () => {
  const fleet = new Fleet();
  fleet.classes.add({ name: 'parent', spec: excepting(ceiling, raised) });
  fleet.classes.add({ name: 'child', spec: { extends: 'parent' } });
  const add = (className: string) =>
    fleet.replace({ name: 'acme', spec: { className, ...pods(90) } }, 'a').desired.findings;
  expect(add('parent')).toEqual([]);
  expect(add('child')).toHaveLength(1);
});

test('the report of exceptions in use drops those of a removed tenant', () => {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }));
  fleet.classes.add({ name: 'standard', spec: excepting(ceiling, raised) });
  fleet.add({ name: 'acme', spec: pods(90) }, 'a');
  expect(fleet.exceptions()).toEqual([
    {
      tenant: 'acme',
      className: 'standard',
      path: ['spec', 'exceptions', 0, 'ceilings', 'quota', 'pods'],
      value: 99,
      isNeeded: true,
    },
  ]);
  fleet.release('acme');
  expect(fleet.exceptions()).toEqual([]);
});
