import type { KubeObject } from '@tenantry/kube/object';

type SampleObject = Pick<KubeObject, 'apiVersion' | 'kind'> & Readonly<Record<string, unknown>>;

const container = {
  name: 'web',
  image: 'nginx:1.29',
  command: ['nginx', '-g'],
  args: ['daemon off;', ''],
  workingDir: '/srv',
  imagePullPolicy: 'IfNotPresent',
  stdin: false,
  tty: true,
  env: [
    { name: 'MODE', value: 'plain' },
    { name: 'EMPTY', value: '' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'FROM', valueFrom: { configMapKeyRef: { name: 'a', key: 'b', optional: false } } },
  ],
  envFrom: [{ prefix: 'X_', configMapRef: { name: 'all' } }],
  ports: [
    { name: 'http', containerPort: 80 },
    { name: 'dns', containerPort: 53, protocol: 'UDP', hostPort: 0 },
  ],
  resources: { requests: { cpu: '0.5', memory: '1Gi' }, limits: { memory: '2048Mi' } },
  livenessProbe: { httpGet: { path: '/', port: 'http' }, initialDelaySeconds: 0 },
  readinessProbe: { tcpSocket: { port: 80 }, periodSeconds: 5, failureThreshold: 4 },
  lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
  volumeMounts: [
    { name: 'cache', mountPath: '/cache' },
    { name: 'settings', mountPath: '/etc/settings', readOnly: false, subPath: 'a' },
  ],
  securityContext: {
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    runAsUser: 0,
    capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
  },
};

const podSpec = {
  containers: [container, { name: 'side', image: 'busybox', env: [] }],
  initContainers: [{ name: 'first', image: 'busybox', args: ['true'], resources: {} }],
  volumes: [
    { name: 'cache', emptyDir: {} },
    { name: 'settings', configMap: { name: 'settings', defaultMode: 0o400, optional: false } },
    { name: 'mixed', projected: { sources: [{ secret: { name: 's' } }] } },
  ],
  serviceAccountName: 'default',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  hostNetwork: false,
  shareProcessNamespace: false,
  hostname: '',
  priorityClassName: '',
  terminationGracePeriodSeconds: 10,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [
    { key: 'a', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'b', value: 'c', effect: 'NoExecute', tolerationSeconds: 0 },
  ],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 10,
          podAffinityTerm: {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { app: 'web' } },
            namespaceSelector: {},
          },
        },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b'] }],
  imagePullSecrets: [{ name: 'registry' }],
  securityContext: { runAsNonRoot: false, fsGroup: 0, sysctls: [] },
  dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
};

const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web', tier: '' }, annotations: {} }, spec: podSpec };
const jobPod = { ...podSpec, restartPolicy: 'Never' };
const job = {
  backoffLimit: 0,
  completions: 2,
  parallelism: 0,
  activeDeadlineSeconds: 60,
  ttlSecondsAfterFinished: 0,
  template: { metadata: { labels: { a: 'b' } }, spec: jobPod },
};
const metric = { type: 'Resource', resource: { name: 'cpu' } };
const scaled = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const claim = {
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
  storageClassName: '',
  volumeName: '',
  resources: { requests: { storage: '1024Mi' } },
  selector: { matchLabels: { a: 'b' } },
};

/** Objects with as many fields as possible, of kinds that tenants have in `resources`. */
export const samples: readonly SampleObject[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { a: 'b', 'empty.txt': '', 'two.lines': 'x\ny\n' },
    binaryData: { logo: 'aGVsbG8=' },
    immutable: false,
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    spec: {
      type: 'NodePort',
      clusterIP: '',
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http', nodePort: 0 },
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, targetPort: 5353 },
      ],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      publishNotReadyAddresses: false,
      internalTrafficPolicy: 'Local',
      externalIPs: ['192.0.2.1', '192.0.2.2'],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { type: 'ExternalName', externalName: 'db.example.com' },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 0,
      paused: false,
      minReadySeconds: 0,
      revisionHistoryLimit: 0,
      progressDeadlineSeconds: 300,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } },
      selector,
      template,
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: {
      replicas: 1,
      serviceName: '',
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      selector,
      template,
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    spec: { minReadySeconds: 3, updateStrategy: { type: 'OnDelete' }, selector, template },
  },
  { apiVersion: 'batch/v1', kind: 'Job', spec: { ...job, suspend: true } },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    spec: {
      schedule: '*/5 * * * *',
      timeZone: 'Etc/UTC',
      suspend: true,
      startingDeadlineSeconds: 0,
      successfulJobsHistoryLimit: 0,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: job },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: {
      ingressClassName: 'nginx',
      defaultBackend: { service: { name: 'web', port: { number: 80 } } },
      tls: [{ hosts: ['a.example.com', 'b.example.com'], secretName: 'tls' }],
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: 'web', port: { name: 'http' } } },
              },
              {
                path: '/x',
                pathType: 'Exact',
                backend: { service: { name: 'x', port: { number: 81 } } },
              },
            ],
          },
        },
        { host: 'b.example.com' },
      ],
    },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    spec: {
      scaleTargetRef: scaled,
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        {
          ...metric,
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'rate' }, target: { type: 'AverageValue', averageValue: '0.5' } },
        },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Min',
          policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
        },
      },
    },
  },
  {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    spec: { scaleTargetRef: scaled, maxReplicas: 5, targetCPUUtilizationPercentage: 70 },
  },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { ...claim, volumeMode: 'Block' } },
  { apiVersion: 'v1', kind: 'Pod', spec: { ...podSpec, nodeSelector: {} } },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', spec: { replicas: 0, selector, template } },
  { apiVersion: 'v1', kind: 'PodTemplate', template },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 10,
      renewTime: '2026-01-01T12:00:00.000000Z',
      leaseTransitions: 0,
    },
  },
];
