const container = { name: 'a', image: 'registry.example.com/a' };
const pods = {
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } },
};
const deployment = (spec: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { ...pods, template: { ...pods.template, spec } },
});
const claim = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1024Mi' } },
};
const copied = { ...claim, dataSource: { kind: 'PersistentVolumeClaim', name: 'b' } };
const ports = [{ port: 80 }];

/**
 * Objects of built-in kinds, as charts write them, in which an API server changes values without a documented default.
 * Compared as written here, each of them stays OutOfSync.
 */
export const workloads: readonly {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: object;
}[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    spec: {
      ...pods,
      serviceName: 'a',
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: copied }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      ...pods,
      template: {
        ...pods.template,
        spec: {
          ...pods.template.spec,
          volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: copied } } }],
        },
      },
    },
  },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: copied },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    spec: { defaultBackend: { resource: { kind: 'ConfigMap', name: 'a' } } },
  },
  { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: '', ports } },
  { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: null, ports } },
  { apiVersion: 'v1', kind: 'Service', spec: { clusterIPs: [], ipFamilies: [], ports } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 0 }] },
  },
  deployment({
    containers: [
      {
        ...container,
        env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
      },
    ],
  }),
  deployment({
    containers: [
      { ...container, livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'X' }] } } },
    ],
  }),
  deployment({ containers: [container], serviceAccountName: 'b', serviceAccount: '' }),
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    spec: {
      spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'example.com' } }] } },
    },
  },
];

/** Objects that get one more port with each apply as written here, until Argo CD can no longer compare them. */
export const growing = ['', null].map((protocol) =>
  deployment({ containers: [{ ...container, ports: [{ containerPort: 53, protocol }] }] }),
);
