import type { KubeObject } from '../../../kube/object.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { applicationObjects } from './applications.ts';
import { projectObjects } from './app-project.ts';

/**
 * What Argo CD needs, in its own namespace, to deploy from the tenant's repositories: the project
 * first. Nothing without a repository.
 */
export function argocdObjects(resolved: ResolvedTenant): KubeObject[] {
  return [...projectObjects(resolved), ...applicationObjects(resolved)];
}
