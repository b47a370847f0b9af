import { expect, test } from '@jest/globals';
import type { LimitItem } from '../../crds/quota.ts';
import type { ResourceEntry } from '../../crds/resources.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { collectFindings, type Given } from './given.ts';

const items: LimitItem[] = [
  {
    type: 'Container',
    default: { cpu: 1, memory: '512Mi' },
    defaultRequest: { cpu: '100m', memory: '128Mi' },
    max: { memory: '1Gi' },
    min: { memory: '16Mi' },
  },
  { type: 'Pod', max: { memory: '2Gi' } },
  { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
];
const hard = { 'limits.memory': '4Gi', 'requests.storage': '20Gi', pods: 10 };

type Resources = Readonly<Record<'requests' | 'limits', object>>;

const withResources = (resources?: Partial<Resources>, name = 'c') => ({
  name,
  image: 'example.com/c:1',
  ...(resources && { resources }),
});

const podSpec = (containers: object[], more: object = {}) => ({
  restartPolicy: 'Always',
  containers,
  ...more,
});

const deployment = (spec: object, replicas = 1, name = 'web') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec },
  },
});

const given = (...manifests: KubeObject[]): Given => ({
  tenant: {
    limits: { preset: 'none', items },
    quota: { preset: 'none', hard },
    resources: manifests.map((manifest): ResourceEntry => ({ manifest: { ...manifest } })),
  },
});

const at = (path: string, got: string): string =>
  `warning spec.resources[0].manifest.${path} must be admitted by the limits and quotas of namespace acme, got ${got}`;

const POD = 'spec.template.spec';

test.each<[string, object, string[]]>([
  ['that states nothing fits', podSpec([withResources()]), []],
  [
    'with a container above the max',
    podSpec([withResources({ limits: { memory: '1025Mi' } })]),
    [at(`${POD}.containers[0]`, 'a memory limit of 1025Mi, above max 1Gi of Container')],
  ],
  [
    'with a container below the min',
    podSpec([withResources({ requests: { memory: '8Mi' } })]),
    [at(`${POD}.containers[0]`, 'a memory request of 8Mi, below min 16Mi of Container')],
  ],
  [
    'with a request above the default limit',
    podSpec([withResources({ requests: { memory: '768Mi' } })]),
    [at(`${POD}.containers[0]`, 'a memory request of 768Mi, above its limit of 512Mi')],
  ],
  [
    'with an init container above the max',
    podSpec([withResources()], {
      initContainers: [withResources({ limits: { memory: '2Gi' } }, 'init')],
    }),
    [at(`${POD}.initContainers[0]`, 'a memory limit of 2Gi, above max 1Gi of Container')],
  ],
  [
    'with containers that are too large together',
    podSpec(['a', 'b', 'c'].map((name) => withResources({ limits: { memory: '1Gi' } }, name))),
    [at(POD, 'a memory limit of 3Gi, above max 2Gi of Pod')],
  ],
  [
    'with init containers that run one after another',
    podSpec([withResources({ limits: { memory: '1Gi' } })], {
      initContainers: ['a', 'b', 'c'].map((name) =>
        withResources({ limits: { memory: '1Gi' } }, name),
      ),
    }),
    [],
  ],
  [
    'with sidecars that run beside its containers',
    podSpec([withResources({ limits: { memory: '1Gi' } })], {
      initContainers: ['a', 'b'].map((name) => ({
        ...withResources({ limits: { memory: '1Gi' } }, name),
        restartPolicy: 'Always',
      })),
    }),
    [at(POD, 'a memory limit of 3Gi, above max 2Gi of Pod')],
  ],
])('a Deployment %s', (_what, spec, findings) => {
  expect(collectFindings(given(deployment(spec)))).toEqual(findings);
});

test('replicas that exceed the quota together are reported, and the largest number that fits is not', () => {
  const spec = podSpec([withResources({ limits: { memory: '1Gi' } })]);
  expect(collectFindings(given(deployment(spec, 4)))).toEqual([]);
  expect(collectFindings(given(deployment(spec, 0)))).toEqual([]);
  expect(collectFindings(given(deployment(spec, 5)))).toEqual([
    at(POD, '5 pods with 5Gi of limits.memory, above 4Gi of quota tenant-quota'),
  ]);
});

