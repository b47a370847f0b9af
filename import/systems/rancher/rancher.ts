import type { SystemSource, TenancySystem } from '../tenancy-system.ts';
import { addBounds, BOUNDS_LABEL } from './project-bounds.ts';
import { bindSubjects, isRancherBinding } from './project-bindings.ts';
import { dropRancherKeys, readProjects } from './projects.ts';
import { PROJECT_ID, RANCHER, rancherKinds } from './rancher-kinds.ts';

/**
 * Rancher: the namespaces of a project are a tenant. Its Projects, bindings and RoleTemplates are in the management
 * cluster, and are exported from there.
 *
 * Source: github.com/rancher/rancher (v2.12 to v2.14)
 */
export const rancher: TenancySystem = {
  name: RANCHER,
  kinds: rancherKinds,
  isMade: (object) =>
    isRancherBinding(object) || object.metadata.labels?.[BOUNDS_LABEL] !== undefined,
  translate(source, translation) {
    if (!isInUse(source)) return;
    const projects = readProjects(source, translation);
    addBounds(projects, source, translation);
    bindSubjects(projects, source, translation);
    dropRancherKeys(projects, source, translation);
    for (const { found } of source.objectsOf('ClusterRoleTemplateBinding')) {
      translation.leaveOut(
        found,
        'it grants rights in a whole cluster, which no tenant has: keep them as ClusterRoleBindings of the platform',
      );
    }
  },
};

/** Most sources have nothing of Rancher, and pay nothing for it. */
function isInUse({ objectsOf, namespaces }: SystemSource): boolean {
  return (
    rancherKinds.some(({ kind }) => objectsOf(kind).length > 0) ||
    namespaces.some(({ object }) => PROJECT_ID in (object.metadata.annotations ?? {}))
  );
}
