import type { PeoplePolicy } from './policy.ts';

/**
 * A pod with `nodeName` is on that node without having been scheduled, past taints, affinity and
 * capacity. Asked of the pod itself, and so of Kubernetes' controllers too: what stands in the
 * template of a Deployment, or of a kind that nobody knows here, comes to nothing. The DaemonSet
 * controller leaves the choice to the scheduler; kubelets, who make mirrors of static pods, are exempt.
 * Source: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename
 */
export const pods: PeoplePolicy = {
  concern: 'pods',
  rules: [{ apiGroups: [''], resources: ['pods'], operations: ['CREATE'] }],
  exemptsControllers: false,
  validations: [
    {
      expression: "object.spec.?nodeName.orValue('') == ''",
      message:
        "'a pod must have no nodeName, got ' + object.spec.nodeName + ': the scheduler chooses the node (nodeSelector and affinity guide it)'",
    },
  ],
};
