/** The annotations that control how Argo CD treats an object. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * Sync options that require a person's confirmation before Argo CD prunes the object, or deletes it
 * with its Application.
 */
export const CONFIRM = 'Prune=confirm,Delete=confirm';
/** A compare option: Argo CD does not report the object as out of sync once it is no longer in Git. */
export const QUIET = 'IgnoreExtraneous';

/**
 * A finalizer of Argo CD. An Application with it takes its objects along when it is deleted; an AppProject with it stays
 * as long as an Application names it.
 */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

interface Manifest {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * Makes Argo CD require a person's confirmation before it prunes or deletes an object. Source:
 * https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function requireDeletionConfirmation<T extends Manifest>(manifest: T): T {
  const { annotations } = manifest.metadata;
  const existing = annotations?.[SYNC_OPTIONS]?.split(',') ?? [];
  const options = [...new Set([...existing, ...CONFIRM.split(',')])].join(',');
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...annotations, [SYNC_OPTIONS]: options } },
  };
}
