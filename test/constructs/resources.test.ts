import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { ofKind, collectFindings, type Given } from './given.ts';

type Manifest = { [field: string]: unknown };

const kinds: PlatformSpec['kinds'] = [
  { group: 'example.com', kind: 'Widget', scope: 'Namespaced' },
  { group: 'example.com', kind: 'ClusterWidget', scope: 'Cluster' },
  { group: 'projectcalico.org', kind: 'NetworkPolicy', scope: 'Namespaced' },
  { group: 'argoproj.io', kind: 'Application', scope: 'Namespaced' },
];

const given = (manifests: readonly unknown[], klass: TenantClassSpec = {}): Given => ({
  klass,
  platform: { clusters: [{ name: 'eu', kubernetesVersion: '1.36' }], kinds },
  tenant: { resources: manifests.map((manifest) => ({ manifest: manifest as never })) },
});

const object = (
  apiVersion: string,
  kind: string,
  more: Manifest = {},
  metadata: Manifest = {},
) => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...metadata },
  ...more,
});

const at = (path: string) => `spec.resources[0].manifest${path}`;
const refused = (manifest: unknown, klass?: TenantClassSpec): string[] =>
  collectFindings(given([manifest], klass));

test("an object is rendered into every namespace of its layer, with the owner's labels", () => {
  const manifest = object('v1', 'ConfigMap', { data: { a: 'b' } }, { labels: { x: 'y' } });
  const world: Given = {
    tenant: { ...given([manifest]).tenant, namespaces: [{ name: 'a' }, { name: 'b' }] },
  };
  for (const namespace of ['a', 'b']) {
    expect(ofKind(world, 'ConfigMap', namespace)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'x',
          namespace,
          annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' },
          labels: {
            x: 'y',
            'app.kubernetes.io/managed-by': 'tenantry',
            'tenantry.dev/tenant': 'acme',
          },
        },
        data: { a: 'b' },
      },
    ]);
  }
});

test('an object that names a namespace of the tenant is rendered only there', () => {
  const manifest = object('v1', 'ConfigMap', {}, { namespace: 'b' });
  const world: Given = {
    tenant: { ...given([manifest]).tenant, namespaces: [{ name: 'a' }, { name: 'b' }] },
  };
  expect(ofKind(world, 'ConfigMap', 'a')).toHaveLength(0);
  expect(ofKind(world, 'ConfigMap', 'b')).toHaveLength(1);
});

test('an object in the entry of a namespace must not name another one', () => {
  const manifest = object('v1', 'ConfigMap', {}, { namespace: 'b' }) as never;
  const namespaces = [{ name: 'a', resources: [{ manifest }] }, { name: 'b' }];
  expect(collectFindings({ tenant: { namespaces } })).toEqual([
    "spec.namespaces[0].resources[0].manifest.metadata.namespace must be left out or 'a', whose entry it is in, got 'b'",
  ]);
});

test.each(['other', 'kube-system', '', null, 7])(
  "the namespace %j is not one of the tenant's",
  (namespace) => {
    expect(refused(object('v1', 'ConfigMap', {}, { namespace }))).toEqual([
      expect.stringMatching(
        /manifest\.metadata\.namespace must be a namespace of the tenant, got /,
      ),
    ]);
  },
);

test.each([
  ['v1', 'Namespace', 'Namespace'],
  ['v1', 'PersistentVolume', 'PersistentVolume'],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'ClusterRoleBinding.rbac.authorization.k8s.io',
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'CustomResourceDefinition.apiextensions.k8s.io',
  ],
  ['example.com/v1', 'ClusterWidget', 'ClusterWidget.example.com'],
])(
  '%s %s is cluster-scoped, whatever its namespace (CVE-2026-22872)',
  (apiVersion, kind, named) => {
    for (const metadata of [{}, { namespace: 'acme' }]) {
      expect(refused(object(apiVersion, kind, {}, metadata))).toEqual([
        `${at('.kind')} must be a namespaced kind, got '${named}', which is cluster-scoped whatever namespace it names`,
      ]);
    }
  },
);

test.each([
  ['v1', 'Unknown', 'Unknown'],
  ['v1', 'namespace', 'namespace'],
  ['example.org/v1', 'Widget', 'Widget.example.org'],
  ['rbac.authorization.k8s.io/v1', 'RoleBindingList', 'RoleBindingList.rbac.authorization.k8s.io'],
])('%s %s is a kind of unknown scope', (apiVersion, kind, named) => {
  expect(refused(object(apiVersion, kind))).toEqual([
    `${at('.kind')} must be a kind whose scope is known, got '${named}': name it in kinds or crdFiles of the platform`,
  ]);
});

