import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { readManifests } from '../../../import/manifests.ts';
import { translateSystems } from '../../../import/systems/translate-systems.ts';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';
import { listWithUnknownKeys } from './unknown-keys.ts';

const namespace = (name: string): string => `
---
apiVersion: v1
kind: Namespace
metadata: { name: ${name} }
`;

const below = (name: string, parent: string): string => `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HierarchyConfiguration
metadata: { name: hierarchy, namespace: ${name} }
spec: { parent: ${parent} }
`;

const role = (name: string, place: string, resource = 'pods', annotations = '{}'): string => `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ${name}, namespace: ${place}, annotations: ${annotations} }
rules: [{ apiGroups: [''], resources: [${resource}], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${name}s, namespace: ${place}, annotations: ${annotations} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name} }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: acme }]
`;

/** Three levels: `acme`, `shop` below it, and `shop-dev`, which only an anchor names. */
const hierarchy = `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HierarchyConfiguration
metadata: { name: hierarchy, namespace: shop }
spec:
  parent: acme
  allowCascadingDeletion: false
  labels: [{ key: cost-center, value: '42' }]
  annotations: [{ key: example.com/owner, value: shop@example.com }]
`;
const anchor = `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: SubnamespaceAnchor
metadata: { name: shop-dev, namespace: shop }
spec:
  labels: [{ key: stage, value: dev }, { key: cost-center, value: '1' }]
  annotations: [{ key: example.com/note, value: try }]
`;
const roots = namespace('acme') + namespace('shop');
const tree = roots + hierarchy + anchor + role('reader', 'acme');

test('a tree is one tenant with the name of its root, and a subnamespace of an anchor is one of its namespaces', () => {
  const imported = importSystem(tree);
  expect(imported.report.tenants).toEqual([
    { name: 'acme', namespaces: ['acme', 'shop', 'shop-dev'] },
  ]);
  expect(imported.report.grouping).toContain(
    'namespace shop-dev is declared as HNC makes it for SubnamespaceAnchor shop/shop-dev',
  );
});

test('Roles and RoleBindings of a namespace are in all namespaces below it, under their names', () => {
  const imported = importSystem(tree);
  // Every namespace of the tenant has them.
  expect(readTenant(imported, 'acme')).toMatchObject({
    access: { roles: [{ preset: 'reader', groups: ['acme'] }] },
  });
  expect(imported.report.objects).toMatchObject({ total: 9, equal: 9 });
});

test('labels and annotations of a tree are declared for its namespaces, and the topmost ancestor wins', () => {
  const imported = importSystem(tree, ['SubnamespaceAnchor *']);
  expect(readTenant(imported, 'acme')).toMatchObject({
    namespaces: [
      { name: 'acme' },
      { name: 'shop', labels: { 'cost-center': '42' } },
      { name: 'shop-dev', labels: { 'cost-center': '42', stage: 'dev' } },
    ],
  });
  expect(readOutcomes(imported, 'HierarchyConfiguration shop/hierarchy')).toEqual({
    'spec.parent': 'taken: a part of the tenant acme',
    'spec.allowCascadingDeletion': 'taken: no namespace is deleted together with another one',
    'spec.labels[0].key': 'taken: labels of shop, shop-dev',
    'spec.labels[0].value': 'taken: labels of shop, shop-dev',
    'spec.annotations[0].key': 'taken: annotations of shop, shop-dev',
    'spec.annotations[0].value': 'taken: annotations of shop, shop-dev',
  });
  expect(readOutcomes(imported, 'SubnamespaceAnchor shop/shop-dev')).toMatchObject({
    'spec.labels[0].key': 'taken: labels of shop-dev',
    'spec.labels[1].value':
      "left: an ancestor or a later entry sets cost-center to '42', which wins",
    'spec.annotations[0].value': 'taken: annotations of shop-dev',
  });
});

