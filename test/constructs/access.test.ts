import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolveTenant } from '../../model/layers/resolve.ts';
import { validatePlatform } from '../../model/rules/platform.ts';
import { checkTenant } from '../../model/rules/rules.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { Access } from '../../crds/access.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import {
  bindingsOf,
  namesOf,
  objectsOf,
  ofKind,
  subjectsOf,
  collectFindings,
  type Given,
} from './given.ts';

const given = (access: Access, klass: TenantClassSpec = {}, more: Given['tenant'] = {}): Given => ({
  tenant: { access, ...more },
  klass,
});

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

test('users, groups and service accounts share one binding for a role, sorted', () => {
  const admins = {
    users: ['zoe', 'alice'],
    groups: ['github:pay'],
    serviceAccounts: [{ name: 'ci', namespace: 'acme' }],
  };
  const [binding] = ofKind(given({ admins }), 'RoleBinding');
  expect(binding).toMatchObject({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'github:pay' },
      { kind: 'ServiceAccount', name: 'ci', namespace: 'acme' },
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' },
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'zoe' },
    ],
  });
});

test('admins, editors and viewers get the roles that the class sets, by default those of Kubernetes', () => {
  const access = { admins: { users: ['a'] }, editors: { users: ['e'] }, viewers: { users: ['v'] } };
  expect(bindingsOf(given(access))).toEqual([
    'tenant-clusterrole-admin: ClusterRole admin <- User a',
    'tenant-clusterrole-edit: ClusterRole edit <- User e',
    'tenant-clusterrole-view: ClusterRole view <- User v',
  ]);
  expect(bindingsOf(given(access, { roles: { admins: 'team-admin' } }))[0]).toBe(
    'tenant-clusterrole-team-admin: ClusterRole team-admin <- User a',
  );
});

test('the name of a binding contains the role, because the role of a binding is immutable', () => {
  const access: Access = {
    clusterRoles: [{ name: 'Reader:x', users: ['a'] }],
    roles: [{ name: 'reader', rules: [pods], users: ['a'] }],
  };
  expect(bindingsOf(given(access, { allow: { clusterRoles: ['Reader:x'] } }))).toEqual([
    'tenant-clusterrole-Reader:x: ClusterRole Reader:x <- User a',
    'tenant-role-reader: Role reader <- User a',
  ]);
});

test('bindingName overrides that name, and {namespace} in it is replaced by the namespace', () => {
  const admins = { users: ['a'], bindingName: '{namespace}-admin-{namespace}' };
  const world = given({ admins }, {}, { namespaces: [{ name: 'dev' }, { name: 'prod' }] });
  expect(bindingsOf(world, 'dev')).toEqual(['dev-admin-dev: ClusterRole admin <- User a']);
  expect(bindingsOf(world, 'prod')).toEqual(['prod-admin-prod: ClusterRole admin <- User a']);
});

test('the highest layer that names the binding of the admins names it for all layers', () => {
  const world: Given = {
    klass: { defaults: { access: { admins: { groups: ['on-call'], bindingName: 'low' } } } },
    tenant: {
      access: { admins: { users: ['a'], bindingName: 'high' } },
      namespaces: [{ name: 'dev', access: { admins: { users: ['b'] } } }],
    },
  };
  expect(bindingsOf(world)).toEqual(['high: ClusterRole admin <- Group on-call, User a, User b']);
});

test('two roles with the same binding name are refused', () => {
  const access = {
    admins: { users: ['a'], bindingName: 'x' },
    viewers: { users: ['b'], bindingName: 'x' },
  };
  expect(collectFindings(given(access))).toEqual([
    "spec.access.viewers must have a bindingName of its own, got 'x', which binds ClusterRole admin in namespace acme",
  ]);
});

test('a role without subjects has no binding, and a role may be declared without subjects', () => {
  expect(bindingsOf(given({ admins: { users: [] }, viewers: {} }))).toEqual([]);
  const world = given({ roles: [{ name: 'reader', rules: [pods] }] });
  expect(namesOf(ofKind(world, 'Role'))).toEqual(['reader']);
  expect(bindingsOf(world)).toEqual([]);
});

