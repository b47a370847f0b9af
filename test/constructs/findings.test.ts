import { expect, test } from '@jest/globals';
import type { NamespaceEntry } from '../../crds/tenant.ts';
import { desiredOf, collectFindings, type Given } from './given.ts';

const whole = (got: string) => `must be a whole number for pods, got '${got}'`;
const half = { quota: { hard: { pods: '1.5' } } };

test('a finding with the same cause in several namespaces is reported once at each path that sets the value', () => {
  const names: NamespaceEntry[] = [{ name: 'a' }, { name: 'b' }];
  expect(collectFindings({ tenant: { ...half, namespaces: names } })).toEqual([
    `spec.quota.hard.pods ${whole('1.5')}`,
  ]);
  const each = names.map((entry) => ({ ...entry, ...half }));
  expect(collectFindings({ tenant: { namespaces: each } })).toEqual([
    `spec.namespaces[0].quota.hard.pods ${whole('1.5')}`,
    `spec.namespaces[1].quota.hard.pods ${whole('1.5')}`,
  ]);
});

test('all errors of one value are reported', () => {
  const klass = { ceilings: { quota: { pods: 1 } } };
  expect(collectFindings({ klass, tenant: half })).toEqual([
    `spec.quota.hard.pods ${whole('1.5')}`,
    "spec.quota.hard.pods must be at most 1 for pods (ceiling of class standard), got '1.5' in namespace acme",
  ]);
});

const bound = (pods: number) => ({ quota: { hard: { pods } } });

test.each<[string, Given, string]>([
  [
    'in the entry of the namespace',
    { tenant: { ...bound(9), namespaces: [{ name: 'a', ...bound(8) }] } },
    'spec.namespaces[0].quota.hard.pods',
  ],
  [
    'in the tenant, where the entry sets another key',
    { tenant: { ...bound(9), namespaces: [{ name: 'a', quota: { hard: { secrets: 9 } } }] } },
    'spec.quota.hard.pods',
  ],
  [
    'by a preset that the entry chooses',
    {
      klass: { presets: { quotas: [{ name: 'big', hard: { pods: 9 } }] } },
      tenant: { namespaces: [{ name: 'a', quota: { preset: 'big' } }] },
    },
    'spec.namespaces[0].quota',
  ],
  [
    'by a preset that the tenant chooses',
    {
      klass: { presets: { quotas: [{ name: 'big', hard: { pods: 9 } }] } },
      tenant: { quota: { preset: 'big' } },
    },
    'spec.quota',
  ],
  [
    'by the class',
    { klass: { defaults: bound(9) }, tenant: { namespaces: [{ name: 'a' }] } },
    'spec.className',
  ],
])('a finding is reported where the value is set: %s', (_name, given, path) => {
  const klass = { ...given.klass, ceilings: { quota: { pods: 7 } } };
  const paths = desiredOf({ ...given, klass }).findings.map((finding) => finding.path);
  expect(paths.map((found) => found.join('.'))).toEqual([
    path.replaceAll('[', '.').replaceAll(']', ''),
  ]);
});

test('each namespace is checked against its own objects', () => {
  const room = { quota: { hard: { 'count/serviceaccounts': 1 } } };
  const namespaces = [{ name: 'a' }, { name: 'b', ...room, serviceAccounts: [{ name: 'ci' }] }];
  expect(collectFindings({ tenant: { namespaces } })).toEqual([
    'spec.namespaces[1].quota.hard["count/serviceaccounts"] must be at least 2 for count/serviceaccounts, which namespace b has from the start, got 1',
  ]);
});

test('a suspicious value is a warning, and all else is an error', () => {
  const hard = { pods: '1.5', 'requests.cpu': 4, 'limits.cpu': 2 };
  const { findings } = desiredOf({ tenant: { quota: { hard } } });
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
    ['quota-whole', 'error'],
    ['quota-unusable', 'warning'],
    ['quota-refuses-defaults', 'warning'],
  ]);
});

test('keys of the Tenant itself follow the rules of objects', () => {
  expect(collectFindings({ labels: { 'tenantry.dev/tenant': 'other' } })).toEqual([
    'metadata.labels["tenantry.dev/tenant"] must not be set: the key \'tenantry.dev/tenant\' is reserved for Tenantry',
  ]);
});

/** Twenty annotations, about 300,000 bytes together. */
const annotations = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`example.com/${i}`, 'x'.repeat(15_000)]),
);
const users = (count: number) => Array.from({ length: 100 }, (_, i) => `user-${count}-${i}`);

test.each<[string, Given, string[]]>([
  [
    'of the tenant as a whole',
    {
      name: 'kube-system',
      annotations,
      klass: { ceilings: { tenantQuota: { pods: 1 } } },
    },
    [
      'annotations-size metadata.annotations',
      'protected-namespace metadata.name',
      'ceiling-tenant-quota spec.namespaces',
    ],
  ],
  [
    'of the objects of a namespace',
    { klass: { allow: { annotations: [{ key: 'example.com/*' }] } }, tenant: { annotations } },
    ['annotations-size spec.annotations'],
  ],
  [
    'of every single object',
    {
      tenant: {
        access: {
          clusterRoles: Array.from({ length: 60 }, (_, i) => ({
            name: 'view',
            bindingName: 'all',
            users: users(i),
          })),
        },
      },
    },
    ['object-size spec'],
  ],
])('rules %s apply to every tenant', (_name, given, expected) => {
  const { findings } = desiredOf(given);
  expect(findings.map(({ rule, path }) => `${rule} ${path.join('.')}`)).toEqual(expected);
});
