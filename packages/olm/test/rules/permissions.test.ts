import { describe, expect, test } from '@jest/globals';
import { findWidenedRules } from '../../rules/permissions.ts';
import { formatPath } from '@tenantry/kube/problem';

const ACCOUNT = 'redis-operator';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Given {
  readonly permissions: readonly Rule[];
  readonly clusterPermissions?: readonly Rule[];
  readonly modes?: Readonly<Record<string, boolean>>;
}

/** Returns the findings, one a line. */
function collectFindings({
  permissions,
  clusterPermissions = [],
  modes = { AllNamespaces: true },
}: Given) {
  const of = (rules: readonly Rule[]) => [{ serviceAccountName: ACCOUNT, rules }];
  const install = {
    spec: { permissions: of(permissions), clusterPermissions: of(clusterPermissions) },
  };
  const installModes = Object.entries(modes).map(([type, supported]) => ({ type, supported }));
  return findWidenedRules({ spec: { install, installModes } }).map(
    ({ path, words }) => `${formatPath(path)} ${words}`,
  );
}

const rule = (group: string, resource: string, ...verbs: string[]): Rule => ({
  apiGroups: [group],
  resources: [resource],
  verbs,
});
const at = (i: number): string => `spec.install.spec.permissions[0].rules[${i}]`;

const secrets = rule('', 'secrets', 'list', 'get');

test('each rule is reported once, at its path, with its rights', () => {
  const several = { ...rule('', 'pods/exec', 'create'), resources: ['pods/exec', 'a', 'b', 'c'] };
  const permissions = [secrets, rule('rbac.authorization.k8s.io', 'roles', '*'), several];
  expect(collectFindings({ permissions })).toEqual([
    `${at(0)} get, list secrets`,
    `${at(1)} do anything with roles.rbac.authorization.k8s.io`,
    `${at(2)} create a, b, c and more`,
  ]);
});

describe('nothing is reported', () => {
  test('if it cannot be installed for all namespaces', () => {
    expect(collectFindings({ permissions: [secrets], modes: { OwnNamespace: true } })).toEqual([]);
    expect(collectFindings({ permissions: [secrets], modes: { AllNamespaces: false } })).toEqual(
      [],
    );
  });

  test('for rules with named objects', () => {
    expect(collectFindings({ permissions: [{ ...secrets, resourceNames: ['own'] }] })).toEqual([]);
    expect(collectFindings({ permissions: [{ ...secrets, resourceNames: [] }] })).toHaveLength(1);
  });

  test('for Leases and Events, and for only reading pods', () => {
    const permissions = [
      rule('coordination.k8s.io', 'leases', 'create', 'get', 'update'),
      rule('', 'events', 'create', 'patch'),
      rule('events.k8s.io', 'events', '*'),
      rule('', 'pods', 'get'),
    ];
    expect(collectFindings({ permissions })).toEqual([]);
  });

  test('for rights that are granted in the whole cluster anyway', () => {
    const permissions = [secrets];
    expect(
      collectFindings({ permissions, clusterPermissions: [rule('', '*', 'get', 'list')] }),
    ).toEqual([]);
    expect(
      collectFindings({ permissions, clusterPermissions: [rule('', 'secrets', 'get')] }),
    ).toEqual([`${at(0)} list secrets`]);
  });
});

test('a star that includes more than harmless rights is reported', () => {
  const permissions = [
    rule('', 'pods', 'get', 'list'),
    rule('', 'pods', '*'),
    rule('*', 'leases', 'get'),
    rule('coordination.k8s.io', '*', 'get'),
    rule('', 'configmaps', 'update'),
  ];
  expect(collectFindings({ permissions })).toEqual([
    `${at(0)} list pods`,
    `${at(1)} do anything with pods`,
    `${at(2)} get leases of every group`,
    `${at(3)} get all resources of coordination.k8s.io`,
    `${at(4)} update configmaps`,
  ]);
});

test('rules with very many rights are reported without being expanded', () => {
  const many = (what: string) => Array.from({ length: 100 }, (_, i) => `${what}${i}`);
  const huge = { apiGroups: many('g'), resources: many('r'), verbs: many('v') };
  expect(collectFindings({ permissions: [huge, huge] })).toEqual([
    `${at(0)} very many rights`,
    `${at(1)} very many rights`,
  ]);
});