/** The objects of the tree as a cluster with HNC has them. */
const liveLabels = (name: string, ...ancestors: string[]): string =>
  [name, ...ancestors].map((one, i) => `${one}.tree.hnc.x-k8s.io/depth: '${i}'`).join(', ');
const copied = (text: string, from: string, to: string): string =>
  text.replaceAll(
    `namespace: ${from}, annotations: {}`,
    `namespace: ${to}, labels: { app.kubernetes.io/managed-by: hnc.x-k8s.io, hnc.x-k8s.io/inherited-from: ${from} }`,
  );
const live = `
apiVersion: v1
kind: Namespace
metadata:
  name: acme
  labels: { hnc.x-k8s.io/included-namespace: 'true', ${liveLabels('acme')} }
---
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: { cost-center: '42', hnc.x-k8s.io/included-namespace: 'true', ${liveLabels('shop', 'acme')} }
  annotations: { example.com/owner: shop@example.com }
---
apiVersion: v1
kind: Namespace
metadata:
  name: shop-dev
  labels: { stage: dev, cost-center: '42', hnc.x-k8s.io/included-namespace: 'true', ${liveLabels('shop-dev', 'shop', 'acme')} }
  annotations: { hnc.x-k8s.io/subnamespace-of: shop, example.com/owner: shop@example.com, example.com/note: try }
${role('reader', 'acme')}
${copied(role('reader', 'acme'), 'acme', 'shop')}
${copied(role('reader', 'acme'), 'acme', 'shop-dev')}
`;

test('the cluster and the Git repository of a tree become the same tenant', () => {
  const fromGit = importSystem(tree);
  const fromCluster = importSystem(live + hierarchy + anchor);
  expect(readTenant(fromCluster, 'acme')).toEqual(readTenant(fromGit, 'acme'));
  expect(fromCluster.report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['Role shop/reader', true],
    ['RoleBinding shop/readers', true],
    ['Role shop-dev/reader', true],
    ['RoleBinding shop-dev/readers', true],
  ]);
  expect(fromCluster.report.bookkeeping.map(({ key }) => key)).toEqual([
    'hnc.x-k8s.io/included-namespace',
    'acme.tree.hnc.x-k8s.io/depth',
    'shop.tree.hnc.x-k8s.io/depth',
    'shop-dev.tree.hnc.x-k8s.io/depth',
    'hnc.x-k8s.io/subnamespace-of',
  ]);
});

test('a live tree needs no object of HNC: the labels of its namespaces state the parents', () => {
  const { report } = importSystem(live);
  expect(report.outcome).toBe('done');
  expect(report.tenants).toEqual([{ name: 'acme', namespaces: ['acme', 'shop', 'shop-dev'] }]);
});

test('a live namespace without a label shows that HNC does not manage the label', () => {
  const imported = importSystem(live.replaceAll("cost-center: '42', ", '') + hierarchy + anchor);
  expect(readOutcomes(imported, 'HierarchyConfiguration shop/hierarchy')).toMatchObject({
    'spec.labels[0].value': 'left: HNC has not set it on shop: it is not a key that HNC manages',
  });
  expect(JSON.stringify(readTenant(imported, 'acme'))).not.toContain('cost-center');
});

test('a copy that differs from its original, or has none, is reported', () => {
  const stale = live.replace('namespace: shop, labels', 'namespace: shop, old: x, labels');
  const more = copied(role('gone', 'acme'), 'acme', 'shop');
  const { report } = importSystem(
    stale.replace(
      /(name: reader, namespace: shop-dev[^\n]*\nrules: .*resources: )\[pods\]/,
      '$1[secrets]',
    ) + more,
  );
  expect(report.outcome).toBe('different');
  expect(report.omitted.filter(({ accepted }) => !accepted)).toEqual([
    expect.objectContaining({
      object: 'Role shop-dev/reader',
      reason: expect.stringContaining('differs from Role acme/reader'),
    }),
    expect.objectContaining({
      object: 'Role shop/gone',
      reason: expect.stringContaining('HNC made it of Role acme/gone, which the source lacks'),
    }),
    expect.objectContaining({ object: 'RoleBinding shop/gones' }),
  ]);
});

