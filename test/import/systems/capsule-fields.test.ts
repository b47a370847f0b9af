import { expect, test } from '@jest/globals';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { readManifests } from '../../../import/manifests.ts';
import { capsuleKinds } from '../../../import/systems/capsule/kinds.ts';
import { translateSystems } from '../../../import/systems/translate-systems.ts';
import { namespaces, tenant } from './capsule-source.ts';
import { importSystem, readOutcomes } from './import-system.ts';

const selector = `{ matchLabels: { a: b }, matchExpressions: [{ key: a, operator: In, values: [b] }] }`;
const classes = `{ allowed: [a], allowedRegex: a, default: a, ${selector.slice(1)}`;
const metadata = `{ labels: { a: b }, annotations: { a: b } }`;
const match = `exact: [a], exp: a, negate: false`;
const quota = `hard: { pods: 1 }, scopes: [BestEffort], scopeSelector: { matchExpressions: [{ scopeName: BestEffort, operator: Exists, values: [] }] }`;
const keys = `{ a: { required: true, default: a, managed: a, values: [{ ${match} }] } }`;
const enforce = `{ action: deny, ingress: { types: [Ingress], hostnames: [{ ${match} }] },
  metadata: [{ kinds: [Pod], apiGroups: [''], labels: ${keys}, annotations: ${keys} }],
  services: { types: [NodePort], externalNames: { hostnames: [{ ${match} }] }, loadBalancers: { cidrs: [a] }, nodePorts: { ports: [{ from: 1, to: 2 }] } },
  workloads: { targets: [a], qosClasses: [a], schedulers: [{ ${match} }], registries: [{ ${match}, policy: [Always] }],
    resources: { requests: { cpu: { policy: Default, value: 1 } }, limits: { cpu: { policy: Ratio, value: 2 } } } } }`;
const rule = `audience: [{ kind: User, name: a }], enforce: ${enforce}, quota: [{ name: a, ${quota} }]`;
const binding = `{ clusterRoleName: view, subjects: [{ kind: User, name: a, apiGroup: rbac.authorization.k8s.io }], labels: { a: b }, annotations: { a: b } }`;
const reference = `apiVersion: v1, kind: ConfigMap, name: a, namespace: n1, optional: true, selector: ${selector}`;
const replicated = `settings: { adopt: true, force: true }, dependsOn: [{ name: a }], resyncPeriod: 1s, pruningOnDelete: false, cordoned: false,
  resources: [{ namespaceSelector: ${selector}, namespacedItems: [{ ${reference} }], rawItems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }],
    additionalMetadata: ${metadata}, generators: [{ template: a, missingKey: zero }], context: { resources: [{ index: a, ${reference} }] } }]`;
const custom = `limit: 1, options: { emitMetricPerClaimUsage: true }, scopeSelectors: [${selector}],
  sources: [{ apiVersion: v1, kind: Pod, op: add, path: a, cel: a, selectors: [{ celExpressions: [a], fieldSelectors: [a], ${selector.slice(1)}] }]`;
const proxied = `[{ apiGroups: [a], resources: [a], operations: [a], selector: ${selector} }]`;
const proxySettings = `[{ kind: Nodes, operations: [List] }]`;

