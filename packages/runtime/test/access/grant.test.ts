import { expect, test } from '@jest/globals';
import { buildRoles } from '@tenantry/kube/access';
import { allow } from '../../access/grant.ts';
import { configMaps, deployments, namespaces } from '../kinds/builtin.ts';

test('a grant is data, and as wide as it is declared', () => {
  expect({ ...allow(namespaces, 'get', 'list') }).toEqual({
    group: '',
    resource: 'namespaces',
    verbs: ['get', 'list'],
  });
  const narrow = allow(deployments, 'patch').subresource('status').named('a', 'b').in('shop');
  expect(JSON.parse(JSON.stringify(narrow))).toEqual({
    group: 'apps',
    resource: 'deployments/status',
    verbs: ['patch'],
    resourceNames: ['a', 'b'],
    namespaces: ['shop'],
  });
  expect(narrow.kind).toBe(deployments);
  expect(buildRoles([narrow]).namespaces.get('shop')).toHaveLength(1);
});

test('a grant can be narrowed in any order', () => {
  const grants = [
    allow(deployments, 'patch').subresource('status').named('a').in('shop'),
    allow(deployments, 'patch').in('shop').named('a').subresource('status'),
    allow(deployments, 'patch').named('a').subresource('status').in('shop'),
  ];
  expect(
    new Set(grants.map((one) => JSON.stringify(buildRoles([one]).namespaces.get('shop')))),
  ).toEqual(
    new Set([
      JSON.stringify([
        {
          apiGroups: ['apps'],
          resources: ['deployments/status'],
          verbs: ['patch'],
          resourceNames: ['a'],
        },
      ]),
    ]),
  );
});

test('narrowing a grant does not change the wider one', () => {
  const wide = allow(configMaps, 'get');
  const named = wide.named('a');
  named.in('shop');
  expect([{ ...wide }, { ...named }]).toEqual([
    { group: '', resource: 'configmaps', verbs: ['get'] },
    { group: '', resource: 'configmaps', verbs: ['get'], resourceNames: ['a'] },
  ]);
  expect(Object.isFrozen(wide)).toBe(true);
});

test.each([
  ['no verb', () => allow(configMaps), 'must name verbs, got none'],
  ['no name', () => allow(configMaps, 'get').named(), 'must name names where it is held to names'],
  [
    'no namespace',
    () => allow(configMaps, 'get').in(),
    'must name namespaces where it is held to namespaces',
  ],
  [
    'a name of what is new',
    () => allow(configMaps, 'get', 'create').named('a'),
    `access to 'configmaps': create cannot be held to names, got 'a'`,
  ],
  [
    'a namespace for a cluster-scoped kind',
    () => allow(namespaces, 'get').in('shop'),
    'namespaces are not namespaced, got shop',
  ],
  [
    'no name of a kind of a group',
    () => allow(deployments, 'get').named(),
    `access to 'deployments.apps': must name names`,
  ],
  ['every subresource', () => allow(deployments, 'get').subresource('*'), `got 'deployments/*'`],
])('%s is no grant', (_, make, message) => {
  expect(make).toThrow(message);
});
