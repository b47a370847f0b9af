import { operatorParts, buildObjects } from '@tenantry/operator-kit/parts/parts';
import type { OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { define } from '@tenantry/crd/define';
import { object, string } from '@tenantry/crd/schema/language';

/** An object without types; tests in test/cluster check what the API server makes of the fields. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = Record<string, any>;

const versionOf = (name: string) => ({
  schema: object('A shop.', {
    spec: object('What it should be.', { [name]: string('Whose.', { maxLength: 63 }) }),
  }),
});

export const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: { v1: { ...versionOf('owner'), storage: true }, v1alpha1: versionOf('owner') },
});

export const region = define({
  group: 'example.com',
  kind: 'Region',
  plural: 'regions',
  scope: 'Cluster',
  versions: { v1: versionOf('name') },
});

export const image = 'registry.example.com/shops:1.0.0';

/** A minimal operator. */
export const least: OperatorSpec = { name: 'shops', image, access: [] };

export const rule = {
  groups: ['example.com'],
  versions: ['v1'],
  resources: ['shops'],
  operations: ['CREATE', 'UPDATE'],
} as const;

/** An operator with every field. */
export const most: OperatorSpec = {
  name: 'shops',
  version: '1.2.3',
  image: `registry.example.com/shops@sha256:${'0'.repeat(64)}`,
  namespace: 'shops-system',
  owned: [shop, region],
  access: [
    { group: 'example.com', resource: 'shops', verbs: ['list', 'watch'] },
    { group: 'example.com', resource: 'shops/status', verbs: ['patch'] },
    { group: 'example.com', resource: 'regions', verbs: ['get'], resourceNames: ['eu', 'us'] },
    { group: '', resource: 'configmaps', verbs: ['create', 'list', 'watch'] },
    { group: '', resource: 'secrets', verbs: ['get'], namespaces: ['vault'] },
  ],
  leaderElection: 'ForLife',
  replicas: 3,
  command: ['/bin/shops'],
  args: ['run', '--level=info'],
  environment: {
    LEVEL: 'info',
    TOKEN: { secret: { name: 'shops', key: 'token' } },
    MODE: { configMap: { name: 'shops', key: 'mode', isOptional: true } },
    POD: { field: 'metadata.name' },
    GOMEMLIMIT: { resource: 'limits.memory' },
    CPU: { resource: 'requests.cpu', divisor: '1m' },
  },
  environmentFrom: [
    { configMap: 'shops' },
    { secret: 'shops', prefix: 'SECRET_', isOptional: true },
  ],
  sidecars: [
    {
      name: 'proxy',
      image: 'registry.example.com/proxy:0.20.0',
      command: ['/proxy'],
      args: ['--upstream=http://127.0.0.1:9090'],
      environment: { MEMORY: { resource: 'limits.memory' } },
      environmentFrom: [
        { configMap: 'proxy', isOptional: true },
        { secret: 'proxy', prefix: 'P_' },
      ],
      files: [
        { name: 'scratch', path: '/run/shops', from: { emptyDir: { sizeLimit: '1500k' } } },
        { name: 'proxy', path: '/etc/proxy', from: { secret: 'proxy' } },
        { name: 'cache', path: '/cache', from: { emptyDir: { sizeLimit: '1Gi' } } },
      ],
      resources: { requests: { cpu: '5m', memory: '20Mi' }, limits: { memory: '64Mi' } },
      ports: [{ name: 'secure', port: 8443 }],
      probes: { port: 'secure', ready: '/ready' },
    },
    { name: 'logs', image: `registry.example.com/logs@sha256:${'1'.repeat(64)}` },
  ],
  files: [
    { name: 'config', path: '/etc/shops', from: { configMap: 'shops' } },
    { name: 'keys', path: '/etc/keys', from: { secret: 'keys', isOptional: true } },
    { name: 'scratch', path: '/tmp/shops', from: { emptyDir: { sizeLimit: '1500k' } } },
    { name: 'vault', path: '/run/vault', from: { token: { audience: 'vault', lifetime: 600 } } },
  ],
  resources: {
    requests: { cpu: '10m', memory: '100M', 'ephemeral-storage': '10Mi' },
    limits: { cpu: '1', memory: '1Gi' },
  },
  priorityClass: 'platform',
  nodeSelector: { memory: 'large' },
  tolerations: [{ key: 'example.com/platform', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 10,
          podAffinityTerm: {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { port: 'busy' } },
          },
        },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
    },
    {
      maxSkew: 2,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { 'example.com/tier': 'control' } },
    },
  ],
  imagePullSecrets: ['registry'],
  gracePeriod: 60,
  ports: [{ name: 'grpc', port: 5000 }],
  probes: { port: 'grpc', live: '/live', ready: '/ready', startup: 92 },
  metrics: { port: 9090, path: '/prom', monitor: { labels: { release: 'prometheus' } } },
  webhooks: {
    certificates: 'cert-manager',
    conversion: [{ kind: shop }],
    validating: [{ name: 'owners.shops.example.com', rules: [rule] }],
    mutating: [
      {
        name: 'names.shops.example.com',
        rules: [rule],
        reinvocationPolicy: 'IfNeeded',
        path: '/n',
      },
    ],
  },
  network: { destinations: [{ ports: [5432], to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
  labels: { 'example.com/team': 'shops' },
  podLabels: { 'example.com/tier': 'control' },
  podAnnotations: { 'prometheus.io/scrape': 'true' },
};

export function objectsOfSpec(spec: OperatorSpec): Fields {
  return buildObjects(operatorParts(spec));
}

/** Returns the pod spec of an operator. */
export function podOf(spec: OperatorSpec): Fields {
  return objectsOfSpec(spec)['deployment'].spec.template.spec as Fields;
}