/** The `spec` of each kind with each of its fields. */
const specs: Readonly<Record<string, string>> = {
  Tenant: `{ data: { a: b }, permissions: { matchOwners: [${selector}], allowOwnerPromotion: true },
    rules: [{ ${rule}, namespaceSelector: ${selector}, permissions: { bindings: [${binding}], promotions: [{ clusterRoles: [a], selector: ${selector} }] } }],
    owners: [{ kind: User, name: a, clusterRoles: [view], proxySettings: ${proxySettings}, labels: { a: b }, annotations: { a: b } }],
    namespaceOptions: { quota: 1, additionalMetadata: ${metadata}, additionalMetadataList: [{ namespaceSelector: ${selector}, ${metadata.slice(1)}],
      requiredMetadata: ${metadata}, forbiddenLabels: { denied: [a], deniedRegex: a }, forbiddenAnnotations: { denied: [a], deniedRegex: a }, managedMetadataOnly: true },
    storageClasses: ${classes}, runtimeClasses: ${classes}, priorityClasses: ${classes}, deviceClasses: ${classes}, gatewayOptions: { allowedClasses: ${classes} },
    ingressOptions: { allowedClasses: ${classes}, allowedHostnames: { allowed: [a], allowedRegex: a }, hostnameCollisionScope: Cluster, allowWildcardHostnames: false },
    nodeSelector: { a: b }, additionalRoleBindings: [${binding}], cordoned: true, preventDeletion: true, forceTenantPrefix: true,
    resourceQuotas: { scope: Tenant, items: [{ ${quota} }] },
    serviceOptions: { additionalMetadata: ${metadata}, allowedServices: { externalName: false, loadBalancer: false, nodePort: false },
      externalIPs: { allowed: [a] }, forbiddenLabels: { denied: [a] }, forbiddenAnnotations: { denied: [a] } },
    podOptions: { additionalMetadata: ${metadata} }, containerRegistries: { allowed: [a], allowedRegex: a }, imagePullPolicies: [Always],
    networkPolicies: { items: [{ podSelector: {} }] }, limitRanges: { items: [{ limits: [{ type: Pod, max: { cpu: 1 } }] }] } }`,
  TenantOwner: '{ kind: User, name: a, clusterRoles: [view], aggregate: true }',
  TenantResource: `{ ${replicated}, serviceAccount: { name: a } }`,
  GlobalTenantResource: `{ ${replicated}, serviceAccount: { name: a, namespace: a }, scope: Namespace, tenantSelector: ${selector} }`,
  ResourcePool: `{ selectors: [${selector}], quota: { ${quota} }, defaults: { pods: 1 }, config: { defaultsZero: true, orderedQueue: true, deleteBoundResources: true } }`,
  ResourcePoolClaim: '{ pool: a, claim: { pods: 1 } }',
  GlobalResourceQuota: `{ namespaceSelectors: [${selector}], quota: { ${quota} } }`,
  CustomQuota: `{ ${custom} }`,
  GlobalCustomQuota: `{ ${custom}, namespaceSelectors: [${selector}] }`,
  RuleStatus: `[{ ${rule} }]`,
  ProxySetting: `{ subjects: [{ kind: User, name: a, proxySettings: ${proxySettings}, clusterResources: ${proxied} }] }`,
  GlobalProxySettings: `{ rules: [{ subjects: [{ kind: User, name: a }], clusterResources: ${proxied} }] }`,
  CapsuleConfiguration: `{ users: [{ kind: Group, name: a }], administrators: [{ kind: User, name: a }], allowServiceAccountPromotion: true, forceTenantPrefix: true,
    protectedNamespaceRegex: a, nodeMetadata: { forbiddenLabels: { denied: [a] }, forbiddenAnnotations: { denied: [a] } },
    rbac: { administrationClusterRoles: [a], promotionClusterRoles: [a], deleter: a, provisioner: a } }`,
  QuantityLedger: '{ targetRef: { apiGroup: a, kind: a, name: a, namespace: a, uid: a } }',
};

function readSpec(kind: string): unknown {
  return readDocuments(`spec: ${specs[kind]!}`).documents[0]!.value;
}

const source = namespaces('all', { n1: 'a: b', n2: '' });

function translate(kind: string, fields: unknown) {
  const object = {
    apiVersion: 'capsule.clastix.io/v1beta2',
    kind,
    metadata: { name: 'all', namespace: 'n1' },
    ...(fields as object),
  } as KubeObject;
  const { objects } = readManifests([{ file: 'a.yaml', text: `${source}\n${emitYaml([object])}` }]);
  const { problems, listTranslated } = translateSystems(objects);
  expect(problems).toEqual([]);
  const [translated] = listTranslated();
  return translated!.fields.map((field) => ({
    path: formatPath(field.path),
    isUnknown: field.outcome === 'left' && field.reason.includes('does not know'),
  }));
}

/** Mappings whose keys are data, or an object of Kubernetes with its own schema. */
const isData = (path: Path): boolean =>
  /\b(matchLabels|labels|annotations|hard|defaults|nodeSelector|data|claim|requests|limits|rawItems|networkPolicies\.items|limitRanges\.items)\b(\[\d+\])?(\.\w+|\["\w+"\])?$/.test(
    formatPath(path),
  ) && !/\.(resources|services)$/.test(formatPath(path));

function listMappings(value: unknown, path: Path = []): Path[] {
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isMapping(value) ? value : {});
  const own = isMapping(value) && path.length > 0 && !isData(path) ? [path] : [];
  return [...own, ...children.flatMap(([key, inner]) => listMappings(inner, [...path, key]))];
}

