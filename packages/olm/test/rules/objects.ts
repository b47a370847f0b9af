const container = {
  name: 'manager',
  image: 'a',
  args: ['--x'],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
    { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  envFrom: [{ prefix: 'P', secretRef: { name: 's' } }],
  ports: [{ containerPort: 80, protocol: 'TCP', name: 'web' }],
  resources: { requests: { cpu: '10m', memory: 1 }, limits: { cpu: 1 } },
  livenessProbe: { httpGet: { path: '/', port: 'web', scheme: 'HTTP' }, periodSeconds: 3 },
  readinessProbe: { exec: { command: ['a'] }, failureThreshold: 2 },
  lifecycle: { preStop: { httpGet: { path: '/', port: 1 } } },
  securityContext: { runAsUser: 1, capabilities: { drop: ['ALL'] }, privileged: false },
  volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }],
};

const arm = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] };

/** A Deployment with many fields, with values of every type. */
export const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'a',
    labels: { a: 'b' },
    creationTimestamp: '2026-01-31T12:00:00Z',
    ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', controller: true }],
    finalizers: ['f'],
    generation: 1,
  },
  spec: {
    replicas: 1,
    paused: false,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
    selector: { matchLabels: { a: 'b' }, ...arm },
    template: {
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
      spec: {
        serviceAccountName: 's',
        terminationGracePeriodSeconds: 10,
        nodeSelector: { a: 'b' },
        tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 1 }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [arm] },
          },
        },
        volumes: [
          { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
          {
            name: 'c',
            configMap: { name: 'c', defaultMode: 420, items: [{ key: 'k', path: 'p' }] },
          },
          { name: 'p', projected: { sources: [{ secret: { name: 's', optional: true } }] } },
        ],
        containers: [container],
      },
    },
  },
};

/** A Role with a rule that has everything except paths. */
export const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'a', namespace: 'b', annotations: { a: 'b' } },
  rules: [{ apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] }],
};
