import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';
import { listWithUnknownKeys } from './unknown-keys.ts';

const project = (name: string, requester = 'jane'): string => `
---
apiVersion: project.openshift.io/v1
kind: Project
metadata:
  name: ${name}
  labels: { kubernetes.io/metadata.name: ${name}, team: shop }
  annotations:
    openshift.io/display-name: The shop
    openshift.io/description: Where we sell
    openshift.io/requester: ${requester}
    openshift.io/node-selector: region=eu
    openshift.io/sa.scc.mcs: s0:c27,c4
    openshift.io/sa.scc.supplemental-groups: 1000720000/10000
    openshift.io/sa.scc.uid-range: 1000720000/10000
spec: { finalizers: [kubernetes] }
status: { phase: Active }
`;
const asNamespace = (text: string): string =>
  text.replace('project.openshift.io/v1', 'v1').replace('kind: Project', 'kind: Namespace');

const quota = (
  name: string,
  selector: string,
  spec = "{ hard: { pods: '9', requests.cpu: '6' } }",
): string => `
---
apiVersion: quota.openshift.io/v1
kind: ClusterResourceQuota
metadata: { name: ${name} }
spec: { selector: ${selector}, quota: ${spec} }
`;
const BY_LABEL = '{ labels: { matchLabels: { team: shop } }, annotations: null }';

test('a Project and its Namespace are one namespace, whichever of them the source has', () => {
  const both = importSystem(asNamespace(project('shop')) + project('shop'));
  const spec = readTenant(both, 'shop');
  expect(spec).toEqual({
    annotations: {
      'openshift.io/display-name': 'The shop',
      'openshift.io/description': 'Where we sell',
      'openshift.io/requester': 'jane',
      'openshift.io/node-selector': 'region=eu',
    },
  });
  for (const one of [asNamespace(project('shop')), project('shop')]) {
    expect(readTenant(importSystem(one), 'shop')).toEqual(spec);
    expect(importSystem(one).report.outcome).toBe('done');
  }
  expect(both.report.namespaces).toBe(1);
  expect(both.report.outcome).toBe('done');
  expect(readOutcomes(both, 'Project shop')).toEqual({
    'spec.finalizers': 'taken: the Namespace has its own',
  });
});

test('what OpenShift allocates for a namespace is not declared, and named', () => {
  const { report, result } = importSystem(project('shop'));
  expect(report.bookkeeping.map(({ key }) => key)).toEqual([
    'openshift.io/sa.scc.mcs',
    'openshift.io/sa.scc.supplemental-groups',
    'openshift.io/sa.scc.uid-range',
  ]);
  expect(result.files.map(({ text }) => text).join('')).not.toContain('sa.scc');
});

test('a Project that contradicts its Namespace must be accepted', () => {
  const { report } = importSystem(asNamespace(project('shop')) + project('shop', 'mallory'));
  expect(report.omitted).toEqual([
    expect.objectContaining({
      object: 'Project shop',
      reason:
        "it is the Namespace of the same name, which has openshift.io/requester: 'jane' and not 'mallory'",
      accepted: false,
    }),
  ]);
});

test('namespaces that share a ClusterResourceQuota are a tenant with a total, and the lower bounds apply', () => {
  const source =
    project('web') +
    project('api') +
    project('pay', 'paul').replace('team: shop', 'team: pay') +
    quota('shop', BY_LABEL) +
    quota('jane', '{ annotations: { openshift.io/requester: jane } }', "{ hard: { pods: '7' } }");
  const imported = importSystem(source);
  expect(imported.report.tenants).toEqual([
    { name: 'pay', namespaces: ['pay'] },
    { name: 'shop', namespaces: ['api', 'web'] },
  ]);
  expect(readTenant(imported, 'shop')).toMatchObject({
    quota: { total: { pods: '7', 'requests.cpu': '6' } },
  });
  expect(readOutcomes(imported, 'ClusterResourceQuota jane')).toEqual({
    'spec.selector.annotations["openshift.io/requester"]':
      'taken: the namespaces that have these keys today: api, web',
    'spec.quota.hard':
      'changed: `quota` of the tenant shop: OpenShift bounds what all namespaces use together; here each namespace gets a part, by its `weight`',
  });
  expect(imported.report.outcome).toBe('different');
  expect(importSystem(source, ['ClusterResourceQuota *']).report.outcome).toBe('done');
});

