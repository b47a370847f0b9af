import { expect, test } from '@jest/globals';
import { namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes } from './import-system.ts';

const oil =
  namespaces('oil', { 'oil-dev': '', 'oil-prod': 'stage: live' }) +
  tenant('oil', '{}', ', labels: { size: big }');
const gas = namespaces('gas', { 'gas-dev': '' }) + tenant('gas', '{}');

const replication = (kind: string, resources: string, more = '', name = 'copy'): string => `
apiVersion: capsule.clastix.io/v1beta2
kind: ${kind}
metadata: { name: ${name}${kind === 'TenantResource' ? ', namespace: oil-dev' : ''} }
spec: { resyncPeriod: 60s, pruningOnDelete: true, settings: { adopt: false, force: false }, ${more} resources: ${resources} }
---`;

const map = (name: string, data: string): string =>
  `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: wrong }, data: ${data} }`;

/** The objects of a kind that are rendered, as `namespace/name`. */
function listObjects(imported: ReturnType<typeof importSystem>, kind: string): string[] {
  return imported.result.proof.objects
    .filter(({ verdict, found: { object } }) => verdict === 'equal' && object.kind === kind)
    .map(({ found: { object } }) => `${object.metadata.namespace}/${object.metadata.name}`)
    .toSorted();
}

test('raw items are in the namespaces that are selected, with their placeholders filled in', () => {
  const resources = `[{ namespaceSelector: { matchLabels: { stage: live } }, additionalMetadata: { labels: { by: '{{tenant.name}}' } }, rawItems: [${map("'{{ namespace }}-info'", `{ owner: '{{tenant.name}}' }`)}] }]`;
  const imported = importSystem(oil + gas + replication('TenantResource', resources));
  expect(listObjects(imported, 'ConfigMap')).toEqual(['oil-prod/oil-prod-info']);
  const file = imported.result.files.find(({ path }) => path.startsWith('resources/'));
  expect(file?.text).toContain('owner: oil');
  expect(file?.text).toContain('by: oil');
  expect(imported.report.outcome).toBe('done');
});

test('a GlobalTenantResource is for the tenants that it selects, or for a namespace that it names', () => {
  const resources = `[{ rawItems: [${map('shared', '{ a: b }')}] }]`;
  const some = replication(
    'GlobalTenantResource',
    resources,
    'tenantSelector: { matchLabels: { size: big } },',
  );
  expect(listObjects(importSystem(oil + gas + some), 'ConfigMap')).toEqual([
    'oil-dev/shared',
    'oil-prod/shared',
  ]);
  const item = `[{ rawItems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: '{{tenant.name}}-info', namespace: gas-dev } }] }]`;
  const each = importSystem(
    oil + gas + replication('GlobalTenantResource', item, 'scope: Tenant,'),
  );
  expect(listObjects(each, 'ConfigMap')).toEqual(['gas-dev/gas-info', 'gas-dev/oil-info']);
  const lost = importSystem(oil + replication('GlobalTenantResource', resources, 'scope: None,'));
  expect(readOutcomes(lost, 'GlobalTenantResource copy')).toMatchObject({
    'spec.resources[0].rawItems[0]': expect.stringMatching(/^left: it names no namespace/),
  });
});

test.each([
  ['a Secret', '{ apiVersion: v1, kind: Secret, metadata: { name: a } }', 'Secrets stay out'],
  [
    'a cluster-scoped object',
    '{ apiVersion: v1, kind: PersistentVolume, metadata: { name: a } }',
    'cluster-scoped',
  ],
  ['an unknown placeholder', map('a', "{ b: '{{ $labels.pod }}' }"), 'replaces {{ $labels.pod }}'],
  [
    'an object without a name',
    '{ apiVersion: v1, kind: ConfigMap }',
    'no apiVersion, kind or name',
  ],
  [
    'a right that a user grants',
    '{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: a }, roleRef: { kind: ClusterRole, name: admin } }',
    'may grant more',
  ],
])('%s is no object of a TenantResource', (_what, item, reason) => {
  const imported = importSystem(oil + replication('TenantResource', `[{ rawItems: [${item}] }]`));
  expect(readOutcomes(imported, 'TenantResource oil-dev/copy')).toMatchObject({
    'spec.resources[0].rawItems[0]': expect.stringContaining(reason),
  });
  expect(imported.report.objects.total).toBe(2);
  expect(imported.report.outcome).toBe('different');
});

