/** A change of an object, with the fields in which the API server does not accept it, if any. */
export interface FixedCase {
  readonly what: string;
  readonly before: FixedObject;
  readonly after: object;
  readonly refused: readonly string[];
}

export interface FixedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

const RBAC = 'rbac.authorization.k8s.io';
const roleRef = (kind: string, name: string) => ({ apiGroup: RBAC, kind, name });
const subjects = (...names: string[]) =>
  names.map((name) => ({ apiGroup: RBAC, kind: 'User', name }));
const binding = { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' };
const quota = { apiVersion: 'v1', kind: 'ResourceQuota' };
const labels = { app: 'web' };
const podSpec = (image = 'example.com/web:1', fields: object = {}) => ({
  containers: [{ name: 'web', image }],
  ...fields,
});
const template = (image?: string, own: object = labels, fields?: object) => ({
  metadata: { labels: own },
  spec: podSpec(image, fields),
});
const selector = (matchLabels: object = labels) => ({ matchLabels });
const workload = (kind: string, spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  spec: { selector: selector(), template: template(), ...spec },
});
const other = { app: 'web', tier: 'front' };
const job = (spec: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: { template: template('example.com/web:1', labels, { restartPolicy: 'Never' }), ...spec },
});
const claim = (spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  spec: {
    accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
});
const service = (spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  spec: { selector: labels, ports: [{ name: 'http', port: 80 }], ...spec },
});
const text = (kind: string, fields: object) => ({ apiVersion: 'v1', kind, ...fields });
const volume = (name: string, storage = '1Gi', volumeMode?: string) => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
    ...(volumeMode && { volumeMode }),
  },
});
const withMemory = (more: object = {}) => {
  const resourceFieldRef = { resource: 'limits.memory', ...more };
  const env = [{ name: 'A', valueFrom: { resourceFieldRef } }];
  const [container] = podSpec().containers;
  const containers = [{ ...container, env }];
  return template('example.com/web:1', labels, { restartPolicy: 'Never', containers });
};