test('service accounts of the same name in two namespaces are two subjects (CVE-2023-46254)', () => {
  const serviceAccounts = ['dev', 'prod', 'dev'].map((namespace) => ({ name: 'ci', namespace }));
  const world = given(
    { viewers: { serviceAccounts } },
    {},
    { namespaces: [{ name: 'dev' }, { name: 'prod' }] },
  );
  expect(bindingsOf(world)).toEqual([
    'tenant-clusterrole-view: ClusterRole view <- ServiceAccount dev/ci, ServiceAccount prod/ci',
  ]);
});

test('a user, a group and a service account of the same name are three subjects', () => {
  const same = { users: ['x'], groups: ['x'], serviceAccounts: [{ name: 'x', namespace: 'acme' }] };
  expect(subjectsOf(ofKind(given({ editors: same }), 'RoleBinding')[0]!)).toEqual([
    'Group x',
    'ServiceAccount acme/x',
    'User x',
  ]);
});

const people = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 });
const holders = fc.record({ users: people, groups: people }, { requiredKeys: [] });
const anyAccess = fc.record(
  { admins: holders, editors: holders, viewers: holders },
  { requiredKeys: [] },
);

test('every declared subject of a role is bound, and a removed subject loses its binding', () => {
  fc.assert(
    fc.property(anyAccess, anyAccess, anyAccess, (klass, tenant, namespace) => {
      const layers = [klass, tenant, namespace] as Access[];
      const declared = new Set<string>();
      const roles = { admins: 'admin', editors: 'edit', viewers: 'view' } as const;
      for (const layer of layers) {
        for (const [group, role] of Object.entries(roles)) {
          const { users = [], groups = [] } = layer[group as keyof typeof roles] ?? {};
          for (const name of users) declared.add(`${role} User ${name}`);
          for (const name of groups) declared.add(`${role} Group ${name}`);
        }
      }
      const world: Given = {
        klass: { defaults: { access: layers[0]! } },
        tenant: { access: layers[1]!, namespaces: [{ name: 'n', access: layers[2]! }] },
      };
      const bound = ofKind(world, 'RoleBinding').flatMap((binding) => {
        const { name } = binding['roleRef'] as { name: string };
        return subjectsOf(binding).map((subject) => `${name} ${subject}`);
      });
      expect(bound.toSorted()).toEqual([...declared].toSorted());
    }),
    runs(150),
  );
});

test.each<[string, Access, string]>([
  [
    'a group of Kubernetes',
    { admins: { groups: ['system:masters'] } },
    "spec.access.admins.groups must not begin with 'system:', got 'system:masters': these are identities of Kubernetes itself",
  ],
  [
    'everyone',
    { viewers: { groups: ['system:authenticated'] } },
    "spec.access.viewers.groups must not begin with 'system:', got 'system:authenticated': these are identities of Kubernetes itself",
  ],
  [
    'a service account as a user',
    { editors: { users: ['system:serviceaccount:kube-system:x'] } },
    "spec.access.editors.users must not begin with 'system:', got 'system:serviceaccount:kube-system:x': a service account is named in serviceAccounts",
  ],
  [
    'a service account of somebody else',
    { editors: { serviceAccounts: [{ name: 'ci', namespace: 'other' }] } },
    "spec.access.editors.serviceAccounts must be a service account of the tenant's own namespaces, or one that class standard allows, got 'other/ci'",
  ],
  [
    'a ClusterRole that the class does not allow',
    { clusterRoles: [{ name: 'custom', users: ['a'] }] },
    "spec.access.clusterRoles[0] must be a ClusterRole that class standard allows (admin, edit, view), got 'custom'",
  ],
  [
    'a ClusterRole of Kubernetes itself',
    { clusterRoles: [{ name: 'system:node', users: ['a'] }] },
    "spec.access.clusterRoles[0] must be a role for tenants, got 'system:node'",
  ],
])('%s is refused', (_name, access, message) => {
  expect(collectFindings(given(access))).toEqual([message]);
});