test('an object of the same name below stays as it is, and the difference must be accepted', () => {
  const imported = importSystem(tree + role('reader', 'shop', 'configmaps'));
  expect(readOutcomes(imported, 'HierarchyConfiguration shop/hierarchy')['spec.parent']).toBe(
    'changed: copies: Role reader of the source stays as it is, and HNC would overwrite it with that of acme',
  );
  expect(imported.report.outcome).toBe('different');
  expect(readTenant(imported, 'acme')).toMatchObject({
    namespaces: [
      { name: 'acme' },
      { name: 'shop', access: { roles: [{ rules: [{ resources: ['configmaps'] }] }] } },
      { name: 'shop-dev' },
    ],
  });
});

test('of two originals above a namespace, HNC copies the topmost one that it may copy there', () => {
  const select = "{ propagate.hnc.x-k8s.io/select: 'stage=dev' }";
  const imported = importSystem(
    roots +
      hierarchy +
      anchor +
      role('reader', 'acme', 'pods', select) +
      role('reader', 'shop', 'configmaps'),
  );
  const copies = [...imported.result.translated.derived].flatMap(({ object }) =>
    object.kind === 'Role' ? [[object.metadata.namespace, object['rules']]] : [],
  );
  expect(copies).toEqual([
    ['shop-dev', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]],
  ]);
});

/** The namespaces, other than `acme`, in which the tenant has the role. */
function listPlaces(annotations: string, mode?: string): string[] {
  const source =
    tree.replace(role('reader', 'acme'), '') + role('reader', 'acme', 'pods', annotations);
  const config = `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ca, namespace: acme, annotations: ${annotations} }
data: { a: b }
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HNCConfiguration
metadata: { name: config }
spec: { resources: [{ resource: configmaps, mode: ${mode} }] }
`;
  const { result } = importSystem(mode ? source + config : source);
  const kind = mode ? 'ConfigMap' : 'Role';
  return result.translated.objects.flatMap(({ object: { kind: own, metadata } }) =>
    own === kind && metadata.namespace !== 'acme' ? [metadata.namespace!] : [],
  );
}

test.each([
  ['{}', ['shop', 'shop-dev']],
  ["{ propagate.hnc.x-k8s.io/none: 'true' }", []],
  ["{ propagate.hnc.x-k8s.io/none: 'perhaps' }", []],
  ["{ propagate.hnc.x-k8s.io/none: '' }", ['shop', 'shop-dev']],
  ["{ propagate.hnc.x-k8s.io/all: 'true' }", ['shop', 'shop-dev']],
  ["{ propagate.hnc.x-k8s.io/select: 'stage=dev' }", ['shop-dev']],
  ["{ propagate.hnc.x-k8s.io/select: '!stage' }", ['shop']],
  ["{ propagate.hnc.x-k8s.io/select: 'a=b=c' }", []],
  ["{ propagate.hnc.x-k8s.io/select: 'shop-dev.tree.hnc.x-k8s.io/depth' }", ['shop-dev']],
  ["{ propagate.hnc.x-k8s.io/treeSelect: 'shop-dev' }", ['shop-dev']],
  ["{ propagate.hnc.x-k8s.io/treeSelect: '!shop-dev' }", ['shop']],
  ["{ propagate.hnc.x-k8s.io/treeSelect: 'shop, !shop-dev' }", ['shop']],
  ["{ propagate.hnc.x-k8s.io/treeSelect: 'shop, shop-dev' }", []],
])('a Role with the annotations %s is in %j', (annotations, places) => {
  expect(listPlaces(annotations)).toEqual(places);
});

