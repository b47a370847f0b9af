import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { ofKind, collectFindings, type Given } from './given.ts';

const namespaceOf = (given: Given) => ofKind(given, 'Namespace')[0]!.metadata;
const tenant = (spec: TenantSpec, platform: PlatformSpec = {}): Given => ({
  tenant: spec,
  platform,
});

test('a namespace has its labels, its pod security level, its environment and its owner', () => {
  const given = tenant({
    labels: { team: 'pay', owner: '' },
    podSecurity: { enforce: 'restricted', warn: 'restricted', version: 'v1.36' },
    namespaces: [{ name: 'shop', environment: 'prod' }],
  });
  expect(namespaceOf(given)).toEqual({
    name: 'shop',
    labels: {
      team: 'pay',
      owner: '',
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/enforce-version': 'v1.36',
      'pod-security.kubernetes.io/warn': 'restricted',
      'pod-security.kubernetes.io/warn-version': 'v1.36',
      'tenantry.dev/environment': 'prod',
      'app.kubernetes.io/managed-by': 'tenantry',
      'tenantry.dev/tenant': 'acme',
    },
    annotations: expect.objectContaining({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    }),
  });
});

test('contacts become the annotations that the platform names, also empty values', () => {
  expect(namespaceOf(tenant({ contact: { team: 'Pay', channel: '' } })).annotations).toMatchObject({
    'tenantry.dev/team': 'Pay',
    'tenantry.dev/channel': '',
  });
  const platform = { metadataKeys: { team: 'example.com/team-name' } };
  expect(namespaceOf(tenant({ contact: { team: 'Pay' } }, platform)).annotations).toMatchObject({
    'example.com/team-name': 'Pay',
  });
  expect(collectFindings(tenant({ contact: { chanel: '#pay' } }))).toEqual([
    "spec.contact.chanel must be a key that the platform names in metadataKeys (team, channel, source, owner), got 'chanel'; did you mean 'channel'?",
  ]);
});

const reserved: [key: string, reason: string][] = [
  ['kubernetes.io/metadata.name', 'is set by the API server'],
  ['pod-security.kubernetes.io/enforce', 'is set by podSecurity'],
  ['argocd.argoproj.io/sync-options', 'is reserved for Argo CD'],
  ['notifications.argocd.argoproj.io/x', 'is reserved for Argo CD'],
  ['helm.sh/hook', 'is reserved for Argo CD'],
  ['helm.sh/resource-policy', 'is reserved for Argo CD'],
  ['tenantry.dev/tenant', 'is reserved for Tenantry'],
  ['tenantry.dev/adopt-by', 'is reserved for Tenantry'],
  ['app.kubernetes.io/managed-by', 'records the owner of the object, which is Tenantry'],
  ['app.kubernetes.io/instance', 'records the owner of the object, which is Tenantry'],
];

test.each(reserved)('%s cannot be set on a namespace', (key, reason) => {
  const quoted = `["${key}"]`;
  for (const field of ['labels', 'annotations'] as const) {
    const words = `must not be set: the key '${key}' ${reason}`;
    expect(collectFindings(tenant({ [field]: { [key]: 'x' } }))).toEqual([
      `spec.${field}${quoted} ${words}`,
    ]);
    const klass = { defaults: { [field]: { [key]: 'x' } }, allow: { [field]: [{ key }] } };
    expect(collectFindings({ klass })).toEqual([`spec.className ${words}`]);
    expect(
      collectFindings({ klass: { allow: klass.allow }, tenant: { [field]: { [key]: 'x' } } }),
    ).toEqual([`spec.${field}${quoted} ${words}`]);
  }
});

const set = (key: string, value: string, klass?: TenantClassSpec): Given => ({
  tenant: { labels: { [key]: value }, annotations: { [key]: value } },
  ...(klass && { klass }),
});
const opening = (...keys: { key: string; values?: string[] }[]): TenantClassSpec => ({
  allow: { labels: keys, annotations: keys },
});

