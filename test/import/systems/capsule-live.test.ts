import { expect, test } from '@jest/globals';
import { importLines } from '../../../cli/import-report-text.ts';
import { made, namespaces, tenant } from './capsule-source.ts';
import { importSystem, readTenant } from './import-system.ts';

const spec = `
  owners: [{ kind: User, name: alice, clusterRoles: [admin, capsule-namespace-deleter] }]
  resourceQuotas: { scope: Tenant, items: [{ hard: { pods: '30' } }] }
  limitRanges: { items: [{ limits: [{ type: Pod, max: { cpu: '2' } }] }] }
  networkPolicies: { items: [{ podSelector: {}, policyTypes: [Ingress], ingress: [{ from: [{ podSelector: {} }] }] }] }
  storageClasses: { allowed: [ceph] }
`;

/** What Capsule makes of the Tenant in the namespace `<name>-dev`. */
const copies = (name: string): string =>
  made(
    'RoleBinding',
    'capsule:managed:01ab',
    name,
    'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin }\nsubjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: alice }]',
  ) +
  made(
    'ResourceQuota',
    `capsule-${name}-0`,
    name,
    `spec: { hard: { pods: '21' } }\nstatus: { used: { pods: '9' } }`,
  ) +
  made(
    'LimitRange',
    `capsule-${name}-0`,
    name,
    `spec: { limits: [{ type: Pod, max: { cpu: '2' } }] }`,
  ) +
  made(
    'NetworkPolicy',
    `capsule-${name}-0`,
    name,
    'spec: { podSelector: {}, policyTypes: [Ingress], ingress: [{ from: [{ podSelector: {} }] }] }',
  );

const whole = (name: string): string =>
  namespaces(name, { [`${name}-dev`]: '', [`${name}-prod`]: '' }) +
  tenant(name, spec) +
  copies(name);

test('an export of a live cluster needs only the Tenants to be accepted', () => {
  const imported = importSystem(whole('oil'), ['Tenant oil']);
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.leftOut).toEqual([]);
  expect(imported.report.made.map(({ kind, objects }) => `${objects} ${kind}`).toSorted()).toEqual([
    '1 LimitRange',
    '1 NetworkPolicy',
    '1 ResourceQuota',
    '1 RoleBinding',
  ]);
  expect(readTenant(imported, 'oil')).toMatchObject({ quota: { total: { pods: '30' } } });
  expect(imported.report.objects).toMatchObject({ different: 0 });
  expect(JSON.stringify(imported.result.files)).not.toContain('capsule');
});

test('the same source gives the same files again', () => {
  expect(importSystem(whole('oil')).result.files).toEqual(importSystem(whole('oil')).result.files);
});

test('a binding to the ClusterRole of Capsule goes with it, and no right replaces it', () => {
  const deleter = made(
    'RoleBinding',
    'capsule:managed:77',
    'oil',
    'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: capsule-namespace-deleter }\nsubjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: alice }]',
  );
  const imported = importSystem(whole('oil') + deleter, ['Tenant oil']);
  expect(imported.report.leftOut.filter(({ accepted }) => !accepted)).toEqual([]);
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { admins: { users: ['alice'] } } });
  expect(readTenant(imported, 'oil')).not.toHaveProperty('access.clusterRoles');
});

const many = Array.from({ length: 40 }, (_none, i) => `t${i}`);

test('the report of many tenants has one line for each difference, and what is open comes first', () => {
  const stray = made(
    'RoleBinding',
    'capsule:managed:99',
    't39',
    'roleRef: { kind: ClusterRole, name: edit }\nsubjects: [{ kind: User, name: mallory }]',
  );
  const { report } = importSystem(many.map(whole).join('') + stray);
  const lines = importLines(report, (_style, text) => text);
  const begin = lines.indexOf('Left out:');
  expect(lines[begin + 1]).toMatch(
    /^ {2}RoleBinding t39-dev\/capsule:managed:99 .*Capsule made it/,
  );
  expect(report.made).toContainEqual(expect.objectContaining({ kind: 'RoleBinding', objects: 40 }));
  const systems = lines.slice(lines.indexOf('Of other tenancy systems:'));
  expect(systems[1]).toMatch(/^ {2}40 objects Tenant of Capsule, 0 of them accepted/);
  expect(systems).toContainEqual(
    expect.stringMatching(/^ {4}spec.storageClasses is left: .* \(t0, t1, t2 and 37 more\)$/),
  );
  expect(systems).toContainEqual(expect.stringMatching(/^ {4}\d+ fields with the same effect$/));
  expect(lines.length).toBeLessThan(80);
});
