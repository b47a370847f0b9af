import type { KubeObject } from '@tenantry/kube/object';
import { celHasVersion } from '../allow-lists/images.ts';
import { IMAGES } from '../allow-lists/lists.ts';
import { buildNamePolicy } from './name-policy.ts';
import {
  hardeningLabel,
  selectHardenedNamespaces,
  buildValidatingPolicy,
  buildMutatingPolicy,
  type ResourceRule,
} from './policy.ts';

/** The first minor version that serves MutatingAdmissionPolicies of v1 (KEP-3962). */
const MUTATING_MINOR = 36;

/** Whether a cluster of a version has the policies that fill in defaults; a cluster without a version has none. */
export function servesMutatingPolicies(kubernetesVersion?: string): boolean {
  return Number(kubernetesVersion?.split('.')[1] ?? 0) >= MUTATING_MINOR;
}

/**
 * Builds the hardening policies and their bindings.
 * @param kubernetesVersion the version of the cluster, such as '1.36'. Default: one that serves no
 * MutatingAdmissionPolicy
 */
export function buildHardeningPolicies(kubernetesVersion?: string): readonly KubeObject[] {
  return [
    ...imagePullPolicy,
    ...imageVersion,
    ...podVolumes,
    ...newVolumes,
    ...reclaimedVolumes,
    ...(servesMutatingPolicies(kubernetesVersion) ? podDefaults : []),
  ];
}

/** Selects the creation of pods. Nothing that these policies check can change in an existing pod. */
const podCreation: ResourceRule = {
  apiGroups: [''],
  resources: ['pods'],
  operations: ['CREATE'],
};

/** Selects the exception: containers for debugging can be added to an existing pod. */
const debugContainerUpdate: ResourceRule = {
  apiGroups: [''],
  resources: ['pods/ephemeralcontainers'],
  operations: ['UPDATE'],
};

/** A list of a pod that may be absent. */
const celPodList = (field: string): string => `object.spec.?${field}.orValue([])`;

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/**
 * Requires that the registry is contacted for every image of a pod: for containers of all three kinds, and for image
 * volumes. The API server's plug-in AlwaysPullImages does the same for all namespaces.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#alwayspullimages
 */
export const imagePullPolicy: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-image-pull-policy.tenantry.dev',
  namespaceSelector: selectHardenedNamespaces('imagePullPolicy', 'Always'),
  rules: [podCreation, debugContainerUpdate],
  validations: [
    ...containerLists.map((field) => ({
      expression: `${celPodList(field)}.all(c, c.?imagePullPolicy.orValue('') == 'Always')`,
      message: `each of spec.${field} must have imagePullPolicy Always`,
    })),
    {
      expression: `${celPodList('volumes')}.all(v, !has(v.image) || v.image.?pullPolicy.orValue('') == 'Always')`,
      message: 'each of spec.volumes that is an image must have pullPolicy Always',
    },
  ],
});

const versionLabel = hardeningLabel.imageVersion;
const leastVersion = `namespaceObject.metadata.labels['${versionLabel}']`;

/**
 * Requires that each image has a version: in pods, and in the templates of every workload.
 */
export const imageVersion: readonly KubeObject[] = buildNamePolicy({
  name: 'tenant-image-version.tenantry.dev',
  namespaceSelector: { matchExpressions: [{ key: versionLabel, operator: 'Exists' }] },
  list: IMAGES,
  isAllowed: celHasVersion(leastVersion),
  message: `'an image must have ' + (${leastVersion} == 'Tag' ? 'a tag other than latest, or a digest' : 'a digest') + ', got ' + variables.refused[0]`,
});

/** The types of volumes that a pod may have: claims, and types that keep no data of their own for long. */
const volumeTypes = [
  'configMap',
  'downwardAPI',
  'emptyDir',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/**
 * Allows storage by claims only. Pod Security `restricted` allows two more types. With `csi` a pod talks to a driver
 * without a claim. The claim of an `ephemeral` volume is created by the controller manager from a template that only
 * the pod contains.
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
export const podVolumes: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-pod-volumes.tenantry.dev',
  namespaceSelector: selectHardenedNamespaces('storage', 'Claims'),
  rules: [podCreation],
  validations: [
    {
      expression: `${celPodList('volumes')}.all(v, ${volumeTypes.map((type) => `has(v.${type})`).join(' || ')})`,
      message: `each of spec.volumes must be one of ${volumeTypes.join(', ')}`,
    },
  ],
});

const claims: ResourceRule = {
  apiGroups: [''],
  resources: ['persistentvolumeclaims'],
  operations: ['CREATE', 'UPDATE'],
};

/** The controller that binds claims, with its own credentials or with those of the controller manager. */
const binders = [
  'system:serviceaccount:kube-system:persistent-volume-binder',
  'system:kube-controller-manager',
];

const namespaceSelector = selectHardenedNamespaces('storage', 'Claims');
const created = `request.operation == 'CREATE'`;

/** Whether this request sets or changes a field of the spec. Existing claims stay usable. */
const isNew = (field: string): string =>
  `(${created} || object.spec.?${field} != oldObject.spec.?${field})`;

/**
 * Requires that each claim gets a new volume. A claim can get an existing volume, with its data, in three ways: it
 * names the volume, selects it by label, or sets no StorageClass. The controller that binds a claim writes the name of
 * its volume. Nobody else may, because the name can be set as long as the claim is pending.
 * Source: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 */
export const newVolumes: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-new-volumes.tenantry.dev',
  namespaceSelector,
  rules: [claims],
  matchConditions: [
    {
      name: 'not-the-binder',
      expression: `${created} || !(request.userInfo.username in ${JSON.stringify(binders)})`,
    },
  ],
  validations: [
    {
      expression: `!${isNew('volumeName')} || object.spec.?volumeName.orValue('') == ''`,
      message: 'spec.volumeName must not be set: a claim gets a new volume',
    },
    {
      expression: `!${isNew('selector')} || !has(object.spec.selector)`,
      message: 'spec.selector must not be set: a claim gets a new volume',
    },
    {
      expression: `!${isNew('storageClassName')} || object.spec.?storageClassName.orValue('') != ''`,
      message: 'spec.storageClassName must name a StorageClass: a claim gets a new volume',
    },
  ],
});

