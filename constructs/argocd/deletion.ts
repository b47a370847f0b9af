import { RESOURCES_FINALIZER } from '../argocd-keys.ts';

/**
 * What becomes of the objects of an Application that is deleted. `Cascade`: they are deleted first, and what stands on
 * others waits for them; `CascadeInBackground`: they are deleted first, by the garbage collector where they belong to
 * each other; `Orphan`: they stay as they are, and nobody removes them, rights neither.
 */
export type ApplicationDeletion = 'Cascade' | 'CascadeInBackground' | 'Orphan';

/** The finalizers of an Application that goes like that. */
export function finalizersOf(deletion: ApplicationDeletion): readonly string[] {
  if (deletion === 'Orphan') return [];
  return [deletion === 'Cascade' ? RESOURCES_FINALIZER : `${RESOURCES_FINALIZER}/background`];
}

/** A project with it stays as long as an Application names it. */
export const PROJECT_FINALIZERS: readonly string[] = [RESOURCES_FINALIZER];
