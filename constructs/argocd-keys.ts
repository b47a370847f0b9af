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