/**
 * Requires that a volume is deleted with its claim, because another claim could bind a retained volume. A volume gets
 * the reclaim policy of its StorageClass, where the policy cannot be changed. Each claim is compared with every
 * StorageClass of the cluster.
 * Source: https://kubernetes.io/docs/concepts/storage/storage-classes/#reclaim-policy
 */
export const reclaimedVolumes: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-reclaim-policy.tenantry.dev',
  namespaceSelector,
  rules: [claims],
  params: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' },
  validations: [
    {
      expression: `!${isNew('storageClassName')} || object.spec.?storageClassName.orValue('') != params.metadata.name || params.?reclaimPolicy.orValue('Delete') == 'Delete'`,
      message: 'spec.storageClassName must name a StorageClass with reclaimPolicy Delete',
    },
  ],
});

/** The lists of containers that a new pod can have. */
const lists = ['containers', 'initContainers'];

/**
 * Sets Always over the value in a container, as AlwaysPullImages does. A container without a value already has
 * IfNotPresent when a policy sees it.
 */
const imagePullPolicyDefault = buildMutatingPolicy({
  name: 'tenant-image-pull-policy.tenantry.dev',
  namespaceSelector: selectHardenedNamespaces('imagePullPolicy', 'Always'),
  rules: [podCreation],
  mutations: lists.map((field) => {
    const type = `Object.spec.${field}`;
    return {
      apply: `Object{spec: Object.spec{${field}: ${celPodList(field)}.map(c, ${type}{name: c.name, imagePullPolicy: 'Always'})}}`,
    };
  }),
});

const pod = 'object.spec.?securityContext';
const container = 'c.?securityContext';

/** Defaults for the pod, which apply to all of its containers. */
const ofPod = `Object{spec: Object.spec{securityContext: Object.spec.securityContext{
  runAsNonRoot: ${pod}.?runAsNonRoot.orValue(true),
  seccompProfile: Object.spec.securityContext.seccompProfile{
    type: ${pod}.?seccompProfile.?type.orValue('RuntimeDefault')
  }
}}}`;

const noEscalation = (field: string): string => {
  const type = `Object.spec.${field}`;
  return `Object{spec: Object.spec{${field}: ${celPodList(field)}.map(c, ${type}{
  name: c.name,
  securityContext: ${type}.securityContext{
    allowPrivilegeEscalation: ${container}.?allowPrivilegeEscalation.orValue(false)
  }
})}}`;
};

/** Builds a JSON patch for capabilities: they are lists that are replaced as a whole, which an apply must not do. */
const noCapabilities = (field: string): string => {
  const type = `Object.spec.${field}.securityContext.capabilities`;
  return `${celPodList(field)}.transformList(i, c, !${container}.?capabilities.?drop.hasValue(), JSONPatch{
  op: 'add',
  path: '/spec/${field}/' + string(i) + '/securityContext/capabilities',
  value: ${type}{add: ${container}.?capabilities.?add.orValue([]), drop: ['ALL']}
})`;
};

/**
 * Fills in what Pod Security restricted requires where a pod sets nothing. Values that the pod sets are kept and
 * validated. Pods that would be admitted anyway are not changed.
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
 */
const restrictedDefaults = buildMutatingPolicy({
  name: 'tenant-pod-defaults.tenantry.dev',
  namespaceSelector: selectHardenedNamespaces('podDefaults', 'Restricted'),
  rules: [podCreation],
  matchConditions: [
    {
      // Most of these fields do not apply to Windows, and Pod Security does not require them there.
      name: 'not-windows',
      expression: `object.spec.?os.?name.orValue('') != 'windows'`,
    },
  ],
  mutations: [
    { apply: ofPod },
    ...lists.map((field) => ({ apply: noEscalation(field) })),
    ...lists.map((field) => ({ patch: noCapabilities(field) })),
  ],
});

const podDefaults: readonly KubeObject[] = [...imagePullPolicyDefault, ...restrictedDefaults];
