import { NO_SKIP_MARKER, findSkipMarker } from '@tenantry/kube/argocd-directives';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';

/** Finds the text that Argo CD obeys, which no file of declarations may hold. */
export function findSteeringText(object: KubeObject): Finding[] {
  const path = findSkipMarker(object);
  return path ? [errorAt(path, NO_SKIP_MARKER, 'steering-text')] : [];
}