test.each([
  ['rbac.authorization.k8s.io/v1', 'Role', 'access.roles'],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'access'],
  ['v1', 'ResourceQuota', 'quota'],
  ['v1', 'LimitRange', 'limits'],
  ['v1', 'ServiceAccount', 'serviceAccounts'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'network'],
  ['policy/v1', 'PodDisruptionBudget', 'disruptionBudgets'],
])('%s %s is refused: it has its own field with ceilings', (apiVersion, kind, field) => {
  const klass = { allow: { resources: [{ group: '*', kind: '*' }] } };
  expect(refused(object(apiVersion, kind), klass)).toEqual([
    `${at('.kind')} must not be a ${kind}: declare it in ${field}, where the ceilings of the class apply`,
  ]);
});

test.each([
  ['projectcalico.org/v3', 'NetworkPolicy', 'projectcalico.org'],
  ['v1', 'Endpoints', ''],
  ['discovery.k8s.io/v1', 'EndpointSlice', 'discovery.k8s.io'],
  ['argoproj.io/v1alpha1', 'Application', 'argoproj.io'],
])('%s %s is allowed only where the class lists it', (apiVersion, kind, group) => {
  const named = group === '' ? kind : `${kind}.${group}`;
  expect(refused(object(apiVersion, kind))).toEqual([
    `${at('.kind')} must be a kind that class standard allows in allow.resources, got '${named}'`,
  ]);
  expect(refused(object(apiVersion, kind), { allow: { resources: [{ group, kind }] } })).toEqual(
    [],
  );
});

test('a class that lists kinds allows no others', () => {
  const klass = {
    allow: {
      resources: [
        { group: 'example.com', kind: '*' },
        { group: '', kind: 'ConfigMap' },
      ],
    },
  };
  expect(refused(object('example.com/v1', 'Widget'), klass)).toEqual([]);
  expect(refused(object('v1', 'ConfigMap'), klass)).toEqual([]);
  expect(refused(object('v1', 'Service'), klass)).toHaveLength(1);
  expect(refused(object('example.com/v1', 'ClusterWidget'), klass)).toHaveLength(1);
});

test('a class that allows all groups does not allow network policies of other groups', () => {
  const klass = { allow: { resources: [{ group: '*', kind: '*' }] } };
  expect(refused(object('example.com/v1', 'Widget'), klass)).toEqual([]);
  expect(refused(object('projectcalico.org/v3', 'NetworkPolicy'), klass)).toHaveLength(1);
});

test.each<[string, unknown, string]>([
  ['no fields at all', {}, 'one without apiVersion and kind and metadata'],
  ['no name', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, 'one without a name'],
])('%s is not an object', (_name, manifest, got) => {
  expect(refused(manifest)).toEqual([
    `${at('')} must be a Kubernetes object with apiVersion, kind and metadata.name, got ${got}`,
  ]);
});

