import type { KubeObject } from '../../../kube/object.ts';
import { selectHardenedNamespaces } from './labels.ts';
import { buildValidatingPolicy, type ResourceRule } from './policy.ts';

/** Selects the creation of pods. Nothing that these policies check can change in an existing pod. */
export const podCreation: ResourceRule = {
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
export const celPodList = (field: string): string => `object.spec.?${field}.orValue([])`;

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
