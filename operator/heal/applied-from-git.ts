import type { Live } from '../../runtime/kinds/kind.ts';

/**
 * The marks by which GitOps tools track the objects that they applied: Flux, and Argo CD with annotation or label
 * tracking.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 * Source: https://fluxcd.io/flux/components/kustomize/kustomizations/#garbage-collection
 */
const trackingKeys = {
  annotations: ['argocd.argoproj.io/tracking-id'],
  labels: ['app.kubernetes.io/instance', 'kustomize.toolkit.fluxcd.io/name'],
} as const;

/** Whether an object was applied from Git and will be pruned once it is removed there. */
export function isAppliedFromGit({ metadata: { annotations = {}, labels = {} } }: Live): boolean {
  return (
    trackingKeys.annotations.some((key) => Object.hasOwn(annotations, key)) ||
    trackingKeys.labels.some((key) => Object.hasOwn(labels, key))
  );
}
