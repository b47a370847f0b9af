import type { Live } from '../../runtime/kinds/kind.ts';

/**
 * Marks by which those who apply what is in Git know again what they applied: Argo CD, which is told to track by an
 * annotation or by a label, and Flux.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 * Source: https://fluxcd.io/flux/components/kustomize/kustomizations/#garbage-collection
 */
const trackingKeys = {
  annotations: ['argocd.argoproj.io/tracking-id'],
  labels: ['app.kubernetes.io/instance', 'kustomize.toolkit.fluxcd.io/name'],
} as const;

/** Whether somebody applied an object from Git, and will delete it when it is there no more. */
export function isAppliedFromGit({ metadata: { annotations = {}, labels = {} } }: Live): boolean {
  return (
    trackingKeys.annotations.some((key) => Object.hasOwn(annotations, key)) ||
    trackingKeys.labels.some((key) => Object.hasOwn(labels, key))
  );
}
