import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateProjectFields } from '../../../model/argocd/rules/project-validity.ts';
import type { AppProjectSpec, ProjectRole } from '../../../model/argocd/api/types.ts';
import { checkClass } from '../../../model/class-check.ts';
import { extendClass } from '../../../model/classes/extend.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import type { Access } from '../../../crds/access.ts';
import type { NamespaceEntry, TenantSpec } from '../../../crds/tenant.ts';
import { tenantClass, type TenantClassSpec } from '../../../crds/tenant-class.ts';
import { formatFinding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { validate } from '@tenantry/crd/schema/validate';
import { typesTest, type TypesRequest } from '../../go/argocd-types.ts';
import { desiredOf, specOf, collectFindings, type Given } from '../given.ts';
import { deploying } from './deploying.ts';

type Roles = NonNullable<NonNullable<TenantClassSpec['argocd']>['roles']>;

const restart = 'action/apps/Deployment/restart';
const all: Roles = { viewers: ['get'], editors: ['get', 'sync', 'logs'], admins: ['get', restart] };

const given = (tenant: TenantSpec, roles = all, klass: TenantClassSpec = {}): Given =>
  deploying({ klass: { ...klass, argocd: { roles } }, tenant });

function projectOf(one: Given): KubeObject {
  const { argocd, findings } = desiredOf(one);
  expect(findings).toEqual([]);
  return argocd[0]!;
}

const buildRoles = (one: Given): readonly ProjectRole[] | undefined =>
  specOf<AppProjectSpec>(projectOf(one)).roles;

/** Formats each role as `viewers: blue, red`. */
const holdersOf = (one: Given): string[] =>
  (buildRoles(one) ?? []).map(({ name, groups = [] }) => `${name}: ${groups.join(', ')}`);

const namespaces = (...names: string[]): NamespaceEntry[] => names.map((name) => ({ name }));

test('a project has no roles until the class sets the actions of a level', () => {
  const tenant = { access: { admins: { groups: ['blue'] } } };
  expect(specOf(projectOf(deploying({ tenant })))).not.toHaveProperty('roles');
  expect(specOf(projectOf(given(tenant, { viewers: ['get'], admins: [] })))).not.toHaveProperty(
    'roles',
  );
});

test('a group with a level in every namespace has it in the whole project', () => {
  const tenant = {
    namespaces: namespaces('acme-dev', 'acme-prod'),
    access: { editors: { groups: ['red', 'blue'], users: ['alice@example.com'] } },
  };
  expect(buildRoles(given(tenant))).toEqual([
    {
      description: 'editors of tenant acme',
      groups: ['blue', 'red'],
      name: 'editors',
      policies: [
        'p, proj:tenant-acme:editors, applications, get, tenant-acme/*, allow',
        'p, proj:tenant-acme:editors, logs, get, tenant-acme/*, allow',
        'p, proj:tenant-acme:editors, applications, sync, tenant-acme/*, allow',
      ],
    },
  ]);
});

test('a group with a level in one namespace has it for Applications of that namespace', () => {
  const tenant = {
    namespaces: [
      { name: 'acme-dev', access: { viewers: { groups: ['blue'] } } },
      { name: 'acme-dev-2', access: { viewers: { groups: ['blue', 'red'] } } },
      { name: 'acme-prod' },
    ],
  };
  expect(holdersOf(given(tenant))).toEqual([
    'viewers-acme-dev: blue',
    'viewers-acme-dev-2: blue, red',
  ]);
  expect(buildRoles(given(tenant))![0]).toEqual({
    description: 'viewers of namespace acme-dev',
    groups: ['blue'],
    name: 'viewers-acme-dev',
    policies: [
      'p, proj:tenant-acme:viewers-acme-dev, applications, get, tenant-acme/acme-dev.*, allow',
    ],
  });
});

test('groups of the class have the same rights as groups of the tenant', () => {
  const defaults = { access: { viewers: { groups: ['audit'] } } };
  const one = given({ access: { viewers: { groups: ['blue', 'audit'] } } }, all, { defaults });
  expect(holdersOf(one)).toEqual(['viewers: audit, blue']);
});

test('a class inherits the levels of its parent, and overrides each one that it sets', () => {
  const parent = { name: 'a', spec: { argocd: { roles: all } } };
  const roles = { viewers: [], editors: ['get'] };
  const { spec } = extendClass({ name: 'b', spec: { extends: 'a', argocd: { roles } } }, parent);
  expect(spec.argocd).toEqual({ roles: { ...all, ...roles } });
});

test.each(['Suspended', 'Retired'] as const)('a %s namespace gives nobody a role', (lifecycle) => {
  const access = { viewers: { groups: ['blue'] } };
  expect(buildRoles(given({ lifecycle, access }))).toBeUndefined();
  const klass = { defaults: { access } };
  expect(buildRoles(given({ lifecycle }, all, klass))).toBeUndefined();
  const entries = [{ name: 'acme-dev' }, { name: 'acme-prod', lifecycle }];
  // Not the whole project: an Application that a user wrote may deploy to any namespace.
  expect(holdersOf(given({ access, namespaces: entries }))).toEqual(['viewers-acme-dev: blue']);
});

test('a group name is escaped as Argo CD parses it, or refused where it is declared', () => {
  const holding = (...groups: string[]) => given({ access: { viewers: { groups } } });
  const names = ['CN=web,OU=teams', 'github:acme web', '#1', "o'neil", 'roles:x', 'system'];
  const spec = specOf<AppProjectSpec>(projectOf(holding(...names)));
  expect(spec.roles![0]!.groups).toContain('"CN=web,OU=teams"');
  expect(validateProjectFields('tenant-acme', spec).map(formatFinding)).toEqual([]);
  const at = 'spec.access.viewers.groups must be names';
  const since = 'since class standard gives viewers a role there (argocd.roles), got';
  expect(collectFindings(holding('a"b', 'web'))).toEqual([
    `${at} without double quotes, which Argo CD takes for its own, ${since} 'a"b'`,
  ]);
  for (const name of ['role:readonly', 'proj:tenant-acme:admins']) {
    expect(collectFindings(holding(name))).toEqual([
      `${at} that do not begin with 'role:' or 'proj:', which to Argo CD are roles, ${since} '${name}'`,
    ]);
  }
  const dev = { name: 'acme-dev', access: { viewers: { groups: ['a"b'] } } };
  expect(collectFindings(given({ namespaces: [dev, { name: 'acme-prod' }] }))).toHaveLength(1);
  const unasked = { access: { editors: { groups: ['a"b'] } } };
  expect(collectFindings(given(unasked, { viewers: ['get'] }))).toEqual([]);
  expect(collectFindings({ ...given(unasked), tenant: unasked })).toEqual([]);
});

test('a project uses the login name of a group, and omits groups without a login', () => {
  const prefixed = (...names: string[]): Given => {
    const { platform, ...rest } = given({ access: { viewers: { groups: names } } });
    return {
      ...rest,
      platform: { ...platform, argocd: { ...platform?.argocd, groupsPrefix: 'oidc:' } },
    };
  };
  expect(holdersOf(prefixed('oidc:blue', 'oidc:oidc:red', 'blue', 'oidc:', 'Oidc:green'))).toEqual([
    'viewers: blue, oidc:red',
  ]);
  expect(buildRoles(prefixed('blue'))).toBeUndefined();
  expect(collectFindings(prefixed('a"b', 'role:x'))).toEqual([]);
  expect(collectFindings(prefixed('oidc:role:x', 'oidc: x'))).toEqual([
    expect.stringMatching(/do not begin with 'role:'.* got 'oidc:role:x'$/),
    expect.stringMatching(/neither begin nor end with a space.* got 'oidc: x'$/),
  ]);
});

test('a class may allow get, sync, logs and single actions, and nothing that bypasses Git', () => {
  const refusals = (viewers: string[]) =>
    validate(tenantClass.spec, { argocd: { roles: { viewers } } }).map(({ message }) => message);
  expect(refusals(['get', 'sync', 'logs', restart, 'action//Pod/x', 'action/a.b/C/d-e_F'])).toEqual(
    [],
  );
  expect(refusals([])).toEqual([]);
  const around = [
    'create',
    'update',
    'delete',
    'override',
    'exec',
    'delete/*',
    'update/apps/X/y/z',
  ];
  const patterns = ['action/*', 'action/apps/*/restart', 'action/*/X/y', 'action/apps/X/*'];
  const globs = ['action/apps/X/re?tart', 'action/apps/X/{a,b}', 'action/apps/X/[a]'];
  const others = ['*', 'get ', 'Get', 'get, allow', 'action/apps/X', 'action/apps/X/a/b'];
  for (const other of [...around, ...patterns, ...globs, ...others]) {
    expect(refusals(['get', other])).toEqual([expect.stringMatching(/wildcard is refused/)]);
  }
});

test("a level without 'get' is an error of the class, and so is an invalid group in the class", () => {
  const mistakes = (spec: TenantClassSpec) =>
    checkClass({ name: 'standard', spec }, resolvePlatform({})).findings.map(formatFinding);
  const roles = { admins: ['sync', 'logs'], editors: [], viewers: ['get'] };
  expect(mistakes({ argocd: { roles } })).toEqual([
    "spec.argocd.roles.admins must hold 'get', without which Argo CD lets nobody do anything, got sync, logs",
  ]);
  const defaults = { access: { viewers: { groups: ['a"b'] } } };
  expect(mistakes({ argocd: { roles: all }, defaults })).toEqual([
    expect.stringMatching(/^spec\.defaults\.access\.viewers\.groups must be names without/),
  ]);
});

const groups = ['blue', 'red', 'CN=web,OU=teams', 'admins', "o'neil $$ #1", 'viewers'];
const names = ['acme', 'acme-dev', 'acme-dev-2'] as const;
const actions = ['sync', 'logs', restart, 'action//Pod/x'];
const levels = ['admins', 'editors', 'viewers'] as const;

const someGroups = fc.subarray(groups);
const anyAccess = fc.record(
  Object.fromEntries(
    levels.map((level) => [
      level,
      fc.record({ groups: someGroups, users: fc.constant(['alice']) }),
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Access>;
const someActions = fc.subarray(actions).map((some) => ['get', ...some]);
const anyTenant = fc.record({
  ofClass: anyAccess,
  ofTenant: anyAccess,
  roles: fc.record(
    { admins: someActions, editors: someActions, viewers: someActions },
    { requiredKeys: [] },
  ),
  namespaces: fc.subarray([...names], { minLength: 1 }).chain((some) =>
    fc.tuple(
      ...some.map((name) =>
        fc.record({
          name: fc.constant(name),
          access: anyAccess,
          lifecycle: fc.constantFrom(
            'Active' as const,
            'Active' as const,
            'Suspended' as const,
            'Retired' as const,
          ),
        }),
      ),
    ),
  ),
});
type AnyTenant = typeof anyTenant extends fc.Arbitrary<infer T> ? T : never;

/** The requests to check, each for an Application that deploys to the namespace or lies in it. */
const within = ['get', 'sync', restart, 'action//Pod/x', 'action/apps/Deployment/scale'];
const around = ['create', 'update', 'delete', 'override', 'delete/apps/Deployment/a/b'];
const asked = [...within, ...around].map((action) => ['applications', action] as const);
const others = [
  ['logs', 'get'],
  ['exec', 'create'],
  ['applicationsets', 'get'],
  ['applicationsets', 'create'],
  ['repositories', 'get'],
  ['clusters', 'get'],
] as const;

function requestsOf(who: { user: string; groups: string[] }, name: string): TypesRequest[] {
  const objects = [`tenant-acme/${name}.in-cluster.web`, `tenant-acme/${name}/web`];
  return objects.flatMap((object) =>
    [...asked, ...others].map(([resource, action]) => ({ ...who, resource, action, object })),
  );
}

/** Whether the declaration allows a request. */
function isMeant({ ofClass, ofTenant, roles, namespaces: entries }: AnyTenant, one: TypesRequest) {
  const word = one.resource === 'logs' ? 'logs' : one.action;
  if (one.resource !== 'applications' && one.resource !== 'logs') return false;
  const own = entries.filter(({ name }) => one.object.startsWith(`tenant-acme/${name}.`));
  const reached = one.object.split('/').length === 3 ? entries : own;
  return levels.some(
    (level) =>
      roles[level]?.includes(word) &&
      one.groups.some(
        (group) =>
          reached.length > 0 &&
          reached.every(
            ({ access, lifecycle }) =>
              lifecycle === 'Active' &&
              [ofClass, ofTenant, access].some((layer) => layer[level]?.groups?.includes(group)),
          ),
      ),
  );
}

typesTest(
  'Argo CD allows each group exactly what the class allows, where the group has access',
  (ask) => {
    const cases = fc.sample(anyTenant, { numRuns: 60, seed: 16 });
    const people = [
      ...groups.map((group) => ({ user: 'mallory', groups: [group] })),
      { user: 'alice', groups: [] },
      { user: 'bob', groups: ['nobody', 'Blue', 'CN=web', '"CN=web,OU=teams"', 'role:readonly'] },
    ];
    const requests = people.flatMap((who) =>
      // A namespace that the tenant does not have has no Application to act on.
      names.flatMap((name) => requestsOf(who, name)),
    );
    const questions = cases.map((one) => {
      const object = projectOf(
        given({ access: one.ofTenant, namespaces: one.namespaces }, one.roles, {
          defaults: { access: one.ofClass },
        }),
      );
      const here = requests.filter(({ object: of }) =>
        one.namespaces.some(
          ({ name }) =>
            of.startsWith(`tenant-acme/${name}.`) || of.startsWith(`tenant-acme/${name}/`),
        ),
      );
      return { kind: 'AppProject' as const, object, requests: here };
    });
    const answers = ask(questions);
    expect(answers.map(({ error }) => error).filter((error) => error !== '')).toEqual([]);
    const wrong = questions.flatMap(({ requests: here }, i) =>
      here
        .filter((one, j) => answers[i]!.requests[j] !== isMeant(cases[i]!, one))
        .map((one) => [i, one]),
    );
    expect(wrong).toEqual([]);
    const permitted = answers.flatMap((answer) => answer.requests);
    expect(permitted.filter(Boolean).length).toBeGreaterThan(1000);
    expect(questions.map(({ object }) => specOf(object))).toEqual(
      answers.map(({ written }) => written),
    );
  },
);