test.each(['../x', 'a/b', 'X', 'a\nb', '', 'a'.repeat(254)])('%j is not a valid name', (name) => {
  expect(refused(object('v1', 'ConfigMap', {}, { name }))).toEqual([
    expect.stringMatching(/manifest\.metadata\.name must be a DNS subdomain, got '/),
  ]);
});

test.each([
  'ownerReferences',
  'finalizers',
  'generateName',
  'uid',
  'managedFields',
  'deletionTimestamp',
])('a tenant must not declare metadata.%s', (field) => {
  expect(refused(object('v1', 'ConfigMap', {}, { [field]: [] }))).toEqual([
    `${at(`.metadata.${field}`)} must be left out: only name, namespace, labels, annotations may be declared`,
  ]);
});

test('labels and annotations map to strings, labels to short ones, and reserved keys are refused', () => {
  const validateMetadata = (metadata: Manifest) => refused(object('v1', 'ConfigMap', {}, metadata));
  expect(validateMetadata({ labels: 'abc' })).toEqual([
    `${at('.metadata.labels')} must be a mapping, got 'abc'`,
  ]);
  expect(validateMetadata({ annotations: ['a'] })).toEqual([
    `${at('.metadata.annotations')} must be a mapping, got a list`,
  ]);
  expect(validateMetadata({ labels: { a: 1 } })).toEqual([
    `${at('.metadata.labels.a')} must be a string, got 1`,
  ]);
  expect(validateMetadata({ labels: { a: 'b c' } })).toEqual([
    `${at('.metadata.labels.a')} must be a label value: letters, digits, '-', '_' and '.', at most 63 characters, got 'b c'`,
  ]);
  expect(validateMetadata({ labels: null, annotations: { a: 'b c' } })).toEqual([]);
  for (const key of [
    'argocd.argoproj.io/tracking-id',
    'tenantry.dev/tenant',
    'app.kubernetes.io/instance',
    'helm.sh/hook',
  ]) {
    expect(validateMetadata({ annotations: { [key]: 'x' } })).toEqual([
      expect.stringContaining(`must not be set: the key '${key}' `),
    ]);
  }
});

test('a Secret with data is refused, and one without data is accepted', () => {
  for (const field of ['data', 'stringData']) {
    expect(refused(object('v1', 'Secret', { [field]: {} }))).toEqual([
      `${at(`.${field}`)} must not hold Secret data: Git keeps it forever; use an external secret`,
    ]);
  }
  expect(refused(object('v1', 'Secret', { type: 'Opaque' }))).toEqual([]);
});

test('a kind that is never stored is refused, whatever the class allows', () => {
  const everything = { allow: { resources: [{ group: '', kind: 'Binding' }] } };
  for (const klass of [{}, everything]) {
    expect(refused(object('v1', 'Binding'), klass)).toEqual([
      `${at('.kind')} must be a kind whose objects are stored, got 'Binding', which can be requested but not applied`,
    ]);
  }
});

test('an API version that the cluster no longer serves is refused', () => {
  expect(refused(object('batch/v1beta1', 'CronJob'))).toEqual([
    `${at('.apiVersion')} must be batch/v1, got 'batch/v1beta1', which Kubernetes 1.36 no longer serves`,
  ]);
});

test('two objects of the same kind and name are refused, whatever their version', () => {
  const pair = [
    object('autoscaling/v1', 'HorizontalPodAutoscaler'),
    object('autoscaling/v2', 'HorizontalPodAutoscaler'),
  ];
  expect(collectFindings(given(pair))).toEqual([
    "spec.resources[1].manifest must have a name of its own, got HorizontalPodAutoscaler.autoscaling 'x', which another entry of resources already gives",
  ]);
});

test.each([
  ['authorization.k8s.io/v1', 'LocalSubjectAccessReview', '.authorization.k8s.io'],
  ['v1', 'Binding', ''],
])('%s %s is refused: its objects are never stored', (apiVersion, kind, group) => {
  const klass = { allow: { resources: [{ group: '*', kind: '*' }] } };
  expect(refused(object(apiVersion, kind), klass)).toEqual([
    `${at('.kind')} must be a kind whose objects are stored, got '${kind}${group}', which can be requested but not applied`,
  ]);
});

test('a class that lists a kind, or all kinds of a group, allows only those of that group', () => {
  const allowing = (group: string, kind: string) => ({ allow: { resources: [{ group, kind }] } });
  const calico = object('projectcalico.org/v3', 'NetworkPolicy');
  const argo = object('argoproj.io/v1alpha1', 'Application');
  expect(refused(calico, allowing('projectcalico.org', '*'))).toEqual([]);
  expect(refused(argo, allowing('argoproj.io', '*'))).toHaveLength(1);
  expect(refused(argo, allowing('example.com', 'Application'))).toHaveLength(1);
});

test('an API version must be served by the cluster of the namespace', () => {
  const platform: PlatformSpec = {
    clusters: [
      { name: 'old', kubernetesVersion: '1.24' },
      { name: 'new', kubernetesVersion: '1.36' },
    ],
  };
  const resources = [{ manifest: object('batch/v1beta1', 'CronJob') as never }];
  expect(collectFindings({ platform, tenant: { clusters: ['old'], resources } })).toEqual([
    expect.stringMatching(/^warning .* must be batch\/v1 to be validated against a schema, /),
  ]);
  expect(collectFindings({ platform, tenant: { clusters: ['new'], resources } })).toHaveLength(1);
  expect(collectFindings({ platform, tenant: { clusters: ['none'], resources } })).toEqual([
    "spec.clusters must be clusters of the platform (old, new), got 'none'",
  ]);
});

test('a Secret of another group may have data', () => {
  const secret = object('example.com/v1', 'Secret', { data: { a: 'b' } });
  const platform: PlatformSpec = {
    kinds: [{ group: 'example.com', kind: 'Secret', scope: 'Namespaced' }],
  };
  expect(
    collectFindings({ platform, tenant: { resources: [{ manifest: secret as never }] } }),
  ).toEqual([]);
});

test('an object in the entry of a namespace belongs to it, with or without its name', () => {
  const manifests = [{}, { namespace: 'a' }].map((metadata, i) => ({
    manifest: object('v1', 'ConfigMap', {}, { name: `m${i}`, ...metadata }) as never,
  }));
  expect(
    collectFindings({ tenant: { namespaces: [{ name: 'a', resources: manifests }] } }),
  ).toEqual([]);
});

test('an object of 64 KiB is accepted, and one byte more is reported for the whole object', () => {
  const sized = (bytes: number) => {
    const empty = object('v1', 'ConfigMap', { data: { a: '' } });
    const text = 'x'.repeat(bytes - JSON.stringify(empty).length);
    return object('v1', 'ConfigMap', { data: { a: text } });
  };
  expect(refused(sized(65_536))).toEqual([]);
  expect(refused(sized(65_537))).toEqual([`${at('')} must be at most 65536 bytes, got 65537`]);
});

test('an object must satisfy the policies that apply to users', () => {
  expect(refused(object('v1', 'Pod', { spec: { nodeName: 'n1' } }))).toHaveLength(1);
});