test.each([
  ['Propagate', '{}', ['shop', 'shop-dev']],
  ["''", '{}', ['shop', 'shop-dev']],
  ['AllowPropagate', '{}', []],
  ['AllowPropagate', "{ propagate.hnc.x-k8s.io/all: 'true' }", ['shop', 'shop-dev']],
  ['AllowPropagate', "{ propagate.hnc.x-k8s.io/select: 'stage=dev' }", ['shop-dev']],
  ['Ignore', "{ propagate.hnc.x-k8s.io/all: 'true' }", []],
  ['Remove', '{}', []],
])(
  'with the mode %s, a ConfigMap with the annotations %s is in %j',
  (mode, annotations, places) => {
    expect(listPlaces(annotations, mode)).toEqual(places);
  },
);

test('annotations of HNC on Roles need no acceptance, for the copies have their effect', () => {
  const { report } = importSystem(
    roots +
      below('shop', 'acme') +
      role('own', 'acme', 'pods', "{ propagate.hnc.x-k8s.io/none: 'true' }"),
  );
  expect(report.outcome).toBe('done');
  expect(report.bookkeeping).toEqual([
    { system: 'HNC', key: 'propagate.hnc.x-k8s.io/none', namespaces: ['acme'] },
  ]);
});

test('copies of Secrets, of roles once more and of what nothing defines are left in an HNCConfiguration', () => {
  const imported = importSystem(`${tree}
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: a, namespace: acme }
---
apiVersion: v1
kind: Secret
metadata: { name: s, namespace: acme }
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HNCConfiguration
metadata: { name: config }
spec:
  resources:
    - { resource: secrets, mode: Propagate }
    - { group: rbac.authorization.k8s.io, resource: roles, mode: Ignore }
    - { group: example.com, resource: widgetses, mode: Propagate }
    - { group: example.com, resource: widgets, mode: Propagate }
    - { group: example.com, resource: widgets, mode: Ignore }
    - { resource: limitranges, mode: Bogus }
`);
  const outcomes = readOutcomes(imported, 'HNCConfiguration config');
  expect(outcomes).toMatchObject({
    'spec.resources[0].mode': expect.stringMatching(/^left: Secrets stay out of Git/),
    'spec.resources[1].mode': expect.stringMatching(/^left: HNC always copies it/),
    'spec.resources[2].mode': expect.stringMatching(/^left: .*CustomResourceDefinition/),
    'spec.resources[3].mode': 'taken: copies in all descendants',
    'spec.resources[4].mode': expect.stringMatching(/^left: an entry before it/),
    'spec.resources[5].mode': 'taken: no copies',
  });
  const kinds = new Set(['Widget', 'Secret']);
  const copies = [...imported.result.translated.derived].filter(({ object }) =>
    kinds.has(object.kind),
  );
  expect(copies.map(({ object }) => object.metadata)).toEqual([
    { name: 'a', namespace: 'shop' },
    { name: 'a', namespace: 'shop-dev' },
  ]);
});

const policy = `
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: from-tree, namespace: acme }
spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress:
    - from: [{ namespaceSelector: { matchExpressions: [{ key: shop.tree.hnc.x-k8s.io/depth, operator: Exists }] } }]
`;

test.each([
  ['Git', tree],
  ['a cluster', live],
])(
  'a label of the tree by which a NetworkPolicy selects is declared (from %s)',
  (_what, source) => {
    const imported = importSystem(source + policy);
    expect(readTenant(imported, 'acme')).toMatchObject({
      namespaces: [
        { name: 'acme' },
        { name: 'shop', labels: { 'shop.tree.hnc.x-k8s.io/depth': '0' } },
        { name: 'shop-dev', labels: { 'shop.tree.hnc.x-k8s.io/depth': '1' } },
      ],
    });
    expect(JSON.stringify(readTenant(imported, 'acme'))).not.toContain('acme.tree.hnc');
    expect(imported.report.grouping.join('\n')).toContain(
      'label shop.tree.hnc.x-k8s.io/depth of HNC is declared for 2 namespaces, because NetworkPolicy acme/from-tree selects by it',
    );
    expect(imported.report.differences).toEqual([]);
  },
);

