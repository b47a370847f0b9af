import type { KubeObject } from '../../../kube/object.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { buildApplications } from './applications.ts';
import { buildProjects } from './app-project.ts';

/**
 * Renders the objects in Argo CD's namespace that it needs to deploy from the tenant's repositories, the project first.
 * Nothing without a repository.
 */
export function renderArgoCDObjects(resolved: ResolvedTenant): KubeObject[] {
  return [...buildProjects(resolved), ...buildApplications(resolved)];
}
