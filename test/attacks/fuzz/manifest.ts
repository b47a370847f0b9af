import fc from 'fast-check';
import { annotations, either, labels } from './attack.ts';
import * as dictionary from './dictionary.ts';

const kind = either(dictionary.manifestKinds);

/** Fields that controllers and the API server write, and that are not declared. */
const foreignMetadata = fc.constantFrom<object[]>(
  { finalizers: ['example.com/never'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'victim', uid: 'x' }] },
  { generateName: 'x-' },
  { managedFields: [] },
  { uid: 'x', resourceVersion: '1' },
  { selfLink: '/api/v1/namespaces/victim' },
  { deletionTimestamp: '2020-01-01T00:00:00Z' },
  { clusterName: 'eu2' },
);

const metadata = fc
  .record(
    {
      name: either({
        harmless: ['x', 'flags', 'kube-root-ca.crt', 'tenant-quota'],
        hostile: ['..', 'a/b', 'a%2fb', 'A', 'x:y', 'tenantry.dev'],
      }),
      namespace: either({
        harmless: ['mallory-dev'],
        hostile: ['mallory-prod', 'victim-prod', 'kube-system', ''],
      }),
      labels,
      annotations,
      more: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, foreignMetadata),
    },
    { requiredKeys: ['name'] },
  )
  .map(({ more, ...rest }) => ({ ...rest, ...more }));

const smuggled = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'owned' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
};

/** Top-level fields of an object: those of kinds, and those with which readers recognize lists. */
const body = fc.record(
  {
    data: fc.constantFrom(
      { a: 'b' },
      { script: 'x\n---\napiVersion: v1\nkind: Namespace\n' },
      { a: '+argocd:skip-file-rendering' },
    ),
    items: fc.constantFrom([], [smuggled], {}, 'x', null),
    Items: fc.constant([smuggled]),
    status: fc.constant({ phase: 'x' }),
    spec: fc.constantFrom(
      {},
      { externalIPs: ['1.1.1.1'] },
      { externalIPs: ['192.0.2.15'] },
      { externalIPs: ['192.0.2.16', '192.0.2.1'] },
      { containers: [], nodeName: 'control-1' },
      { type: 'ExternalName', externalName: 'x.victim' },
    ),
    type: fc.constantFrom('kubernetes.io/service-account-token', 'Opaque'),
    rules: fc.constant([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]),
    immutable: fc.constant(true),
  },
  { requiredKeys: [] },
);

/** Objects that the admission policies do not let users create. */
const kept = fc
  .constantFrom(
    { kind: 'Service', spec: { externalIPs: ['192.0.2.1'] } },
    { kind: 'Service', spec: { externalIPs: ['192.0.2.1', '192.0.2.16'] } },
    { kind: 'Service', spec: { externalIPs: '192.0.2.16' } },
    { kind: 'Service', spec: { type: 'NodePort' } },
    { kind: 'Service', spec: { type: 'LoadBalancer' } },
    { kind: 'Service', spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/public' } },
    ...[
      'api.example.com',
      'example.com',
      'api.example.org',
      'api.example.org.',
      'web.victim.svc',
      'web.victim.svc.cluster.local',
      'WEB.VICTIM.svc.',
      'api.victim.svc.example.com',
      'web.victim',
      'web.victim.',
      '10-0-0-1.victim.pod.example.com',
      '10.0.0.1.',
      '0x7f.1.',
      '2130706433',
      '::1',
      'localhost.',
      'metadata.google.internal.',
      '',
      '.',
    ].map((externalName) => ({ kind: 'Service', spec: { type: 'ExternalName', externalName } })),
    { kind: 'Secret', type: 'kubernetes.io/service-account-token' },
    { kind: 'Pod', spec: { containers: [], nodeName: 'control-1' } },
    { kind: 'Pod', spec: { containers: [], nodeSelector: { a: 'b' } } },
  )
  .map((one): object => ({ manifest: { apiVersion: 'v1', metadata: { name: 'kept' }, ...one } }));

const any = fc
  .tuple(kind, metadata, body, fc.constantFrom('manifest', 'manifest', 'manifest', 'file'))
  .map(([words, metadata, rest, field]): object => {
    if (field === 'file') return { file: 'resources/mallory.yaml' };
    const space = words.indexOf(' ');
    return {
      manifest: {
        apiVersion: words.slice(0, space),
        kind: words.slice(space + 1),
        metadata,
        ...rest,
      },
    };
  });

/** An item of `resources`; some only look like one. */
export const manifest = fc.oneof({ weight: 6, arbitrary: any }, kept);
