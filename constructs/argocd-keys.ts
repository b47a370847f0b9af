/** What Argo CD is told of an object by its annotations. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/** Sync options: a person is asked before it is pruned, and before it goes with its Application. */
export const CONFIRM = 'Prune=confirm,Delete=confirm';
/** A compare option: once it is no longer in Git, it is no difference. */
export const QUIET = 'IgnoreExtraneous';

/**
 * A finalizer of Argo CD. An Application with it takes its objects along when it is deleted; an AppProject with it stays
 * as long as an Application names it.
 */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';
