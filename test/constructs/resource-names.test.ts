import { expect, test } from '@jest/globals';
import { checkClass } from '../../model/class-check.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { PolicyRule } from '../../crds/access.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { formatPath } from '@tenantry/kube/problem';
import { collectFindings } from './given.ts';

const rule = (
  verbs: string[],
  resources = ['configmaps'],
  resourceNames = ['flags'],
): PolicyRule => ({
  apiGroups: [''],
  resources,
  verbs,
  resourceNames,
});

const ofRule = (one: PolicyRule): string[] =>
  collectFindings({
    tenant: { access: { roles: [{ name: 'own', rules: [one], groups: ['x'] }] } },
  });

const AT = 'warning spec.access.roles[0].rules[0].resourceNames';

test.each<[string, PolicyRule, string[]]>([
  [
    'create',
    rule(['get', 'create']),
    [
      `${AT} must have no resourceNames to allow create on configmaps: the request carries no name, got flags`,
    ],
  ],
  [
    'deletecollection',
    rule(['deletecollection', 'delete']),
    [
      `${AT} must have no resourceNames to allow deletecollection on configmaps: the request carries no name, got flags`,
    ],
  ],
  [
    'create where another verb can create by name',
    rule(['create', 'patch']),
    [
      `${AT} must have no resourceNames to allow create on configmaps, other than by server-side apply: the request carries no name, got flags`,
    ],
  ],
  [
    'list and watch',
    rule(['get', 'list', 'watch']),
    [
      `${AT} must have no resourceNames to allow list and watch on all configmaps: only requests with the field selector metadata.name are allowed, got flags`,
    ],
  ],
  [
    'create of one of several resources',
    rule(['create'], ['serviceaccounts/token', 'serviceaccounts']),
    [
      `${AT} must have no resourceNames to allow create on serviceaccounts: the request carries no name, got flags`,
    ],
  ],
])('a rule with names and %s is reported', (_what, one, findings) => {
  expect(ofRule(one).filter((found) => found.startsWith('warning'))).toEqual(findings);
});

test.each<[string, PolicyRule]>([
  ['get, update, patch and delete', rule(['get', 'update', 'patch', 'delete'])],
  ['create of a subresource, whose path has the name', rule(['create'], ['pods/exec'])],
  [
    'create and no names',
    { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'list'] },
  ],
])('a rule with %s is not reported', (_what, one) => {
  expect(ofRule(one)).toEqual([]);
});

test('roles of a class are reported at the class, and not at its tenants', () => {
  const roles = [{ name: 'own', rules: [rule(['create'])], groups: ['x'] }];
  const found = (spec: TenantClassSpec): string[] =>
    checkClass({ name: 'standard', spec }, resolvePlatform({})).findings.map(
      (one) => `${one.rule} ${formatPath(one.path)}`,
    );
  const at = (path: string) => `resource-names spec.${path}[0].rules[0].resourceNames`;
  expect(found({ defaults: { access: { roles } } })).toEqual([at('defaults.access.roles')]);
  expect(found({ environments: [{ name: 'prod', access: { roles } }] })).toEqual([
    at('environments[0].access.roles'),
  ]);
  expect(found({ presets: { roles: [{ name: 'own', rules: roles[0]!.rules }] } })).toEqual([
    at('presets.roles'),
  ]);
  const klass = { defaults: { access: { roles } } };
  expect(collectFindings({ klass })).toEqual([]);
});