test('workloads that fit one by one and not together are reported at the quota', () => {
  const spec = podSpec([withResources({ limits: { memory: '1Gi' } })]);
  expect(collectFindings(given(deployment(spec, 2), deployment(spec, 2, 'api')))).toEqual([]);
  expect(collectFindings(given(deployment(spec, 2), deployment(spec, 3, 'api')))).toEqual([
    'warning spec.quota.hard["limits.memory"] must have room for all pods in resources, got 5Gi of limits.memory, above \'4Gi\' of quota tenant-quota',
  ]);
});

const large = podSpec([withResources({ limits: { memory: '2Gi' } })]);
const template = { metadata: { labels: { app: 'x' } }, spec: large };
const selector = { matchLabels: { app: 'x' } };
const job = { template: { spec: { ...large, restartPolicy: 'Never' } } };
const metadata = { name: 'x' };

test.each<[string, KubeObject]>([
  ['spec', { apiVersion: 'v1', kind: 'Pod', metadata, spec: large }],
  [POD, { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec: { selector, template } }],
  [
    POD,
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { selector, template, serviceName: 'x' },
    },
  ],
  [POD, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: job }],
  [
    'spec.jobTemplate.spec.template.spec',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata,
      spec: { schedule: '0 0 * * *', jobTemplate: { spec: job } },
    },
  ],
])('the pods at %s of each workload are compared', (path, manifest) => {
  expect(collectFindings(given(manifest))).toEqual([
    at(`${path}.containers[0]`, 'a memory limit of 2Gi, above max 1Gi of Container'),
  ]);
});

const claim = (storage: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

test('a volume claim outside of the bounds is reported, and one within them is not', () => {
  const path = 'spec.resources.requests.storage';
  expect(collectFindings(given(claim('1Gi')))).toEqual([]);
  expect(collectFindings(given(claim('1023Mi')))).toEqual([
    at(path, '1023Mi, below min 1Gi of PersistentVolumeClaim'),
  ]);
  expect(collectFindings(given(claim('11Gi')))).toEqual([
    at(path, '11Gi, above max 10Gi of PersistentVolumeClaim'),
  ]);
  const { apiVersion: _version, kind: _kind, ...one } = claim('10Gi');
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      selector,
      serviceName: 'x',
      replicas: 3,
      template: { metadata: template.metadata, spec: podSpec([withResources()]) },
      volumeClaimTemplates: [one],
    },
  };
  expect(collectFindings(given(set))).toEqual([
    at(
      `spec.volumeClaimTemplates[0].${path}`,
      '3 claims with 30Gi of requests.storage, above 20Gi of quota tenant-quota',
    ),
  ]);
});

test('a pod with pod-level resources is still compared container by container', () => {
  const resources = { limits: { memory: '1Gi' } };
  expect(collectFindings(given(deployment(podSpec([withResources()], { resources }), 20)))).toEqual(
    [],
  );
});

test('an object of another kind has no pods', () => {
  const data = { 'pod.yaml': 'spec: {}' };
  expect(collectFindings(given({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }))).toEqual(
    [],
  );
});

const namedClaim = (storage: string, name = 'data', spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
});

const service = (spec: object, name = 'web') => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }, { port: 443, name: 'b' }], ...spec },
});

const bounded = (bounds: Record<string, string | number>, ...manifests: KubeObject[]): string[] => {
  const { tenant } = given(...manifests);
  return collectFindings({
    tenant: { ...tenant, quota: { preset: 'none', hard: { ...hard, ...bounds } } },
  });
};

test('the claim of an ephemeral volume has the same bounds as every claim', () => {
  const spec = (storage: string) =>
    podSpec([withResources()], {
      volumes: [
        { name: 'v', ephemeral: { volumeClaimTemplate: { spec: namedClaim(storage).spec } } },
      ],
    });
  const path = `${POD}.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests.storage`;
  expect(collectFindings(given(deployment(spec('11Gi'))))).toEqual([
    at(path, '11Gi, above max 10Gi of PersistentVolumeClaim'),
  ]);
  expect(collectFindings(given(deployment(spec('9Gi'), 3)))).toEqual([
    at(path, '3 claims with 27Gi of requests.storage, above 20Gi of quota tenant-quota'),
  ]);
  expect(collectFindings(given(deployment(spec('11Gi'), 0)))).toEqual([]);
});