test('a selector of labels and annotations selects what has both, and one namespace gets a ResourceQuota', () => {
  const imported = importSystem(
    project('web') +
      project('pay', 'paul') +
      quota(
        'paul',
        '{ labels: { matchExpressions: [{ key: team, operator: In, values: [shop] }] }, annotations: { openshift.io/requester: paul } }',
        "{ hard: { pods: '5' }, scopes: [NotTerminating] }",
      ),
  );
  expect([...imported.result.translated.derived].map(({ object }) => object)).toContainEqual({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'paul', namespace: 'pay' },
    spec: { hard: { pods: '5' }, scopes: ['NotTerminating'] },
  });
  expect(imported.report.outcome).toBe('done');
});

test.each([
  [
    'no namespace',
    quota('q', '{ labels: { matchLabels: { team: none } } }'),
    /^left: it selects no namespace/,
  ],
  ['nothing', quota('q', '{ labels: null, annotations: {} }'), /^left: it selects no namespace/],
  [
    'scopes',
    quota('q', BY_LABEL, "{ hard: { pods: '5' }, scopes: [BestEffort] }"),
    /^left: a total has no scopes/,
  ],
  [
    'a part of another quota',
    quota('q', BY_LABEL) + quota('all', '{ labels: {} }').replace('name: all', 'name: all'),
    /^left: another ClusterResourceQuota bounds \w+ together with other namespaces/,
  ],
])('a quota of %s is left', (_what, text, expected) => {
  const source =
    project('web') + project('api') + project('pay').replace('team: shop', 'team: pay');
  const imported = importSystem(source + text);
  expect(readOutcomes(imported, 'ClusterResourceQuota q')['spec.quota']).toMatch(expected);
  expect(imported.report.outcome).toBe('different');
});

test('a total never enlarges the quota that a namespace has of its own', () => {
  const own = (name: string): string => `
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: own, namespace: ${name} }
spec: { hard: { pods: '2' } }
`;
  const source =
    project('web') + project('api') + own('web') + own('api') + quota('shop', BY_LABEL);
  const { report, result } = importSystem(source, ['ClusterResourceQuota *']);
  const rendered = result.proof.objects.filter(
    ({ found }) => found.object.kind === 'ResourceQuota',
  );
  expect(rendered.map(({ verdict }) => verdict)).toEqual(['equal', 'equal']);
  expect(report.outcome).toBe('done');
});