test('names with invisible characters are refused, also without schema validation', () => {
  const access = { viewers: { users: ['alice\u200b', 'bob'], groups: ['a\nb'] } };
  const acme = { name: 'acme', spec: { access } };
  const klass = { name: 'standard', spec: {} };
  const findings = checkTenant(resolveTenant(acme, klass, resolvePlatform({})));
  expect(findings.map(({ path, rule }) => [path.join('.'), rule])).toEqual([
    ['spec.access.viewers.users', 'subject-name'],
    ['spec.access.viewers.groups', 'subject-name'],
  ]);
});

test.each(['“payments”', '“payments', '‘bob’', '«a»', 'a„b'])(
  'the name %s has typographic quotes, which nobody means',
  (name) => {
    const message = `must be names without typographic quotes, got '${name}'; write ' or "`;
    expect(collectFindings(given({ admins: { groups: [name] } }))).toEqual([
      `spec.access.admins.groups ${message}`,
    ]);
    expect(validatePlatform({ identities: { users: [name] } })).toMatchObject([
      { path: ['spec', 'identities', 'users', 0], message, rule: 'subject-name' },
    ]);
  },
);

test('a name may contain an apostrophe', () => {
  expect(collectFindings(given({ admins: { users: ['Pat O’Brien', "o'brien"] } }))).toEqual([]);
});

test('a service account in a misspelled namespace of the tenant is reported with the right one', () => {
  const serviceAccounts = [{ name: 'a', namespace: 'acme-dve' }];
  const found = collectFindings({
    tenant: { access: { admins: { serviceAccounts } }, namespaces: [{ name: 'acme-dev' }] },
  });
  expect(found).toEqual([expect.stringMatching(/got 'acme-dve\/a'; did you mean 'acme-dev'\?$/)]);
});

test('cluster-admin is refused, even where the class allows it or binds it', () => {
  const message = "must be a role for tenants, got 'cluster-admin'";
  const mine: Access = { clusterRoles: [{ name: 'cluster-admin', users: ['a'] }] };
  expect(collectFindings(given(mine, { allow: { clusterRoles: ['cluster-admin'] } }))).toEqual([
    `spec.access.clusterRoles[0] ${message}`,
  ]);
  const admins: Access = { admins: { users: ['a'] } };
  expect(collectFindings(given(admins, { roles: { admins: 'cluster-admin' } }))).toEqual([
    `spec.access.admins ${message}`,
  ]);
  expect(collectFindings({ klass: { defaults: { access: mine } } })).toEqual([
    `spec.className ${message}`,
  ]);
});

test('a class cannot bind users and groups of the system either', () => {
  const access = { viewers: { groups: ['system:authenticated'] } };
  expect(collectFindings({ klass: { defaults: { access } } })).toEqual([
    "spec.className.groups must not begin with 'system:', got 'system:authenticated': these are identities of Kubernetes itself",
  ]);
});

test('a class allows service accounts of other namespaces by namespace, by name or by prefix', () => {
  const serviceAccounts = [{ name: 'deploy-eu', namespace: 'ci' }];
  const access: Access = { editors: { serviceAccounts } };
  const allow = (name?: string, namespace = 'ci'): TenantClassSpec => ({
    allow: { serviceAccounts: [{ namespace, ...(name !== undefined && { name }) }] },
  });
  for (const klass of [allow(), allow('*'), allow('deploy-eu'), allow('deploy-*')]) {
    expect(collectFindings(given(access, klass))).toEqual([]);
  }
  for (const klass of [allow('deploy'), allow('deploy-e'), allow('*', 'ci-x')]) {
    expect(collectFindings(given(access, klass))).toHaveLength(1);
  }
});

test('access renders only namespaced objects: no ClusterRole and no ClusterRoleBinding', () => {
  const access: Access = {
    admins: { users: ['a'] },
    roles: [{ name: 'r', rules: [pods], users: ['a'] }],
  };
  const kinds = objectsOf(given(access)).map(({ kind }) => kind);
  expect(kinds).not.toContain('ClusterRole');
  expect(kinds).not.toContain('ClusterRoleBinding');
});
