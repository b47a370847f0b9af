import type { Bundle } from '../../bundle/bundle.ts';
import { parseBundle } from '../../bundle/parse.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { annotations as bundleAnnotations, crd } from '../sample.ts';

type Fields = Readonly<Record<string, unknown>>;

export const verbsOfAll = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

const selector = { matchLabels: { app: 'redis-operator' } };

/** A spec that OLM v1 installs, with rights in the cluster and in namespaces. */
export const spec: Fields = {
  displayName: 'Redis',
  version: '1.2.3',
  install: {
    strategy: 'deployment',
    spec: {
      deployments: [
        {
          name: 'redis-operator',
          spec: {
            replicas: 0,
            selector,
            template: {
              metadata: { labels: selector.matchLabels },
              spec: { containers: [{ name: 'manager', image: 'quay.io/example/redis:1.2.3' }] },
            },
          },
        },
      ],
      clusterPermissions: [
        {
          serviceAccountName: 'redis-operator',
          rules: [
            { apiGroups: ['example.com'], resources: ['redises'], verbs: verbsOfAll },
            { apiGroups: [''], resources: ['pods'], verbs: ['*'] },
          ],
        },
      ],
      permissions: [
        {
          serviceAccountName: 'redis-operator',
          rules: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: verbsOfAll }],
        },
      ],
    },
  },
  installModes: [
    { type: 'OwnNamespace', supported: true },
    { type: 'AllNamespaces', supported: true },
  ],
  customresourcedefinitions: {
    owned: [{ name: 'redises.example.com', version: 'v1', kind: 'Redis' }],
  },
};

/** The objects beside the ClusterServiceVersion. */
export const besides: readonly Fields[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'redis-config', namespace: 'elsewhere' },
    data: { level: 'info' },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'redis-metrics-reader' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'redis-secrets' },
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['redis'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'redis-delegates' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'system:auth-delegator',
    },
    subjects: [{ kind: 'ServiceAccount', name: 'redis-operator', namespace: 'redis-operator' }],
  },
];

/** Builds a bundle of a redis operator with these parts. */
export function bundleOf(
  given: Fields = spec,
  objects: readonly Fields[] = besides,
  files: Readonly<Record<string, string>> = {},
  annotations?: Readonly<Record<string, string>>,
): Bundle {
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `redis-operator.v${String(given['version'])}`,
      ...(annotations && { annotations }),
    },
    spec: given,
  };
  const texts = {
    'manifests/redis-operator.clusterserviceversion.yaml': emitYaml([csv]),
    'manifests/example.com_redises.yaml': crd,
    'metadata/annotations.yaml': bundleAnnotations,
    ...Object.fromEntries(
      objects.map((one, i) => [`manifests/${i}.yaml`, emitYaml([one as object])]),
    ),
    ...files,
  };
  const encoder = new TextEncoder();
  return parseBundle({
    files: Object.entries(texts).map(([path, text]) => ({ path, bytes: encoder.encode(text) })),
  });
}
