import { expect, test } from '@jest/globals';
import { namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';

/** A Namespace as an export of a cluster has it. */
const live = (name: string, owner: string, label: string, keys = ''): string => `
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
  uid: '7'
  labels: { ${label && `capsule.clastix.io/tenant: ${label}, `}kubernetes.io/metadata.name: ${name}, projectcapsule.dev/cordoned: 'true' }
  annotations: { capsule.clastix.io/storage-classes: ceph${keys} }
  ownerReferences: [{ apiVersion: capsule.clastix.io/v1beta2, kind: Tenant, name: ${owner}, uid: '1' }]
---`;

test('a namespace of a live cluster is taken with its owner, and without what only Capsule reads', () => {
  const imported = importSystem(live('dev', 'oil', 'oil') + tenant('oil', '{}'));
  expect(readTenant(imported, 'oil')).toEqual({ namespaces: [{ name: 'dev' }] });
  expect(imported.report.bookkeeping).toEqual([
    { system: 'Capsule', key: 'capsule.clastix.io/tenant', namespaces: ['dev'] },
    { system: 'Capsule', key: 'projectcapsule.dev/cordoned', namespaces: ['dev'] },
    { system: 'Capsule', key: 'capsule.clastix.io/storage-classes', namespaces: ['dev'] },
  ]);
  expect(imported.report.outcome).toBe('done');
});

test('the owner reference decides before the label, and what differs is reported', () => {
  const both = tenant('oil', '{ owners: [{ kind: User, name: alice, clusterRoles: [view] }] }');
  const gas = tenant('gas', '{ owners: [{ kind: User, name: eve, clusterRoles: [admin] }] }');
  const imported = importSystem(live('dev', 'oil', 'gas') + both + gas);
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { viewers: { users: ['alice'] } } });
  expect(readTenant(imported, 'gas')).toBeUndefined();
  expect(imported.report.grouping).toContain(
    'namespace dev belongs to oil and to gas: it is declared for oil',
  );
  expect(readOutcomes(imported, 'Tenant gas')).toEqual({
    spec: expect.stringMatching(/^left: no namespace of the source belongs to it/),
  });
});

test('a namespace without label and owner belongs to the tenant whose status names it', () => {
  const imported = importSystem(`
apiVersion: v1
kind: Namespace
metadata: { name: dev }
---
apiVersion: capsule.clastix.io/v1beta2
kind: Tenant
metadata: { name: oil }
spec: { owners: [{ kind: User, name: alice, clusterRoles: [view] }] }
status: { namespaces: [dev], spaces: [{ name: dev, conditions: [] }], state: Active, size: 1 }
`);
  expect(readTenant(imported, 'oil')).toMatchObject({ access: { viewers: { users: ['alice'] } } });
});

test('metadata of the tenant is on all namespaces, and of a list on those that it selects', () => {
  const spec = `
  nodeSelector: { pool: oil, arch: arm }
  namespaceOptions:
    additionalMetadata: { labels: { team: rig }, annotations: { note: all } }
    additionalMetadataList:
      - namespaceSelector: { matchLabels: { level: gold } }
        annotations: { note: never, own: '{{namespace}} of {{ tenant.name }}{{ other }}' }
      - namespaceSelector: { matchLabels: { stage: live } }
        labels: { level: gold, team: never }
`;
  const source = namespaces('oil', { 'oil-dev': '', 'oil-prod': 'stage: live' });
  const imported = importSystem(source + tenant('oil', spec));
  const metadata = imported.result.proof.objects.map(({ found }) => found.object.metadata);
  const find = (name: string) => metadata.find((one) => one.name === name && !one.namespace);
  const selector = 'scheduler.alpha.kubernetes.io/node-selector';
  expect(find('oil-dev')).toMatchObject({
    labels: { team: 'rig' },
    annotations: { note: 'all', [selector]: 'arch=arm,pool=oil' },
  });
  expect(find('oil-prod')).toMatchObject({
    labels: { team: 'rig', stage: 'live', level: 'gold' },
    annotations: { note: 'all', own: 'oil-prod of oil' },
  });
  expect(find('oil-dev')?.labels).not.toHaveProperty('level');
  expect(imported.report.outcome).toBe('done');
  expect(imported.report.objects.equal).toBe(imported.report.objects.total);
});

test('a label by which a network policy selects stays declared', () => {
  const policy =
    '{ networkPolicies: { items: [{ podSelector: {}, ingress: [{ from: [{ namespaceSelector: { matchLabels: { capsule.clastix.io/tenant: oil } } }] }] }] } }';
  const imported = importSystem(namespaces('oil', { 'oil-dev': '' }) + tenant('oil', policy));
  const found = imported.result.proof.objects.find(
    ({ found: { object } }) => object.kind === 'Namespace',
  );
  expect(found).toMatchObject({
    verdict: 'equal',
    found: { object: { metadata: { labels: { 'capsule.clastix.io/tenant': 'oil' } } } },
  });
  expect(imported.report.bookkeeping).toEqual([]);
  expect(imported.report.grouping).toContainEqual(expect.stringMatching(/^Tenant oil selects by/));
});

test('labels that the webhook puts on all objects are left out of them', () => {
  const config = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: app
  namespace: oil-dev
  labels: { capsule.clastix.io/managed-by: oil, projectcapsule.dev/tenant: oil, app: web }
data: { a: b }
---`;
  const source = namespaces('oil', { 'oil-dev': '' }) + config + tenant('oil', '{}');
  const imported = importSystem(source);
  const file = imported.result.files.find(({ path }) => path.startsWith('resources/'));
  expect(file?.text).toContain('app: web');
  expect(file?.text).not.toContain('managed-by');
  expect(imported.report.bookkeeping.map(({ key }) => key)).toContain('projectcapsule.dev/tenant');
  expect(imported.report.outcome).toBe('done');
});

test('a Tenant of v1beta1, without namespaces, or overwritten is left as a whole', () => {
  const old = tenant('old', '{ owners: [{ kind: User, name: a }] }').replace('v1beta2', 'v1beta1');
  const source = namespaces('old', { one: '' }) + old + tenant('empty', '{ cordoned: true }');
  const imported = importSystem(
    source + tenant('twice', '{ data: 1 }'.replace('1', '{ a: 1 }')) + tenant('twice', '{}'),
  );
  expect(readOutcomes(imported, 'Tenant old')).toEqual({
    spec: expect.stringMatching(/^left: only v1beta2/),
  });
  expect(readOutcomes(imported, 'Tenant empty')).toEqual({
    spec: expect.stringMatching(/^left: no namespace/),
  });
  expect(imported.report.translated.map(({ accepted }) => accepted)).toContain(false);
  expect(JSON.stringify(imported.report.translated)).toContain('a later Tenant of this name');
});