const quota = (name: string, place: string, hard: string): string => `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HierarchicalResourceQuota
metadata: { name: ${name}, namespace: ${place} }
spec: { hard: ${hard} }
`;

test('quotas of a whole tree become the total of the tenant: the least bound of each resource', () => {
  const quotas =
    quota('a', 'acme', "{ requests.cpu: '8', pods: 30 }") +
    quota('b', 'acme', '{ requests.cpu: 4000m, services: 10 }');
  const imported = importSystem(tree + quotas);
  expect(readTenant(imported, 'acme')).toMatchObject({
    quota: { total: { 'requests.cpu': '4000m', pods: 30, services: 10 } },
  });
  expect(readOutcomes(imported, 'HierarchicalResourceQuota acme/a')['spec.hard']).toMatch(
    /^changed: `quota` of the tenant acme: HNC bounds what all namespaces use together/,
  );
  expect(imported.report.outcome).toBe('different');
  const accepted = importSystem(tree + quotas, [
    'HierarchicalResourceQuota *',
    'SubnamespaceAnchor *',
  ]);
  expect(accepted.report.outcome).toBe('done');
});

test('a quota of one namespace becomes its ResourceQuota, and one of a subtree is left', () => {
  const imported = importSystem(
    tree + quota('leaf', 'shop-dev', '{ pods: 5 }') + quota('part', 'shop', '{ pods: 9 }'),
  );
  expect(readTenant(imported, 'acme')).toMatchObject({
    namespaces: [{ name: 'acme' }, { name: 'shop' }, { quota: { hard: { pods: 5 } } }],
  });
  expect([...imported.result.translated.derived].map(({ object }) => object)).toContainEqual({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'leaf', namespace: 'shop-dev' },
    spec: { hard: { pods: 5 } },
  });
  expect(readOutcomes(imported, 'HierarchicalResourceQuota shop/part')['spec.hard']).toMatch(
    /^left: it bounds a part of the tenant together \(shop, shop-dev\)/,
  );
});

test('the ResourceQuotas with which HNC counts are no quotas of the namespaces', () => {
  const counting = (place: string): string => `
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: hrq.hnc.x-k8s.io, namespace: ${place}, labels: { hnc.x-k8s.io/hrq: 'true' } }
spec: { hard: { pods: 9 } }
`;
  const { report } = importSystem(
    tree + quota('part', 'shop', '{ pods: 9 }') + counting('shop') + counting('acme'),
  );
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['ResourceQuota shop/hrq.hnc.x-k8s.io', true],
    ['ResourceQuota acme/hrq.hnc.x-k8s.io', false],
  ]);
});

test('a parent that HNC would not accept is left, and nothing is copied below it', () => {
  const imported = importSystem(
    ['a', 'b', 'c', 'd', 'e'].map(namespace).join('') +
      below('a', 'b') +
      below('b', 'a') +
      below('c', 'a') +
      below('d', 'gone') +
      below('e', 'kube-system') +
      role('reader', 'a') +
      role('writer', 'd'),
  );
  expect(readOutcomes(imported, 'HierarchyConfiguration a/hierarchy')['spec.parent']).toBe(
    'left: the namespaces are a cycle: a below b below a',
  );
  expect(readOutcomes(imported, 'HierarchyConfiguration d/hierarchy')['spec.parent']).toBe(
    "left: the source has no Namespace 'gone': import it as well",
  );
  expect(readOutcomes(imported, 'HierarchyConfiguration e/hierarchy')['spec.parent']).toBe(
    'left: HNC does not manage the namespace kube-system',
  );
  expect(imported.result.translated.derived.size).toBe(0);
  expect(imported.report.tenants).toContainEqual({ name: 'a', namespaces: ['a', 'c'] });
});

