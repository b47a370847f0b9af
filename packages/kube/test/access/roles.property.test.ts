import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canHaveResourceNames,
  isVerb,
  permits,
  buildRoles,
  type AccessRequest,
  type AccessRoles,
  type AccessRule,
  type PolicyRule,
  type Verb,
} from '../../access.ts';
import { arbitraryRule, requestsIn, type AccessWorld } from './arbitrary-access.ts';
import { runs } from '../yaml/runs.ts';

const world: AccessWorld = {
  groups: ['', 'apps'],
  resources: ['pods', 'pods/status', 'configmaps'],
  verbs: ['get', 'list', 'create', 'update', 'deletecollection'],
  names: ['a', 'b'],
  namespaces: ['m', 'n'],
};
const rules = fc.array(arbitraryRule(world), { maxLength: 8 });
const requests = requestsIn(world, [...world.names, 'c'], [...world.namespaces, 'o']);

/** Decides as the RBAC authorizer of Kubernetes does (plugin/pkg/auth/authorizer/rbac, RuleAllows). */
function authorized({ cluster, namespaces }: AccessRoles, request: AccessRequest): boolean {
  const { group, resource, verb, name = '', namespace = '' } = request;
  const has = (list: readonly string[], one: string) => list.includes('*') || list.includes(one);
  const allows = (rule: PolicyRule): boolean =>
    has(rule.verbs, verb) &&
    has(rule.apiGroups, group) &&
    has(rule.resources, resource) &&
    (!rule.resourceNames || rule.resourceNames.length === 0 || rule.resourceNames.includes(name));
  return cluster.some(allows) || (namespaces.get(namespace) ?? []).some(allows);
}

test('the roles grant what the rules permit, and nothing else', () => {
  fc.assert(
    fc.property(rules, (rules) => {
      const roles = buildRoles(rules);
      const differ = requests.filter((one) => authorized(roles, one) !== permits(rules, one));
      expect(differ).toEqual([]);
    }),
    runs(100),
  );
});

test('neither the order of the rules nor their repetition changes the roles', () => {
  fc.assert(
    fc.property(rules, fc.infiniteStream(fc.nat()), (rules, numbers) => {
      const shuffled = [...rules, ...rules]
        .map((one) => ({ one, at: numbers.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => ({ ...one, verbs: one.verbs.toReversed() }));
      expect(buildRoles(shuffled)).toEqual(buildRoles(rules));
    }),
    runs(100),
  );
});

test('the roles built from the rules of a role are that role', () => {
  fc.assert(
    fc.property(rules, (rules) => {
      const { cluster } = buildRoles(rules);
      const back = cluster.flatMap(({ apiGroups, resources, ...rest }) =>
        resources.map((resource) => ({ group: apiGroups[0]!, resource, ...rest })),
      );
      expect(buildRoles(back).cluster).toEqual(cluster);
    }),
    runs(100),
  );
});

test('no rule of a role can be left out', () => {
  fc.assert(
    fc.property(rules, (rules) => {
      const { cluster, namespaces } = buildRoles(rules);
      for (const rule of cluster) {
        const rest = { cluster: cluster.filter((one) => one !== rule), namespaces };
        expect(requests.some((one) => authorized(rest, one) !== permits(rules, one))).toBe(true);
      }
      for (const [namespace, held] of namespaces) {
        expect(held).not.toEqual([]);
        for (const rule of held) {
          const less = new Map([...namespaces, [namespace, held.filter((one) => one !== rule)]]);
          const rest = { cluster, namespaces: less };
          expect(requests.some((one) => authorized(rest, one) !== permits(rules, one))).toBe(true);
        }
      }
    }),
    runs(100),
  );
});

test('resources are in one rule if all else is the same, sorted', () => {
  const roles = buildRoles([
    { group: 'apps', resource: 'deployments', verbs: ['watch', 'list', 'get'] },
    { group: '', resource: 'secrets', verbs: ['get'], resourceNames: ['b'] },
    { group: '', resource: 'secrets', verbs: ['get'], resourceNames: ['a'] },
    { group: '', resource: 'pods', verbs: ['get', 'list', 'watch'] },
    { group: '', resource: 'configmaps', verbs: ['list', 'get'] },
    { group: '', resource: 'configmaps', verbs: ['watch'] },
    { group: '', resource: 'configmaps', verbs: ['create', 'get'], namespaces: ['shop'] },
    { group: '', resource: 'secrets', verbs: ['get'], resourceNames: ['a'], namespaces: ['shop'] },
    { group: '', resource: 'pods', verbs: ['get'], namespaces: ['bank'], resourceNames: ['x'] },
    { group: '', resource: 'pods', verbs: ['create'], namespaces: ['bank'] },
  ]);
  expect(roles).toEqual({
    cluster: [
      { apiGroups: [''], resources: ['configmaps', 'pods'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a', 'b'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch'] },
    ],
    namespaces: new Map([
      ['bank', [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }]],
      ['shop', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]],
    ]),
  });
  expect([...roles.namespaces.keys()]).toEqual(['bank', 'shop']);
});