/** What OpenShift makes in every namespace. */
const made = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: 'system:image-pullers', namespace: shop, annotations: { openshift.io/description: made } }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:image-puller' }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: 'system:serviceaccounts:shop' }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: 'system:image-builders', namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:image-builder' }
subjects: [{ kind: ServiceAccount, name: builder, namespace: shop }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: 'system:deployers', namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: 'system:deployer' }
subjects: [{ kind: ServiceAccount, name: deployer, namespace: shop }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: builder, namespace: shop, annotations: { openshift.io/internal-registry-pull-secret-ref: builder-dockercfg-x7k2p } }
secrets: [{ name: builder-dockercfg-x7k2p }]
imagePullSecrets: [{ name: builder-dockercfg-x7k2p }]
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: default, namespace: shop }
secrets: [{ name: default-token-abcde }]
imagePullSecrets: [{ name: default-dockercfg-abcde }]
---
apiVersion: v1
kind: Secret
type: kubernetes.io/dockercfg
metadata: { name: builder-dockercfg-x7k2p, namespace: shop, annotations: { openshift.io/internal-registry-auth-token.service-account: builder } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: openshift-service-ca.crt, namespace: shop }
data: { service-ca.crt: x }
---
apiVersion: quota.openshift.io/v1
kind: AppliedClusterResourceQuota
metadata: { name: one, namespace: shop }
spec: { quota: {} }
${quota('one', BY_LABEL)}`;

test('the objects that OpenShift makes in every namespace need no acceptance', () => {
  const { report } = importSystem(project('shop') + made);
  expect(report.omitted.map(({ object, accepted }) => [object, accepted])).toEqual([
    ['RoleBinding shop/system:image-pullers', true],
    ['RoleBinding shop/system:image-builders', true],
    ['RoleBinding shop/system:deployers', true],
    ['ServiceAccount shop/builder', true],
    ['ServiceAccount shop/default', true],
    ['Secret shop/builder-dockercfg-x7k2p', true],
    ['ConfigMap shop/openshift-service-ca.crt', true],
    ['AppliedClusterResourceQuota shop/one', true],
  ]);
  expect(report.outcome).toBe('done');
});

test('a default binding that somebody extended is a binding like any other', () => {
  const extended = made.replace(
    "name: 'system:serviceaccounts:shop' }]",
    "name: 'system:serviceaccounts:shop' }, { kind: ServiceAccount, name: ci, namespace: shop }]",
  );
  const { report } = importSystem(project('shop') + extended);
  expect(report.omitted).toContainEqual(
    expect.objectContaining({
      object: 'RoleBinding shop/system:image-pullers',
      accepted: false,
      reason: expect.not.stringContaining('OpenShift makes it'),
    }),
  );
});

test('generated pull secrets and injected certificates are no part of what people wrote', () => {
  const imported = importSystem(`${project('shop')}
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: robot, namespace: shop, annotations: { openshift.io/internal-registry-pull-secret-ref: robot-dockercfg-abcde } }
secrets: [{ name: robot-dockercfg-abcde }, { name: mine }]
imagePullSecrets: [{ name: robot-dockercfg-abcde }, { name: regcred }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: trust, namespace: shop, labels: { config.openshift.io/inject-trusted-cabundle: 'true' } }
data: { ca-bundle.crt: long, own: kept }
`);
  expect(readTenant(imported, 'shop')).toMatchObject({
    serviceAccounts: [{ name: 'robot', imagePullSecrets: ['regcred'] }],
  });
  const { text } = imported.result.files.find(({ path }) => path.startsWith('resources/'))!;
  expect(text).toContain('kept');
  expect(text).not.toContain('ca-bundle.crt');
});

test('a ProjectRequest is left out by name', () => {
  const { report } = importSystem(`${project('shop')}
---
apiVersion: project.openshift.io/v1
kind: ProjectRequest
metadata: { name: new }
displayName: New
`);
  expect(report.omitted).toEqual([
    expect.objectContaining({ object: 'ProjectRequest new', accepted: false }),
  ]);
});

test('every mapping of every kind names a key that Tenantry does not know', () => {
  const one = quota(
    'q',
    '{ labels: { matchLabels: { team: shop }, matchExpressions: [{ key: team, operator: Exists }] }, annotations: { openshift.io/requester: jane } }',
  );
  const isValues = /^status|\.(?:matchLabels|annotations)\.|^spec\.quota\./;
  const objects = readDocuments(project('shop') + one)
    .documents.map(({ value }) => value as Record<string, unknown>)
    .flatMap(listWithUnknownKeys)
    .filter(({ field }) => !isValues.test(field));
  expect(objects.map(({ field }) => field)).toEqual([
    'unknownToAll',
    'spec.unknownToAll',
    'unknownToAll',
    'spec.unknownToAll',
    'spec.selector.unknownToAll',
    'spec.selector.labels.unknownToAll',
    'spec.selector.labels.matchExpressions[0].unknownToAll',
  ]);
  for (const { object, field } of objects) {
    const others = object['kind'] === 'Project' ? '' : project('shop');
    const imported = importSystem(others + emitYaml([object]).replace(/^(---\n)?/, '---\n'));
    const { name } = object['metadata'] as { name: string };
    const outcomes = readOutcomes(imported, `${String(object['kind'])} ${name}`);
    expect(outcomes[field]).toBe('left: Tenantry does not know this field');
  }
});

test('a quota of another form is an error with its place', () => {
  expect(() => importSystem({ 'q.yaml': quota('q', '[a]') })).toThrow(
    /q\.yaml:\d+.* spec\.selector must be .*\(ClusterResourceQuota q\)/,
  );
});