test.each([
  'istio-injection',
  'control-plane',
  'example.com/team',
  'kubernetes.io/x',
  'admission.gatekeeper.sh/ignore',
  'app.kubernetes.io/other',
])('%s is closed to tenants until their class opens it', (key) => {
  expect(collectFindings(set(key, 'x'))).toHaveLength(2);
  expect(collectFindings(set(key, 'x', opening({ key })))).toEqual([]);
  expect(collectFindings(set(key, 'x', opening({ key: `${key}er` })))).toHaveLength(2);
  expect(collectFindings({ klass: { defaults: { labels: { [key]: 'x' } } } })).toEqual([]);
});

test('a class opens keys by prefix, and for certain values', () => {
  const klass = opening({ key: 'example.com/*' }, { key: 'istio-injection', values: ['enabled'] });
  expect(collectFindings(set('example.com/x', 'any', klass))).toEqual([]);
  expect(collectFindings(set('example.com.evil.io/x', 'any', klass))).toHaveLength(2);
  expect(collectFindings(set('istio-injection', 'enabled', klass))).toEqual([]);
  expect(collectFindings(set('istio-injection', 'disabled', klass))).toEqual([
    "spec.labels.istio-injection must be one of enabled (allow.labels of class standard), got 'disabled'",
    "spec.annotations.istio-injection must be one of enabled (allow.annotations of class standard), got 'disabled'",
  ]);
});

test('by default a few plain keys are open, and no others', () => {
  for (const key of ['team', 'owner', 'app.kubernetes.io/part-of']) {
    expect(collectFindings(set(key, 'x'))).toEqual([]);
  }
  expect(collectFindings(set('team', 'x', opening()))).toEqual([
    "spec.labels.team must be a key that class standard opens in allow.labels (none), got 'team'",
    "spec.annotations.team must be a key that class standard opens in allow.annotations (none), got 'team'",
  ]);
});

test.each([
  ['true', 'y, yes, on and true'],
  ['false', 'n, no, off and false'],
])(
  'a key that YAML may have parsed as the boolean %s is reported with that reason',
  (key, words) => {
    expect(collectFindings(set(key, 'x'))).toEqual([
      expect.stringContaining(`, got '${key}', as which YAML reads ${words}: write`),
      expect.stringContaining(`, got '${key}', as which YAML reads ${words}: write`),
    ]);
  },
);

test.each([
  ['a label named like the field', { labels: { team: 'x' } }, { labels: { labels: 'x' } }],
  ['a label named like the path of a class', {}, { labels: { className: 'x' } }],
])('a key that the class sets is not attributed to the tenant: %s', (_name, spec, defaults) => {
  expect(collectFindings({ klass: { defaults }, tenant: spec })).toEqual([]);
});

