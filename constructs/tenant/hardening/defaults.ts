import type { KubeObject } from '../../../kube/object.ts';
import { selectHardenedNamespaces } from './labels.ts';
import { podCreation, celPodList } from './pods.ts';
import { buildMutatingPolicy } from './policy.ts';

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

export const podDefaults: readonly KubeObject[] = [
  ...imagePullPolicyDefault,
  ...restrictedDefaults,
];
