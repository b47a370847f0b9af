import type { KubeObject } from '../../../kube/object.ts';
import { selectHardenedNamespaces } from './labels.ts';
import { buildValidatingPolicy, type ResourceRule } from './policy.ts';

/** Nothing that these policies look at can be changed in a pod that is there. */
export const podCreation: ResourceRule = {
  apiGroups: [''],
  resources: ['pods'],
  operations: ['CREATE'],
};

/** ... but containers for debugging can be added. */
const debugContainerUpdate: ResourceRule = {
  apiGroups: [''],
  resources: ['pods/ephemeralcontainers'],
  operations: ['UPDATE'],
};

/** A list of a pod that may be absent. */
export const celPodList = (field: string): string => `object.spec.?${field}.orValue([])`;

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'];

/**
 * However an image gets into a pod, the registry is asked: for containers of all three kinds, and
 * for volumes that are images. The API server's plug-in AlwaysPullImages does so for all namespaces.
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

/** What a volume of a pod may be: a claim, or something that holds no data of its own for long. */
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
 * Storage by claims alone. Of what Pod Security `restricted` allows that leaves out `csi`, with
 * which a pod talks to a driver past every claim, and `ephemeral`, whose claim the controller
 * manager makes of a template that only the pod shows.
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