test('volume claims that fit one by one and not together are reported once', () => {
  const gold = { storageClassName: 'gold' };
  const [a, b] = [namedClaim('6Gi', 'a', gold), namedClaim('6Gi', 'b', gold)];
  const key = 'gold.storageclass.storage.k8s.io/requests.storage';
  expect(bounded({ [key]: '12Gi' }, a, b)).toEqual([]);
  expect(bounded({ [key]: '10Gi' }, a, b)).toEqual([
    `warning spec.quota.hard["${key}"] must have room for all volume claims in resources, got 12Gi of ${key}, above '10Gi' of quota tenant-quota`,
  ]);
  expect(bounded({ [key]: '10Gi' }, namedClaim('6Gi', 'a'), b)).toEqual([]);
});

test('claims that a workload creates count in addition to the declared ones', () => {
  const spec = podSpec([withResources()], {
    volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: namedClaim('1Gi').spec } } }],
  });
  for (const key of ['persistentvolumeclaims', 'count/persistentvolumeclaims']) {
    expect(bounded({ [key]: 2 }, deployment(spec), namedClaim('1Gi'))).toEqual([]);
    expect(bounded({ [key]: 1 }, deployment(spec), namedClaim('1Gi'))).toEqual([
      expect.stringContaining('must have room for all volume claims in resources, got 2 of'),
    ]);
  }
});

test.each<[string, object, Record<string, number>, string[]]>([
  ['inside the cluster', {}, { 'services.nodeports': 0, 'services.loadbalancers': 0 }, []],
  [
    'of node ports',
    { type: 'NodePort' },
    { 'services.nodeports': 1 },
    ['a Service with 2 of services.nodeports, above 1 of quota tenant-quota'],
  ],
  [
    'of a load balancer',
    { type: 'LoadBalancer' },
    { 'services.loadbalancers': 0, 'services.nodeports': 0 },
    [
      'a Service with 2 of services.nodeports, above 0 of quota tenant-quota, and 1 of services.loadbalancers, above 0 of quota tenant-quota',
    ],
  ],
  [
    'of a load balancer without node ports',
    { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
    { 'services.nodeports': 0 },
    [],
  ],
])('a Service %s uses the quota as the API server counts it', (_what, spec, bounds, words) => {
  expect(bounded(bounds, service(spec))).toEqual(words.map((one) => at('spec.type', one)));
});

test('load balancers that fit one by one and not together are reported', () => {
  const [a, b] = ['a', 'b'].map((name) => service({ type: 'LoadBalancer' }, name));
  expect(bounded({ 'services.loadbalancers': 1 }, a!, b!)).toEqual([
    'warning spec.quota.hard["services.loadbalancers"] must have room for all objects in resources, got 2 of services.loadbalancers, above 1 of quota tenant-quota',
  ]);
});

test('a quota without room for what a controller creates blocks the pods', () => {
  const web = deployment(podSpec([withResources()]));
  expect(bounded({ 'count/replicasets.apps': 1 }, web)).toEqual([]);
  expect(bounded({ 'count/replicasets.apps': 0 }, web)).toEqual([
    at('spec', 'a Deployment with 1 of count/replicasets.apps, above 0 of quota tenant-quota'),
  ]);
});

test('an extended resource needs a limit equal to its request', () => {
  const gpu = (resources: Partial<Resources>) =>
    collectFindings(given(deployment(podSpec([withResources(resources)]))));
  const key = 'nvidia.com/gpu';
  expect(gpu({ limits: { [key]: 1 } })).toEqual([]);
  expect(gpu({ requests: { [key]: 1 } })).toEqual([
    at(`${POD}.containers[0]`, `a ${key} request of 1 without a limit, which must be the same`),
  ]);
  expect(gpu({ requests: { [key]: 1 }, limits: { [key]: 2 } })).toEqual([
    at(
      `${POD}.containers[0]`,
      `a ${key} request of 1, below its limit of 2, which must be the same`,
    ),
  ]);
});
