import type { Body } from '@tenantry/testing/controlplane/objects';

/** An object of one of Kubernetes' own kinds, in a namespace that there is. */
export type Fields = Readonly<Record<string, unknown>>;

function objects(type: string, ...all: readonly Fields[]): Body[] {
  const slash = type.lastIndexOf('/');
  const [apiVersion, kind] = [type.slice(0, slash), type.slice(slash + 1)];
  return all.map(
    (fields) =>
      ({ apiVersion, kind, metadata: { name: 'a', namespace: 'default' }, ...fields }) as Body,
  );
}

const each = (values: readonly unknown[], around: (value: unknown) => Fields): Fields[] =>
  values.map(around);

const anything = [null, '', 'x', '5', 5, 1.5, true, [], {}, ['x'], { x: 'y' }];

const words = (text: string): string[] => text.trim().split(/\s+/);

const quantities = [
  ...anything,
  ...words(`1 1.5 .5 1. . + - -1 +1 1m 1Ki 1K 1ki 1kb 1e3 1E3 1e 1E Ki m 1e-3 1e+3 1e3.5 0x10 1Gi1
    --1 1_000 1,5 1e400 १ Inf`),
  '1 Gi',
  ' 1Gi ',
  '9'.repeat(40),
  1e30,
  1e-7,
  -0,
];

const times = [
  ...anything,
  ...words(`2026-01-31T12:00:00Z 2026-01-31T12:00:00.5Z 2026-01-31T12:00:00,5Z 2026-01-31T12:00:00.Z
    2026-01-31T12:00:00.123456Z 2026-01-31T12:00:00,123456+01:00 2026-01-31T12:00:00.1234567Z
    2026-01-31T12:00:00.000000Z 2026-01-31t12:00:00z 2026-01-31T1:00:00Z 2026-01-31T24:00:00Z
    2026-01-31T12:60:00Z 2026-01-31T12:00:60Z 2026-02-29T12:00:00Z 2024-02-29T12:00:00Z
    2000-02-29T12:00:00Z 1900-02-29T12:00:00Z 2026-04-31T12:00:00Z 2026-13-01T12:00:00Z
    2026-00-01T12:00:00Z 2026-01-00T12:00:00Z 2026-01-31T12:00:00 2026-01-31T12:00Z 2026-01-31
    0000-01-01T00:00:00Z 2026-01-31T12:00:00+24:00 2026-01-31T12:00:00+25:00
    2026-01-31T12:00:00-01:60 2026-01-31T12:00:00-01:61 2026-01-31T12:00:00+0100`),
  '2026-01-31 12:00:00Z',
  ' 2026-01-31T12:00:00Z',
];

const base64 = [
  ...anything,
  ...words('YQ== YQ= YQ Y YR== YWI= YWJj YQ==YQ== YW-_ ==== = YWJjZA=='),
  'YQ==\n',
  'Y\nQ==',
  'YQ=\r\n=',
  '\nYQ==',
  'YQ= =',
  [97],
  [256],
  [1.5],
  ['a'],
];

const bits = [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, 1e30];
const numbers = [...bits, null, '', '3', 3, -3, 1.5, true, [], {}];

const container = (more: Fields): Fields => ({ containers: [{ name: 'a', image: 'a', ...more }] });
const pod = (spec: Fields, metadata: unknown = { labels: { a: 'b' } }): Fields => ({
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata, spec } },
});

const configMaps = objects(
  'v1/ConfigMap',
  {},
  { dta: {} },
  { Data: {} },
  { spec: {} },
  { constructor: 1 },
  { metadata: { name: 'a', namespace: 'default', lables: {} } },
  { metadata: { name: 'a', namespace: 'default', labels: { a: 1 } } },
  { metadata: { name: 'a', namespace: 'default', labels: { a: null }, annotations: null } },
  ...each(anything, (data) => ({ data })),
  ...each(anything, (a) => ({ data: { a } })),
  ...each(anything, (immutable) => ({ immutable })),
  ...each(base64, (a) => ({ binaryData: { a } })),
);

