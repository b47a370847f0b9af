import type { Allowed } from '../../crds/types.ts';
import type { NamePath } from './name-path.ts';

/** A list of names in `allow` of a class that bounds what objects in its namespaces refer to. */
export interface AllowList {
  readonly field: AllowListField;
  /** What is listed, with its article: `a StorageClass`. */
  readonly what: string;
  /** The kinds that have such a name. */
  readonly kinds: readonly NamingKind[];
  /** Where pods have such names, in `spec`. Templates of pods have them at the same places. */
  readonly inPods?: readonly NamePath[];
  /** Where other objects have such names. */
  readonly inObjects?: readonly NamePath[];
  /** Names that no class has to list. */
  readonly builtin?: readonly string[];
  /** Kinds that must have a name, because a controller may otherwise choose one that is not listed. */
  readonly required?: readonly string[];
}

export type AllowListField =
  | 'images'
  | 'storageClasses'
  | 'volumeSnapshotClasses'
  | 'volumeAttributesClasses'
  | 'ingressClasses'
  | 'gatewayClasses'
  | 'runtimeClasses'
  | 'deviceClasses'
  | 'schedulers';

export interface NamingKind {
  readonly group: string;
  readonly kind: string;
  /** The resource, or a subresource of it that changes such names. */
  readonly resource: string;
}

/** Kinds that are pods or have a template of them. */
const withPods: readonly NamingKind[] = [
  { group: '', kind: 'Pod', resource: 'pods' },
  { group: '', kind: 'PodTemplate', resource: 'podtemplates' },
  { group: '', kind: 'ReplicationController', resource: 'replicationcontrollers' },
  { group: 'apps', kind: 'Deployment', resource: 'deployments' },
  { group: 'apps', kind: 'StatefulSet', resource: 'statefulsets' },
  { group: 'apps', kind: 'DaemonSet', resource: 'daemonsets' },
  { group: 'apps', kind: 'ReplicaSet', resource: 'replicasets' },
  { group: 'batch', kind: 'Job', resource: 'jobs' },
  { group: 'batch', kind: 'CronJob', resource: 'cronjobs' },
];

const claims: NamingKind = {
  group: '',
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
};

/** Returns the two places of a field of a claim: in its template for a StatefulSet, and in itself. */
const inClaims = (...field: NamePath): readonly NamePath[] => [
  field,
  ['spec', 'volumeClaimTemplates', '[]', ...field],
];

/** Returns the place of a field of a claim in the template that a pod has for an ephemeral volume. */
const inEphemeral = (...field: NamePath): NamePath => [
  'volumes',
  '[]',
  'ephemeral',
  'volumeClaimTemplate',
  ...field,
];

/** The annotation that Kubernetes still reads before `storageClassName`. */
const STORAGE_CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** The requests for devices: one class, or the first available of several. The last is that of v1beta1. */
const inRequests = (...spec: NamePath): readonly NamePath[] =>
  [
    ['exactly', 'deviceClassName'],
    ['firstAvailable', '[]', 'deviceClassName'],
    ['deviceClassName'],
  ].map((field) => [...spec, 'devices', 'requests', '[]', ...field]);

/** What has images, and where. */
export const IMAGES = {
  kinds: [...withPods, { group: '', kind: 'Pod', resource: 'pods/ephemeralcontainers' }],
  inPods: [
    ['containers', '[]', 'image'],
    ['initContainers', '[]', 'image'],
    ['ephemeralContainers', '[]', 'image'],
    ['volumes', '[]', 'image', 'reference'],
  ],
} as const satisfies Pick<AllowList, 'kinds' | 'inPods'>;

/** All lists, in the order of the reference. */
export const ALLOW_LISTS: readonly AllowList[] = [
  {
    field: 'images',
    what: 'an image',
    ...IMAGES,
  },
  {
    field: 'storageClasses',
    what: 'a StorageClass',
    kinds: [claims, ...withPods],
    inPods: [
      inEphemeral('spec', 'storageClassName'),
      inEphemeral('metadata', 'annotations', STORAGE_CLASS_ANNOTATION),
    ],
    inObjects: [
      ...inClaims('spec', 'storageClassName'),
      ...inClaims('metadata', 'annotations', STORAGE_CLASS_ANNOTATION),
    ],
  },
  {
    field: 'volumeSnapshotClasses',
    what: 'a VolumeSnapshotClass',
    kinds: [
      { group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', resource: 'volumesnapshots' },
    ],
    inObjects: [['spec', 'volumeSnapshotClassName']],
  },
  {
    field: 'volumeAttributesClasses',
    what: 'a VolumeAttributesClass',
    kinds: [claims, ...withPods],
    inPods: [inEphemeral('spec', 'volumeAttributesClassName')],
    inObjects: inClaims('spec', 'volumeAttributesClassName'),
    // Kubernetes means by it that there is none.
    builtin: [''],
  },
  {
    field: 'ingressClasses',
    what: 'an IngressClass',
    kinds: [{ group: 'networking.k8s.io', kind: 'Ingress', resource: 'ingresses' }],
    inObjects: [
      ['spec', 'ingressClassName'],
      ['metadata', 'annotations', 'kubernetes.io/ingress.class'],
    ],
    required: ['Ingress'],
  },
  {
    field: 'gatewayClasses',
    what: 'a GatewayClass',
    kinds: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', resource: 'gateways' }],
    inObjects: [['spec', 'gatewayClassName']],
  },
  {
    field: 'runtimeClasses',
    what: 'a RuntimeClass',
    kinds: withPods,
    inPods: [['runtimeClassName']],
    builtin: [''],
  },
  {
    field: 'deviceClasses',
    what: 'a DeviceClass',
    kinds: [
      { group: 'resource.k8s.io', kind: 'ResourceClaim', resource: 'resourceclaims' },
      {
        group: 'resource.k8s.io',
        kind: 'ResourceClaimTemplate',
        resource: 'resourceclaimtemplates',
      },
    ],
    inObjects: [...inRequests('spec'), ...inRequests('spec', 'spec')],
  },
  {
    field: 'schedulers',
    what: 'a scheduler',
    kinds: withPods,
    inPods: [['schedulerName']],
    builtin: ['', 'default-scheduler'],
  },
];

/** What a class lists; undefined if it lists nothing, which allows everything. */
export function listAllowed(
  { allow }: { readonly allow?: Allowed },
  { field }: AllowList,
): readonly string[] | undefined {
  return allow?.[field];
}