test.each(['a b', '', 'Example.com/x', 'a/b/c', '-a', '__proto__', 'x'.repeat(64)])(
  '%j is not a valid key',
  (key) => {
    const labels = Object.fromEntries([[key, 'x']]);
    expect(collectFindings(tenant({ labels }))).toEqual([
      expect.stringMatching(/must be a key such as 'example\.com\/name', got '/),
    ]);
  },
);

test('a label that a selector of the platform trusts cannot be set, whatever its value', () => {
  const platform: PlatformSpec = {
    ingressControllers: [{ namespaceSelector: { matchLabels: { role: 'ingress' } } }],
    monitoring: [
      { namespaceSelector: { matchExpressions: [{ key: 'watch', operator: 'Exists' }] } },
    ],
    trustedLabels: ['example.com/zone'],
  };
  expect(collectFindings(tenant({ labels: { role: 'ingress', watch: '' } }, platform))).toEqual([
    "spec.labels.role must not be set: the key 'role' with the value 'ingress' is trusted by a network policy of the platform",
    "spec.labels.watch must not be set: the key 'watch' with the value '' is trusted by a network policy of the platform",
  ]);
  expect(collectFindings(tenant({ labels: { 'example.com/zone': 'a' } }, platform))).toEqual([
    'spec.labels["example.com/zone"] must not be set: the key \'example.com/zone\' is trusted on the platform',
  ]);
  expect(
    collectFindings({
      klass: { allow: { labels: [{ key: 'role' }], annotations: [{ key: 'role' }] } },
      ...tenant({ labels: { role: 'shop' }, annotations: { role: 'ingress' } }, platform),
    }),
  ).toEqual([]);
});

test('a class may set a trusted label, and a tenant cannot override it', () => {
  const platform = { trustedLabels: ['zone'] };
  const klass = { defaults: { labels: { zone: 'a' } } };
  expect(collectFindings({ platform, klass, tenant: { labels: { team: 'x' } } })).toEqual([]);
  expect(collectFindings({ platform, klass, tenant: { labels: { zone: 'b' } } })).toHaveLength(1);
});

test('keys of Argo CD and of Tenantry cannot be set on the Tenant either', () => {
  const given = {
    annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false', note: 'mine' },
    labels: { 'app.kubernetes.io/instance': 'other', 'a b': 'x' },
  };
  expect(collectFindings(given)).toEqual([
    'metadata.labels["app.kubernetes.io/instance"] must not be set: the key \'app.kubernetes.io/instance\' records the owner of the object, which is Tenantry',
    "metadata.labels[\"a b\"] must be a key such as 'example.com/name', got 'a b'",
    'metadata.annotations["argocd.argoproj.io/sync-options"] must not be set: the key \'argocd.argoproj.io/sync-options\' is reserved for Argo CD',
  ]);
});

test('the value of a key that sounds like a secret appears in no message', () => {
  const key = 'example.com/token';
  expect(collectFindings(set(key, 'hush', opening({ key, values: ['a'] })))).toEqual(
    ['labels', 'annotations'].map(
      (part) =>
        `spec.${part}["${key}"] must be one of a (allow.${part} of class standard), got a value that is not shown`,
    ),
  );
  const namespaceSelector = { matchLabels: { [key]: 'hush' } };
  const platform: PlatformSpec = { ingressControllers: [{ namespaceSelector }] };
  const [trusted] = collectFindings(tenant({ labels: { [key]: 'hush' } }, platform));
  expect(trusted).toContain('is trusted by a network policy of the platform');
  expect(trusted).not.toContain('hush');
});

test('labels map to short strings, annotations to any strings', () => {
  const own = (given: object): string[] => collectFindings(given as Given);
  expect(own({ labels: { a: 'b' }, annotations: { a: 'b c', d: '' } })).toEqual([]);
  expect(own({ labels: { a: 'b c' } })).toEqual([
    "metadata.labels.a must be a label value: letters, digits, '-', '_' and '.', at most 63 characters, got 'b c'",
  ]);
  expect(own({ labels: { a: 1 }, annotations: { a: true } })).toEqual([
    'metadata.labels.a must be a string, got 1',
    'metadata.annotations.a must be a string, got true',
  ]);
  expect(own({ labels: ['a'], annotations: 'a' })).toEqual([
    'metadata.labels must be a mapping, got a list',
    "metadata.annotations must be a mapping, got 'a'",
  ]);
});

test('such keys cannot be set on a service account or a network policy either', () => {
  const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=false' };
  const message =
    "must not be set: the key 'argocd.argoproj.io/sync-options' is reserved for Argo CD";
  expect(collectFindings(tenant({ serviceAccounts: [{ name: 'x', annotations }] }))).toEqual([
    `spec.serviceAccounts ${message}`,
  ]);
  expect(
    collectFindings(tenant({ network: { policies: [{ name: 'x', annotations, spec: {} }] } })),
  ).toEqual([`spec.network.policies ${message}`]);
});

/** Returns the findings about an annotation of an object in a namespace. */
const onObject = (key: string, klass: TenantClassSpec = {}): string[] =>
  collectFindings({
    klass,
    tenant: { serviceAccounts: [{ name: 'x', annotations: { [key]: 'v' } }] },
  });

test.each([
  'team',
  'example.com/a',
  'notkubernetes.io/x',
  'xhelm.sh/x',
  'xtenantry.dev/a',
  'app.kubernetes.io/name',
  'kubernetes.io/description',
  'kubernetes.io/ingress.class',
  'kubernetes.io/tls-acme',
  'ingress.kubernetes.io/x',
  'nginx.ingress.kubernetes.io/rewrite-target',
  'a.b-c.ingress.kubernetes.io/x',
  'service.kubernetes.io/topology-mode',
  'service.alpha.kubernetes.io/x',
  'service.beta.kubernetes.io/aws-load-balancer-type',
  'cluster-autoscaler.kubernetes.io/safe-to-evict',
  'external-dns.alpha.kubernetes.io/hostname',
  'volume.beta.kubernetes.io/storage-class',
  'kubectl.kubernetes.io/default-container',
  'helm.sh/chart',
])('%s is open on objects: no tool that reads Git interprets it', (key) => {
  expect(onObject(key)).toEqual([]);
  expect(onObject(key, opening())).toEqual([]);
});

test.each([
  'kubernetes.io/other',
  'kubernetes.io/description2',
  'x.kubernetes.io/description',
  'x.app.kubernetes.io/name',
  'x.service.kubernetes.io/y',
  'xingress.kubernetes.io/a',
  'service.gamma.kubernetes.io/x',
  'service.alphabeta.kubernetes.io/x',
  'x.cluster-autoscaler.kubernetes.io/y',
  'volume.beta.kubernetes.io/storage-class2',
  'x.volume.beta.kubernetes.io/storage-class',
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubectl.kubernetes.io/default-container2',
  'x.kubectl.kubernetes.io/default-container',
  'kustomize.config.k8s.io/x',
  'x-k8s.io/a',
  'gateway.x-k8s.io/a',
  'argoproj.io/x',
  'xargocd.argoproj.io/x',
  'fluxcd.io/ignore',
  'kustomize.toolkit.fluxcd.io/reconcile',
  'helm.sh/chart2',
  'x.helm.sh/chart',
  'meta.helm.sh/release-name',
  'x.helm.sh/hook',
  'kpt.dev/a',
])(
  '%s may be a command to a tool that reads Git, and is closed on objects until a class opens it',
  (key) => {
    expect(onObject(key)).toEqual([
      `spec.serviceAccounts must be a key that class standard opens in allow.annotations (none), got '${key}'`,
    ]);
    expect(onObject(key, opening({ key }))).toEqual([]);
    expect(onObject(key, opening({ key, values: ['other'] }))).toEqual([
      "spec.serviceAccounts must be one of other (allow.annotations of class standard), got 'v'",
    ]);
  },
);

test.each([
  ['argocd.argoproj.io/hook', 'is reserved for Argo CD'],
  ['notifications.argocd.argoproj.io/x', 'is reserved for Argo CD'],
  ['helm.sh/hook', 'is reserved for Argo CD'],
  ['helm.sh/hook-weight', 'is reserved for Argo CD'],
  ['helm.sh/resource-policy', 'is reserved for Argo CD'],
  ['tenantry.dev/tenant', 'is reserved for Tenantry'],
  ['policy.tenantry.dev/pods', 'is reserved for Tenantry'],
  ['app.kubernetes.io/instance', 'records the owner of the object, which is Tenantry'],
  ['app.kubernetes.io/managed-by', 'records the owner of the object, which is Tenantry'],
])('%s cannot be set on an object, whatever the class opens', (key, reason) => {
  const message = `spec.serviceAccounts must not be set: the key '${key}' ${reason}`;
  expect(onObject(key)).toEqual([message]);
  expect(onObject(key, opening({ key }))).toEqual([message]);
});
