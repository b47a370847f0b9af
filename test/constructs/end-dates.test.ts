import { describe, expect, test } from '@jest/globals';
import { FACTS } from '../../model/ownership.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { millisecondsToNextEnd } from '../../model/end-dates.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { bindingsOf, collectFindings, hardOf, namesOf, ofKind, refused } from './given.ts';

const until = '2027-01-31';
const [last, next] = [until, '2027-02-01'];

const tenant: TenantSpec = {
  access: {
    admins: {
      users: ['ann'],
      temporary: [
        { users: ['bob'], until },
        { users: ['cem'], until: next },
      ],
    },
    clusterRoles: [
      { name: 'view', groups: ['audit'], until },
      { name: 'view', groups: ['sales'] },
    ],
    roles: [
      {
        name: 'debug',
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
        users: ['dee'],
        until,
      },
    ],
  },
};

test('the last day is included: holders, roles and their bindings end on the next one', () => {
  expect(bindingsOf({ tenant, date: last })).toEqual([
    'tenant-clusterrole-admin: ClusterRole admin <- User ann, User bob, User cem',
    'tenant-clusterrole-view: ClusterRole view <- Group audit, Group sales',
    'tenant-role-debug: Role debug <- User dee',
  ]);
  expect(bindingsOf({ tenant, date: next })).toEqual([
    'tenant-clusterrole-admin: ClusterRole admin <- User ann, User cem',
    'tenant-clusterrole-view: ClusterRole view <- Group sales',
  ]);
  expect(namesOf(ofKind({ tenant, date: next }, 'Role'))).toEqual([]);
});

test('the policies for users know whom a tenant may bind on the same day', () => {
  const subjects = (date: string) =>
    ofKind({ tenant, date }, 'Namespace')[0]?.metadata.annotations?.[FACTS.subjects]?.split('\n');
  expect(subjects(last)).toEqual(expect.arrayContaining(['User bob', 'User dee', 'Group audit']));
  expect(subjects(next)).toEqual(['Group sales', 'User ann', 'User cem']);
});

test('without a date every end date is an error, so that no access lasts by mistake', () => {
  expect(refused({ tenant })).toEqual([
    `spec.access.admins.temporary[0].until must be left out of an app that renders without a date, got ${until}`,
    `spec.access.admins.temporary[1].until must be left out of an app that renders without a date, got ${next}`,
    `spec.access.clusterRoles[0].until must be left out of an app that renders without a date, got ${until}`,
    `spec.access.roles[0].until must be left out of an app that renders without a date, got ${until}`,
  ]);
  expect(() => resolvePlatform({}, '2027-02-30')).toThrow(RangeError);
});

test('findings about what lasts keep their places after an entry before them has ended', () => {
  const wrong: TenantSpec = {
    access: {
      admins: {
        temporary: [
          { users: ['ann'], until },
          { users: ['system:x'], until: '2030-01-01' },
        ],
      },
      clusterRoles: [
        { name: 'view', users: ['ann'], until },
        { name: 'secret', users: ['ann'] },
      ],
    },
  };
  expect(refused({ tenant: wrong, date: next }).map((one) => one.split(' ')[0])).toEqual([
    'spec.access.admins.temporary[1].users',
    'spec.access.clusterRoles[1]',
  ]);
});

test('an end is a warning from 30 days before it, and afterwards', () => {
  const warnings = (date: string) =>
    collectFindings({
      tenant: { network: { allowTo: [{ name: 'out', cidrs: ['10.0.0.0/8'], until }] } },
      klass: { defaults: { network: { egress: 'SameTenant' } } },
      date,
    });
  expect(warnings('2026-12-31')).toEqual([]);
  const path = 'warning spec.network.allowTo[0].until';
  const soon = [
    `${path} ends on ${until}: allowTo out; extend it, or remove the entry after that day`,
  ];
  expect([warnings('2027-01-01'), warnings(last)]).toEqual([soon, soon]);
  expect(warnings(next)).toEqual([
    `${path} ended on ${until}, so it is not rendered: allowTo out; remove the entry, or extend it`,
  ]);
});

describe('a network rule that ends', () => {
  const rule = (more: object = {}) => ({ name: 'in', namespaces: ['x'], ...more });
  const network = (...allowFrom: ReturnType<typeof rule>[]): TenantSpec => ({
    network: { allowFrom },
  });

  test('is not rendered afterwards', () => {
    const policies = (date: string) =>
      namesOf(ofKind({ tenant: network(rule({ until })), date }, 'NetworkPolicy'));
    expect(policies(last)).toContain('in');
    expect(policies(next)).not.toContain('in');
  });

  test.each([
    ['the tenant ends', {}, { until }],
    ['the class ends', { until }, {}],
  ])('must not share its name with another layer: that of %s', (_, ofClass, own) => {
    const klass: TenantClassSpec = { defaults: network(rule(ofClass)) };
    const given = { klass, tenant: network(rule(own)) };
    expect(refused({ ...given, date: last })).toEqual([
      "spec.network.allowFrom[0].name must be a name that no other layer has, since one of them ends, got 'in'",
    ]);
    expect(refused({ ...given, date: next })).toEqual([]);
  });
});

