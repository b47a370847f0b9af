import { describe, expect, test } from '@jest/globals';
import type { Access, DriftPolicy, TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';

interface Given {
  readonly spec: TenantSpec;
  readonly klass?: TenantClassSpec;
  readonly maxPolicy?: DriftPolicy;
  readonly today?: string;
}

function render({ spec, klass = {}, maxPolicy = 'Heal', today }: Given) {
  const platform = resolvePlatform({ operator: { driftPolicy: maxPolicy } }, today);
  const { namespaces, findings } = desired(
    { name: 'pay', spec },
    { name: 'standard', spec: { driftPolicy: 'Heal', ...klass } },
    platform,
  );
  const [namespace] = namespaces;
  const own = (namespace?.objects ?? []).filter(({ metadata }) =>
    metadata.name.startsWith('tenant-break-glass-'),
  );
  return {
    objects: own.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    subjects: own.flatMap((one) => (one['subjects'] ?? []) as readonly { readonly name: string }[]),
    requestable: namespace?.requestable,
    findings: findings.map(({ rule, severity, path }) => `${severity} ${rule} ${path.join('.')}`),
  };
}

const oncall = (more: object = {}): Access => ({
  breakGlass: [{ clusterRole: 'admin', groups: ['oncall'], ...more }],
});

test('a ClusterRole that somebody may request is a Role and a RoleBinding to request it', () => {
  expect(render({ spec: { access: oncall() } })).toEqual({
    objects: ['Role tenant-break-glass-admin', 'RoleBinding tenant-break-glass-admin'],
    subjects: [expect.objectContaining({ kind: 'Group', name: 'oncall' })],
    requestable: [{ clusterRole: 'admin', users: [], groups: ['oncall'], maxHours: 4 }],
    findings: [],
  });
});

test('entries of all layers add up, and the lowest number of hours applies', () => {
  const klass = { defaults: { access: oncall({ groups: ['platform'], maxHours: 6 }) } };
  const namespaces = [{ name: 'pay', access: oncall({ users: ['alice'], maxHours: 8 }) }];
  const { requestable, subjects } = render({
    spec: { access: oncall({ maxHours: 2 }), namespaces },
    klass,
  });
  expect(requestable).toEqual([
    { clusterRole: 'admin', users: ['alice'], groups: ['oncall', 'platform'], maxHours: 2 },
  ]);
  expect(subjects.map(({ name }) => name)).toEqual(['oncall', 'platform', 'alice']);
});

describe('nobody may request anything', () => {
  test.each([
    ['the tenant is suspended', { spec: { access: oncall(), lifecycle: 'Suspended' } }],
    ['the tenant is retired', { spec: { access: oncall(), lifecycle: 'Retired' } }],
    [
      'the entry has ended',
      { spec: { access: oncall({ until: '2027-01-31' }) }, today: '2027-02-01' },
    ],
  ] as const)('when %s', (_, given) => {
    const { subjects, requestable } = render(given);
    expect({ subjects, requestable }).toEqual({ subjects: [], requestable: undefined });
  });

  test.each([
    ['of the platform', { spec: { access: oncall() }, maxPolicy: 'Create' }],
    ['of the tenant', { spec: { access: oncall(), driftPolicy: 'Observe' } }],
    ['of the class', { spec: { access: oncall() }, klass: { driftPolicy: 'Create' } }],
  ] as const)(
    'unless the drift policy %s is Heal, and a warning reports that',
    (_, given: Given) => {
      const { objects, requestable, findings } = render(given);
      expect({ objects, requestable, findings }).toEqual({
        objects: [],
        requestable: undefined,
        findings: ['warning break-glass-absent spec.access.breakGlass.0'],
      });
    },
  );
});

test('a ClusterRole that the class does not allow cannot be requested, not even by the class itself', () => {
  expect(render({ spec: { access: oncall({ clusterRole: 'root' }) } }).findings).toEqual([
    'error cluster-role spec.access.breakGlass.0',
  ]);
  const klass = { defaults: { access: oncall({ clusterRole: 'root' }) } };
  expect(render({ spec: {}, klass }).findings).toEqual(['error cluster-role spec.className']);
  const allowing = { ...klass, allow: { clusterRoles: ['root'] } };
  expect(render({ spec: {}, klass: allowing }).findings).toEqual([]);
});

test('identities of Kubernetes cannot request anything', () => {
  const access = oncall({ groups: ['system:authenticated'] });
  expect(render({ spec: { access } }).findings).toEqual([
    'error system-subject spec.access.breakGlass.0.groups',
  ]);
});