const original = (name: string, namespace: string, labels: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace}, labels: { ${labels} } }
data: { a: b }
---`;

test('items of the cluster are copied without the labels by which they are selected', () => {
  const items = `[{ namespacedItems: [{ apiVersion: v1, kind: ConfigMap, selector: { matchLabels: { share: 'yes' } } }] }]`;
  const source =
    oil +
    gas +
    original('base', 'oil-dev', "share: 'yes', keep: it") +
    original('own', 'oil-dev', 'a: b');
  const imported = importSystem(source + replication('TenantResource', items));
  expect(listObjects(imported, 'ConfigMap')).toEqual([
    'oil-dev/base',
    'oil-dev/own',
    'oil-prod/base',
  ]);
  const copy = imported.result.files.find(({ path }) => path.startsWith('resources/oil-prod'));
  expect(copy?.text).toContain('keep: it');
  expect(copy?.text).not.toContain('share');
  expect(readOutcomes(imported, 'TenantResource oil-dev/copy')).toMatchObject({
    'spec.resources[0].namespacedItems[0]': expect.stringMatching(/^changed: 1 copies/),
  });
});

test('a TenantResource copies no rights', () => {
  const items = `[{ namespacedItems: [{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, name: own }] }]`;
  const own = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: own, namespace: oil-dev }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ann }]
---`;
  const imported = importSystem(oil + own + replication('TenantResource', items));
  expect(listObjects(imported, 'RoleBinding')).toEqual(['oil-dev/own']);
  expect(imported.report.outcome).toBe('different');
});

test('a TenantResource copies nothing of another tenant, and no Secrets', () => {
  const item = (kind: string, namespace: string): string =>
    `{ apiVersion: v1, kind: ${kind}, name: base, namespace: ${namespace} }`;
  const items = `[{ namespacedItems: [${item('ConfigMap', 'gas-dev')}, ${item('Secret', 'oil-dev')}] }]`;
  const source = oil + gas + original('base', 'gas-dev', 'a: b');
  const imported = importSystem(source + replication('TenantResource', items));
  expect(listObjects(imported, 'ConfigMap')).toEqual(['gas-dev/base']);
  expect(readOutcomes(imported, 'TenantResource oil-dev/copy')).toMatchObject({
    'spec.resources[0].namespacedItems[0]': expect.stringMatching(/^left: .*does not belong/),
    'spec.resources[0].namespacedItems[1]': expect.stringMatching(/^left: Secrets/),
  });
});

test('copies that Capsule made are explained, and templates, paused and adopting ones are left', () => {
  const copy = `
apiVersion: v1
kind: ConfigMap
metadata: { name: shared, namespace: oil-prod, labels: { projectcapsule.dev/created-by: replications } }
data: { a: b }
---`;
  const resources = `[{ rawItems: [${map('shared', '{ a: b }')}] }]`;
  const explained = importSystem(oil + copy + replication('TenantResource', resources));
  expect(explained.report.made).toMatchObject([{ kind: 'ConfigMap', objects: 1 }]);
  expect(listObjects(explained, 'ConfigMap')).toEqual(['oil-dev/shared', 'oil-prod/shared']);
  const template = `[{ generators: [{ template: 'a', missingKey: zero }], context: { resources: [] } }]`;
  const others = importSystem(
    oil +
      replication('TenantResource', template, 'serviceAccount: { name: robot },', 'template') +
      replication('TenantResource', resources, 'cordoned: true,', 'paused'),
  );
  expect(readOutcomes(others, 'TenantResource oil-dev/template')).toMatchObject({
    'spec.resources[0].generators[0]': expect.stringMatching(/^left: Tenantry does not run/),
    'spec.serviceAccount': expect.stringMatching(/^changed: .*own rights/),
  });
  expect(readOutcomes(others, 'TenantResource oil-dev/paused')).toMatchObject({
    'spec.resources': expect.stringMatching(/^left: it is paused/),
  });
  expect(listObjects(others, 'ConfigMap')).toEqual([]);
});

test('an object that the source has itself is not made a second time', () => {
  const resources = `[{ rawItems: [${map('shared', '{ a: c }')}] }]`;
  const own = original('shared', 'oil-prod', 'a: b');
  const imported = importSystem(oil + own + replication('TenantResource', resources));
  expect(listObjects(imported, 'ConfigMap')).toEqual(['oil-prod/shared']);
  expect(imported.report.outcome).toBe('different');
});