test('among the checks of the API server itself, a rule grants writing roles and bindings', () => {
  const texts = [...world.verbs, 'bind', 'escalate', 'use', 'proxy', ''];
  expect(texts.filter((text) => isVerb(text))).toEqual([...world.verbs, 'bind', 'escalate']);
  const rule = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };
  expect(buildRoles([{ ...rule, verbs: ['bind'], resourceNames: ['edit'] }]).cluster).toEqual([
    {
      apiGroups: [rule.group],
      resources: ['clusterroles'],
      verbs: ['bind'],
      resourceNames: ['edit'],
    },
  ]);
});

const pods: AccessRule = { group: '', resource: 'pods', verbs: ['get'] };

test('a name can limit verbs with a name in their path, and creation under that name', () => {
  const can = (resource: string) =>
    world.verbs.filter((verb) => canHaveResourceNames(verb, resource));
  expect(can('pods')).toEqual(['get', 'list', 'update']);
  expect(can('pods/eviction')).toEqual(['get', 'list', 'create', 'update']);
});

test.each<[string, AccessRule, string]>([
  ['no verbs', { ...pods, verbs: [] }, 'must name verbs, got none'],
  [
    'all verbs',
    { ...pods, verbs: ['*' as Verb] },
    `verbs must be of get, list, watch, create, update, patch, delete, deletecollection, bind, escalate, got '*'`,
  ],
  ['some groups', { ...pods, group: '*.example.com' }, `got '*.example.com'`],
  ['two resources', { ...pods, resource: 'pods services' }, `got 'pods services'`],
  ['all groups', { ...pods, group: '*' }, `the group must be the name of one, got '*'`],
  [
    'all resources',
    { ...pods, resource: '*' },
    `the resource must be a plural, or one with a subresource such as 'pods/status', got '*'`,
  ],
  ['all subresources', { ...pods, resource: 'pods/*' }, `got 'pods/*'`],
  ['one part too many', { ...pods, resource: 'pods/a/b' }, `got 'pods/a/b'`],
  ['no resource', { ...pods, resource: '' }, `got ''`],
  [
    'an empty list of names',
    { ...pods, resourceNames: [] },
    'must name names where it is held to names',
  ],
  [
    'an empty list of namespaces',
    { ...pods, namespaces: [] },
    'must name namespaces where it is held to namespaces',
  ],
  ['an empty name', { ...pods, resourceNames: [''] }, `names must be plain, got ''`],
  ['all namespaces', { ...pods, namespaces: ['*'] }, `namespaces must be plain, got '*'`],
  [
    'a name for a new object',
    { ...pods, verbs: ['create'], resourceNames: ['a'] },
    `create cannot be held to names, got 'a'`,
  ],
  [
    'a name for collections',
    { ...pods, verbs: ['deletecollection'], resourceNames: ['a'] },
    `deletecollection cannot be held to names`,
  ],
])('%s would grant nothing, or more than the rule declares', (_, rule, message) => {
  expect(() => buildRoles([pods, rule])).toThrow(message);
});
