import { RESOURCES_FINALIZER } from '../argocd-keys.ts';

/**
 * What happens to the objects of an Application that is deleted. `Cascade`: they are deleted first, and objects wait
 * for their dependents. `CascadeInBackground`: they are deleted first, and the garbage collector deletes their
 * dependents. `Orphan`: they stay as they are and nobody removes them, access included.
 */
export type ApplicationDeletion = 'Cascade' | 'CascadeInBackground' | 'Orphan';

/** Returns the finalizers of an Application for a kind of deletion. */
export function finalizersOf(deletion: ApplicationDeletion): readonly string[] {
  if (deletion === 'Orphan') return [];
  return [deletion === 'Cascade' ? RESOURCES_FINALIZER : `${RESOURCES_FINALIZER}/background`];
}

/** The finalizers that keep a project as long as an Application names it. */
export const PROJECT_FINALIZERS: readonly string[] = [RESOURCES_FINALIZER];