export const fixedCases: readonly FixedCase[] = [
  {
    what: 'another role of a RoleBinding',
    before: { ...binding, roleRef: roleRef('ClusterRole', 'edit'), subjects: subjects('ann') },
    after: { ...binding, roleRef: roleRef('ClusterRole', 'view'), subjects: subjects('ann') },
    refused: ['roleRef'],
  },
  {
    what: 'other people of a RoleBinding',
    before: { ...binding, roleRef: roleRef('ClusterRole', 'edit'), subjects: subjects('ann') },
    after: { ...binding, roleRef: roleRef('ClusterRole', 'edit'), subjects: subjects('bob') },
    refused: [],
  },
  {
    what: 'another scope of a quota',
    before: { ...quota, spec: { hard: { pods: '3' }, scopes: ['BestEffort'] } },
    after: { ...quota, spec: { hard: { pods: '3' }, scopes: ['NotBestEffort'] } },
    refused: ['spec.scopes'],
  },
  {
    what: 'a first scope of a quota',
    before: { ...quota, spec: { hard: { pods: '3' } } },
    after: { ...quota, spec: { hard: { pods: '3' }, scopes: ['NotBestEffort'] } },
    refused: ['spec.scopes'],
  },
  {
    what: 'the scopes of a quota in another order',
    before: { ...quota, spec: { hard: { pods: '3' }, scopes: ['BestEffort', 'NotTerminating'] } },
    after: { ...quota, spec: { hard: { pods: '3' }, scopes: ['NotTerminating', 'BestEffort'] } },
    refused: [],
  },
  {
    what: 'another bound and another scope selector of a quota',
    before: {
      ...quota,
      spec: {
        hard: { pods: '3' },
        scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] },
      },
    },
    after: {
      ...quota,
      spec: {
        hard: { pods: '4' },
        scopeSelector: { matchExpressions: [{ scopeName: 'NotBestEffort', operator: 'Exists' }] },
      },
    },
    refused: [],
  },
  ...['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'].flatMap((kind): FixedCase[] => [
    {
      what: `the selector of a ${kind}`,
      before: workload(kind),
      after: workload(kind, {
        selector: selector(other),
        template: template('example.com/web:1', other),
      }),
      refused: ['spec.selector'],
    },
    {
      what: `the image of a ${kind}`,
      before: workload(kind),
      after: workload(kind, { template: template('example.com/web:2') }),
      refused: [],
    },
  ]),
  {
    what: 'the Service, the claims and the order of a StatefulSet',
    before: workload('StatefulSet', {
      serviceName: 'a',
      podManagementPolicy: 'OrderedReady',
      volumeClaimTemplates: [volume('data')],
    }),
    after: workload('StatefulSet', {
      serviceName: 'b',
      podManagementPolicy: 'Parallel',
      volumeClaimTemplates: [volume('data'), volume('log')],
    }),
    refused: ['spec.serviceName', 'spec.volumeClaimTemplates', 'spec.podManagementPolicy'],
  },
  {
    what: 'the claims of a StatefulSet in other words',
    before: workload('StatefulSet', { volumeClaimTemplates: [volume('data')] }),
    after: workload('StatefulSet', {
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1024Mi' } },
            volumeMode: 'Filesystem',
            volumeName: '',
          },
        },
      ],
    }),
    refused: [],
  },
  {
    what: 'the size of a claim of a StatefulSet',
    before: workload('StatefulSet', { volumeClaimTemplates: [volume('data')] }),
    after: workload('StatefulSet', { volumeClaimTemplates: [volume('data', '2Gi')] }),
    refused: ['spec.volumeClaimTemplates'],
  },
  {
    what: 'how a claim of a StatefulSet is mounted',
    before: workload('StatefulSet', { volumeClaimTemplates: [volume('data')] }),
    after: workload('StatefulSet', { volumeClaimTemplates: [volume('data', '1Gi', 'Block')] }),
    refused: ['spec.volumeClaimTemplates'],
  },
  {
    what: 'a filled-in divisor of a Job is set explicitly',
    before: job({ template: withMemory() }),
    after: job({ template: withMemory({ divisor: '0' }) }),
    refused: [],
  },
  {
    what: 'a filled-in value of a StatefulSet is set explicitly',
    before: workload('StatefulSet'),
    after: workload('StatefulSet', { podManagementPolicy: 'OrderedReady', replicas: 2 }),
    refused: [],
  },
  {
    what: 'the image of a Job',
    before: job(),
    after: job({ template: template('example.com/web:2', labels, { restartPolicy: 'Never' }) }),
    refused: ['spec.template'],
  },
  {
    what: 'how a Job is complete',
    before: job({ completionMode: 'NonIndexed', completions: 1 }),
    after: job({ completionMode: 'Indexed', completions: 1 }),
    refused: ['spec.completionMode'],
  },
  {
    what: 'what a Job does of pods that fail',
    before: job(),
    after: job({
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }],
      },
    }),
    refused: ['spec.podFailurePolicy'],
  },
  {
    what: 'how many pods of a Job run at a time',
    before: job({ parallelism: 1 }),
    after: job({ parallelism: 2, suspend: true }),
    refused: [],
  },
  {
    what: 'the nodes of a Job that has not begun',
    before: job({ suspend: true }),
    after: job({
      suspend: true,
      template: template('example.com/web:1', labels, {
        restartPolicy: 'Never',
        nodeSelector: { pool: 'a' },
      }),
    }),
    refused: [],
  },
  {
    what: 'the access, the class and the mode of a claim',
    before: claim({ storageClassName: 'a', volumeMode: 'Filesystem' }),
    after: claim({
      accessModes: ['ReadWriteMany'],
      storageClassName: 'b',
      volumeMode: 'Block',
      selector: selector(),
    }),
    refused: ['spec.accessModes', 'spec.selector', 'spec.storageClassName', 'spec.volumeMode'],
  },
  {
    what: 'a filled-in value of a claim is set explicitly',
    before: claim({ storageClassName: 'a' }),
    after: claim({ storageClassName: 'a', volumeMode: 'Filesystem' }),
    refused: [],
  },
  {
    what: 'a Service without an address that gets one',
    before: service({ clusterIP: 'None' }),
    after: service({ clusterIP: '10.0.0.77' }),
    refused: ['spec.clusterIP'],
  },
  {
    what: 'the type of a Secret',
    before: text('Secret', { type: 'Opaque', stringData: { a: 'b' } }),
    after: text('Secret', { type: 'example.com/other', stringData: { a: 'b' } }),
    refused: ['type'],
  },
  {
    what: 'what is in a Secret',
    before: text('Secret', { type: 'Opaque', data: { a: 'YQ==' } }),
    after: text('Secret', { data: { a: 'Yg==' }, immutable: true }),
    refused: [],
  },
  ...['Secret', 'ConfigMap'].map((kind): FixedCase => ({
    what: `what is in a ${kind} that is immutable`,
    before: text(kind, { immutable: true, data: { a: 'YQ==' } }),
    after: text(kind, { data: { a: 'Yg==' } }),
    refused: ['immutable', 'data'],
  })),
];