function inject(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return { ...(value as object), novelty: 'x' };
  if (Array.isArray(value)) return value.map((one, i) => (i === first ? inject(one, rest) : one));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [first]: inject(fields[first], rest) };
}

const kinds = capsuleKinds.map(({ kind }) => kind);

test('each kind of Capsule is in these tests', () => {
  expect(Object.keys(specs).toSorted()).toEqual(kinds.toSorted());
});

test.each(kinds)('every field of a %s has an outcome', (kind) => {
  expect(translate(kind, readSpec(kind)).filter(({ isUnknown }) => isUnknown)).toEqual([]);
});

test.each(kinds)('a field that nobody knows is named, wherever a %s has it', (kind) => {
  const spec = readSpec(kind);
  const mappings = listMappings(spec);
  expect(mappings.length).toBeGreaterThan(0);
  for (const path of mappings) {
    const unknown = translate(kind, inject(spec, path)).filter(({ isUnknown }) => isUnknown);
    expect(unknown).toEqual([{ path: formatPath([...path, 'novelty']), isUnknown: true }]);
  }
});

test('the defaults that a live Tenant has need no acceptance', () => {
  const defaults = `{ cordoned: false, preventDeletion: false, ingressOptions: { hostnameCollisionScope: Disabled },
    resourceQuotas: { scope: Tenant }, limitRanges: {}, networkPolicies: {}, permissions: { allowOwnerPromotion: true },
    namespaceOptions: { managedMetadataOnly: false } }`;
  const imported = importSystem(source + tenant('all', defaults));
  expect(imported.report.outcome).toBe('done');
});

test('an annotation that bounds custom resources is left, and other metadata is not', () => {
  const annotations =
    ', annotations: { quota.resources.capsule.clastix.io/foos.example.com_v1: "3", note: a }';
  const imported = importSystem(source + tenant('all', '{}', annotations));
  expect(Object.values(readOutcomes(imported, 'Tenant all'))).toEqual([
    expect.stringMatching(/^left: it bounds how many/),
  ]);
});

test.each([
  ['{ owners: [alice] }', 'spec.owners[0]'],
  ['{ owners: [{ kind: Robot, name: a }] }', 'spec.owners[0].kind'],
  ['{ resourceQuotas: { scope: Cluster } }', 'spec.resourceQuotas.scope'],
  ['{ namespaceOptions: { additionalMetadata: { labels: { a: 1 } } } }', 'labels.a'],
  ['{ networkPolicies: { items: [no] } }', 'spec.networkPolicies.items[0]'],
  ['[]', 'spec'],
])('a Tenant of another form is an error with its place: %s', (spec, place) => {
  const all = { 'a.yaml': source, 'b.yaml': tenant('all', spec) };
  expect(() => importSystem(all)).toThrow(/b.yaml:2.*\(Tenant all\)/);
  expect(() => importSystem(all)).toThrow(place);
});

test('quotas and bounds of strange forms end with a report', () => {
  const strange = `{ resourceQuotas: { items: [{}, { hard: {} }, { hard: { pods: much } }] },
    limitRanges: { items: [{}, { limits: [] }, { limits: [{ type: Pod, max: { cpu: lots } }] }] },
    networkPolicies: { items: [{}] }, nodeSelector: {}, rules: [{}, { permissions: {} }] }`;
  const imported = importSystem(source + tenant('all', strange));
  expect(imported.report.outcome).toBe('different');
  expect(JSON.stringify(imported.report.translated)).toContain('pods is no quantity');
});

test('10,000 namespaces and a thousand tenants are translated within seconds', () => {
  const all = Array.from({ length: 1000 }, (_none, i) => {
    const names = Array.from({ length: 10 }, (_no, j) => [`t${i}-n${j}`, '']);
    const spec = `{ owners: [{ kind: User, name: u }], additionalRoleBindings: [${binding}], resourceQuotas: { items: [{ hard: { pods: 9 } }] } }`;
    return namespaces(`t${i}`, Object.fromEntries(names)) + tenant(`t${i}`, spec);
  });
  const { objects } = readManifests([{ file: 'a.yaml', text: all.join('') }]);
  const begin = process.cpuUsage();
  const { derived, tenants } = translateSystems(objects);
  const { user } = process.cpuUsage(begin);
  expect(derived.size).toBe(20_000);
  expect(tenants.size).toBe(10_000);
  expect(user / 1e6).toBeLessThan(10);
});