const workloads = [
  ...objects(
    'apps/v1/Deployment',
    pod(container({})),
    pod(container({ imag: 'a' })),
    pod(container({ Image: 'a' })),
    pod({ ...container({}), dnsPolicy: 'x', toString: 1 }),
    pod(container({ args: [null] })),
    pod(container({ volumeDevices: [null] })),
    pod({ ...container({}), tolerations: [null] }),
    { ...pod(container({})), status: { replicas: 'x' } },
    { ...pod(container({})), status: { replica: 1 } },
    ...each(anything, (spec) => ({ spec })),
    ...each(numbers, (replicas) => ({
      spec: { ...(pod(container({}))['spec'] as Fields), replicas },
    })),
    ...each(numbers, (runAsUser) => pod(container({ securityContext: { runAsUser } }))),
    ...each(anything, (containers) => pod({ containers })),
    ...each(anything, (one) => pod({ containers: [one] })),
    ...each(anything, (value) => pod(container({ env: [{ name: 'a', value }] }))),
    ...each(anything, (emptyDir) => pod({ ...container({}), volumes: [{ name: 'a', emptyDir }] })),
    ...each(anything, (a) => pod({ ...container({}), nodeSelector: { a } })),
    ...each(anything, (metadata) => pod(container({}), metadata)),
    ...each([...anything, 2_147_483_648, -1, 80, '80'], (port) =>
      pod(container({ readinessProbe: { httpGet: { port } } })),
    ),
    ...each(quantities, (cpu) => pod(container({ resources: { limits: { cpu } } }))),
    ...each(times, (creationTimestamp) =>
      pod(container({}), { labels: { a: 'b' }, creationTimestamp }),
    ),
    pod(container({}), { labels: { a: 'b' }, managedFields: [{ fieldsV1: { 'f:a': {} } }] }),
    pod(container({}), { labels: { a: 'b' }, ownerReferences: [{ apiVersion: 'v1', nam: 'x' }] }),
  ),
  ...objects(
    'apps/v1/StatefulSet',
    {
      spec: {
        ...(pod(container({}))['spec'] as Fields),
        serviceName: 'a',
        volumeClaimTemplates: [{ metadata: { name: 'a' }, spec: { accessModes: ['x'], sise: 1 } }],
      },
    },
    ...each([...anything, '50%'], (maxUnavailable) => ({
      spec: {
        ...(pod(container({}))['spec'] as Fields),
        updateStrategy: { rollingUpdate: { maxUnavailable } },
      },
    })),
  ),
  ...objects(
    'batch/v1/CronJob',
    {
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: container({}) } } } },
    },
    { spec: { schedule: 5 } },
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { backofLimit: 1 } } } },
  ),
  ...objects(
    'batch/v1/Job',
    { spec: { parallelism: '1' } },
    { spec: { template: { spec: container({ args: [1] }) } } },
  ),
  ...objects('apps/v1/ControllerRevision', ...each(anything, (data) => ({ data, revision: 1 }))),
  ...objects(
    'v1/Pod',
    { spec: container({ ports: [{ containerPort: '80' }] }) },
    { spec: { ...container({}), nodename: 'x' } },
  ),
];

const others = [
  ...objects(
    'v1/Service',
    { spec: { ports: [{ port: 80, targetPort: 'web' }] } },
    { spec: { ports: [{ port: '80' }] } },
    { spec: { ports: { port: 80 } } },
    { spec: { ports: [{ port: 80, protokol: 'TCP' }] } },
    { spec: { selector: { a: 1 }, ports: [{ port: 80 }] } },
    { spec: { selector: 'a', ports: [{ port: 80 }] } },
  ),
  ...objects(
    'networking.k8s.io/v1/Ingress',
    { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
    { spec: { defaultBackend: { service: { name: 'a', port: { number: '80' } } } } },
    { spec: { defaultBackend: { serviceName: 'a', servicePort: 80 } } },
    { spec: { rules: [{ host: 'a', http: { paths: [{ path: '/', pathTyp: 'Prefix' }] } }] } },
    { spec: { tls: 'yes' } },
  ),
  ...objects(
    'v1/PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    { spec: { accessModes: 'ReadWriteOnce' } },
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: true } } } },
    { spec: { storageclassName: 'a' } },
  ),
  ...objects(
    'autoscaling/v1/HorizontalPodAutoscaler',
    { spec: { metrics: [] } },
    { spec: { maxReplicas: 1 } },
  ),
  ...objects(
    'autoscaling/v2/HorizontalPodAutoscaler',
    { spec: { metrics: [] } },
    { spec: { maxReplica: 1 } },
  ),
  ...objects('v1/Event', ...each(times, (firstTimestamp) => ({ firstTimestamp }))),
  ...objects(
    'coordination.k8s.io/v1/Lease',
    ...each(times, (renewTime) => ({ spec: { renewTime } })),
  ),
  ...objects(
    'v1/Secret',
    ...each(['YQ==', 'YQ', 5], (a) => ({ data: { a } })),
    { stringData: { a: 5 } },
    { typ: 'a' },
  ),
  ...objects('v1/Endpoints', { subsets: [{ ports: [{ port: '1' }] }] }, { subset: [] }),
  ...objects(
    'discovery.k8s.io/v1/EndpointSlice',
    { addressType: 'IPv4', endpoints: [{ address: [] }] },
    { addressType: 'IPv4', endpoints: [] },
  ),
  ...objects(
    'networking.k8s.io/v1/NetworkPolicy',
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 1.5 }] }] } },
    { spec: { podSelecto: {} } },
  ),
  ...objects(
    'rbac.authorization.k8s.io/v1/Role',
    { rules: [{ verbs: 'get' }] },
    { rules: [{ verb: ['get'] }] },
    { rules: null },
  ),
  ...objects(
    'resource.k8s.io/v1/ResourceClaim',
    { spec: { devices: { config: [{ opaque: { driver: 'a', parameters: 5 } }] } } },
    { spec: { devices: { request: [] } } },
  ),
  ...objects('apps/v2/Deployment', {}),
  ...objects('v1/Widget', {}),
];

export const builtinObjects: readonly Body[] = [...configMaps, ...workloads, ...others];
