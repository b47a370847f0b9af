import type { ArgoCDSource } from '../../../crds/tenantry/types.ts';
import { COMPARE_OPTIONS } from '../../argocd-keys.ts';
import type { Part } from '../../parts.ts';
import type { ApplicationSource, SyncPolicy } from '../api/types.ts';

/** Where the output is, with the folder filled in. */
export type OutputSource = ArgoCDSource & { readonly path: string };

const syncOptions = ['ServerSideApply=true', 'PrunePropagationPolicy=background'];

/**
 * How every Application of ours is synced: by itself, what goes from Git goes from the cluster, and what others
 * change is changed back.
 *
 * `ServerSideApply` leaves to others the fields that are theirs. A sync that failed is tried again until it succeeds, each
 * time with the newest revision, so that what cannot be applied holds up no later commit for longer than a minute. Attempts
 * never end: after the last one Argo CD would apply nothing more before the next commit, and change back nothing.
 * What is pruned in the background is gone at once; in the foreground, the default of Argo CD, it stays in force until
 * the garbage collector of the cluster comes to it, a RoleBinding, too.
 *
 * Not set: `FailOnSharedResource`, since what stays when an Application goes names that Application for ever, and
 * whoever is given it could not sync; and whoever may annotate an object of a tenant could keep the access that is taken
 * from him. No two of our Applications have the same object, as the generator sees to. `PruneLast`, with which access that was taken away
 * would wait for the health of workloads. `ApplyOutOfSyncOnly`, which saves little where folders are small.
 * `CreateNamespace`, since namespaces are rendered.
 */
export const syncPolicy: SyncPolicy = {
  automated: { prune: true, selfHeal: true },
  syncOptions,
  retry: {
    limit: -1,
    refresh: true,
    backoff: { duration: '5s', factor: 2, maxDuration: '1m' },
  },
};

/**
 * How a part of a tenant is synced. It waits for nothing: each part is a single wave without hooks.
 *
 * `SkipDryRunOnMissingResource`: an object of a kind that the cluster does not have fails alone. Without it nothing of the
 * Application is applied or pruned.
 * `allowEmpty`: where nothing is left, Argo CD prunes what there was. Not for namespaces, where the Tenant is always left.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/
 */
export function buildPartSyncPolicy(part: Part): SyncPolicy {
  return {
    ...syncPolicy,
    automated: { ...syncPolicy.automated, ...(part !== 'namespaces' && { allowEmpty: true }) },
    syncOptions: [...syncOptions, 'SkipDryRunOnMissingResource=true'],
  };
}

/**
 * A commit that changes nothing in the folder of a tenant costs its Applications nothing: without the paths, each commit lets
 * Argo CD compare every tenant anew (docs/argocd.md has what that takes). Never less than the whole folder: Argo CD asks Git
 * for the names of changed files, and Git names a file that was deleted only by the similar one that was added, which may lie
 * elsewhere. `tenant.yaml` changes with what is declared, and the files of a namespace stay, even empty, as long as it is
 * declared.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#manifest-paths-annotation
 */
export const folderOnly: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/manifest-generate-paths': '.',
};

/**
 * Whether the API server says what an object would become, before anything is synced: what it fills in is no difference
 * then, in items of lists neither. But where it refuses the change of one object that is there, nothing of the Application
 * is synced (ADR 86). Said either way: Argo CD may have a default of its own.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/
 */
export const serverSideDiff = (isOn: boolean): Readonly<Record<string, string>> => ({
  [COMPARE_OPTIONS]: `ServerSideDiff=${isOn}`,
});

/**
 * A folder of the repository, at the revision of the source.
 * @param subfolder the folder in it that is synced, which need not be there. Default: the files that lie in the folder itself
 */
export function buildSource(
  { repoURL, targetRevision }: OutputSource,
  path: string,
  subfolder?: string,
): ApplicationSource {
  return {
    repoURL,
    ...(targetRevision !== undefined && { targetRevision }),
    path,
    // Said so that the folder is read as manifests, whatever lies in it.
    directory:
      subfolder === undefined
        ? { include: '*.yaml' }
        : { recurse: true, include: `${subfolder}/*.yaml` },
  };
}

/** The path in the repository of something in the output. */
export function joinOutputPath({ path }: OutputSource, inside: string): string {
  return path === '.' ? inside : `${path}/${inside}`;
}