describe('a raised quota', () => {
  const klass: TenantClassSpec = { defaults: { quota: { hard: { pods: 100 } } } };
  const raised = (pods: number, more: object = {}): TenantSpec => ({
    quota: { temporary: [{ hard: { pods }, until }], ...more },
  });

  test('applies while it is above the lasting amount of any layer, which applies again afterwards', () => {
    const pods = (spec: TenantSpec, date: string) =>
      hardOf({ klass, tenant: spec, date })?.['pods'];
    expect([pods(raised(150), last), pods(raised(150), next)]).toEqual(['150', '100']);
    expect([pods(raised(50), last), pods(raised(50), next)]).toEqual(['100', '100']);
    const own = { hard: { pods: 'unlimited' } };
    expect([pods(raised(150, own), last), pods(raised(150, own), next)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is a warning if it has no effect', () => {
    const found = collectFindings({ klass, tenant: raised(100), date: '2026-01-01' });
    expect(found).toEqual([
      'warning spec.quota.temporary[0].hard.pods must be above the lasting amount of pods in a namespace, got 100',
    ]);
  });

  test('is refused above the ceiling of the class, at its own place', () => {
    const bounded = { ...klass, ceilings: { quota: { pods: 120 } } };
    expect(refused({ klass: bounded, tenant: raised(150), date: last })).toEqual([
      'spec.quota.temporary[0].hard.pods must be at most 120 for pods (ceiling of class standard), got 150 in namespace acme',
    ]);
    expect(refused({ klass: bounded, tenant: raised(150), date: next })).toEqual([]);
  });

  test('of a total is divided, and one of a namespace is added to its share', () => {
    const spec: TenantSpec = {
      namespaces: [
        { name: 'a', quota: { temporary: [{ hard: { pods: 50 }, until }] } },
        { name: 'b' },
      ],
      quota: { total: { pods: 20 }, temporary: [{ total: { pods: 40 }, until }] },
    };
    const pods = (date: string) =>
      ['a', 'b'].map((name) => hardOf({ tenant: spec, date }, name)?.['pods']);
    expect(pods(last)).toEqual(['50', '20']);
    expect(pods(next)).toEqual(['10', '10']);
  });
});

test('an exception that ended gives nobody a right, and its class renders as it is declared', () => {
  const spec: TenantClassSpec = {
    exceptions: [
      { tenants: ['acme'], reason: 'agreed', allow: { clusterRoles: ['extra'] }, until },
      { tenants: ['acme'], reason: 'agreed', allow: { clusterRoles: ['other'] } },
    ],
  };
  const rolesOn = (date: string) => {
    const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }, date));
    fleet.classes.add({ name: 'standard', spec });
    const roles = ['extra', 'other'].map((name) => ({ name, users: ['ann'] }));
    const { findings } = fleet.add(
      { name: 'acme', spec: { access: { clusterRoles: roles } } },
      'a',
    );
    expect(fleet.classes.all).toEqual([{ name: 'standard', spec }]);
    expect(fleet.exceptionWarnings({ name: 'standard', spec })).toEqual([]);
    return [
      findings.map(({ path, message }) => `${path.join('.')} ${message}`),
      fleet.classes.clusterRoles.filter((name) => ['extra', 'other'].includes(name)),
      fleet.exceptions('acme').map(({ path }) => path.join('.')),
    ];
  };
  expect(rolesOn(last)).toEqual([
    [],
    ['extra', 'other'],
    ['spec.exceptions.0.allow.clusterRoles.0', 'spec.exceptions.1.allow.clusterRoles.0'],
  ]);
  expect(rolesOn(next)).toEqual([
    [
      `spec.access.clusterRoles.0 must be a ClusterRole that class standard allows (admin, edit, view, other), got 'extra'; an exception of class standard allowed it until ${until}`,
    ],
    ['other'],
    ['spec.exceptions.1.allow.clusterRoles.0'],
  ]);
});

test('the time to the next end is that to the midnight in UTC after the first day that is not over', () => {
  const ends = [{ until: '2027-01-31' }, { until: '2027-02-10' }];
  const left = (now: string) => millisecondsToNextEnd(ends, new Date(now));
  expect(left('2027-01-31T23:59:59.999Z')).toBe(1);
  expect(left('2027-02-01T00:00:00Z')).toBe(10 * 86_400_000);
  expect(left('2027-02-11T00:00:00Z')).toBeUndefined();
});