test('anchors with which HNC does nothing must be accepted, and make no namespace', () => {
  const at = (name: string, place: string): string => `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: SubnamespaceAnchor
metadata: { name: ${name}, namespace: ${place} }
`;
  const { report } = importSystem(
    roots +
      at('twice', 'acme') +
      at('twice', 'shop') +
      at('shop', 'acme') +
      at('x', 'gone') +
      at('kube-public', 'acme'),
  );
  expect(report.namespaces).toBe(2);
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['SubnamespaceAnchor acme/twice', false],
    ['SubnamespaceAnchor shop/twice', false],
    ['SubnamespaceAnchor acme/shop', false],
    ['SubnamespaceAnchor acme/kube-public', false],
    ['SubnamespaceAnchor gone/x', false],
  ]);
});

test('objects without a namespace belong to that of their folder, although an anchor adds another', () => {
  const { report } = importSystem({
    'shop/ns.yaml': namespace('shop'),
    'shop/anchor.yaml': anchor.replace(', namespace: shop', ''),
    'shop/role.yaml': role('reader', 'shop').replaceAll('namespace: shop, ', ''),
  });
  expect(report.tenants).toEqual([{ name: 'shop', namespaces: ['shop', 'shop-dev'] }]);
  expect(report.objects).toMatchObject({ total: 6, equal: 6 });
});

test('every mapping of every kind names a key that Tenantry does not know', () => {
  const config = `
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HNCConfiguration
metadata: { name: config }
spec: { resources: [{ group: apps, resource: deployments, mode: Ignore }] }
`;
  const objects = readDocuments(hierarchy + anchor + config + quota('q', 'acme', '{ pods: 3 }'))
    .documents.map(({ value }) => value as Record<string, unknown>)
    .flatMap(listWithUnknownKeys)
    .filter(({ field }) => !field.startsWith('spec.hard.'));
  expect(objects.length).toBe(14);
  for (const { object, field } of objects) {
    const others = object['kind'] === 'HierarchyConfiguration' ? roots : roots + hierarchy;
    const imported = importSystem(others + emitYaml([object]).replace(/^(---\n)?/, '---\n'));
    const { name, namespace: place } = object['metadata'] as { name: string; namespace?: string };
    const id = `${String(object['kind'])} ${place ? `${place}/` : ''}${name}`;
    const all = imported.report.translated.filter((one) => one.object === id);
    const texts = all.flatMap(({ fields }) => fields.map((one) => `${one.field} ${one.text}`));
    expect(texts).toContain(`${field} Tenantry does not know this field`);
  }
});

test('a field of another type is an error with its place', () => {
  const broken = tree.replace('parent: acme', 'parent: [acme]');
  expect(() => importSystem({ 'a.yaml': broken })).toThrow(
    /a\.yaml:\d+.* spec\.parent must be .*\(HierarchyConfiguration shop\/hierarchy\)/,
  );
});

test('a tree of too many levels, and too many copies, are one error each', () => {
  const names = Array.from({ length: 1000 }, (_, i) => `n${i}`);
  const chain =
    names.map(namespace).join('') +
    names
      .slice(1)
      .map((name, i) => below(name, `n${i}`))
      .join('');
  expect(() => importSystem(chain)).toThrow(/must be at most 100 levels/);
  const many = Array.from({ length: 150 }, (_, i) => role(`r${i}`, 'n0')).join('');
  const flat =
    names.map(namespace).join('') +
    names
      .slice(1)
      .map((name) => below(name, 'n0'))
      .join('');
  expect(() => importSystem(flat + many)).toThrow(/must be at most 200000 copies/);
});

test('10,000 namespaces of a tree are read within a bound', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
  const source = names
    .map((name, i) => namespace(name) + (i === 0 ? '' : below(name, `n${Math.floor(i / 10)}`)))
    .join('');
  const { objects } = readManifests([{ file: 'all.yaml', text: source + role('reader', 'n0') }]);
  const before = performance.now();
  const translated = translateSystems(objects);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(new Set(translated.tenants.values())).toEqual(new Set(['n0']));
  expect(translated.derived.size).toBe(2 * 9_999);
});
