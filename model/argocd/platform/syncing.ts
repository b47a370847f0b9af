import type { ArgoCDSource } from '../../../crds/types.ts';
import { COMPARE_OPTIONS } from '@tenantry/kube/argocd-directives';
import type { Part } from '../../layout.ts';
import type { ApplicationSource, SyncPolicy } from '../api/types.ts';

/** The source of the output, with the folder filled in. */
export type OutputSource = ArgoCDSource & { readonly path: string };

const syncOptions = ['ServerSideApply=true', 'PrunePropagationPolicy=background'];

/**
 * How every Application of Tenantry is synced: automatically, with prune and self-heal.
 *
 * `ServerSideApply` leaves fields to their managers. A failed sync is retried until it succeeds, each time with the
 * newest revision. So objects that cannot be applied hold up later commits for at most a minute. Retries never end:
 * after a last one Argo CD would apply and heal nothing before the next commit. Objects pruned in the background are
 * gone at once. With foreground deletion, Argo CD's default, even a RoleBinding stays in force until the garbage
 * collector handles it.
 *
 * These options are not set:
 * - `FailOnSharedResource`: objects that stay when an Application is deleted name that Application for ever, and their
 *   next owner could not sync. Also, anyone who may annotate an object of a tenant could keep access that is revoked.
 *   The generator ensures that no two Applications of Tenantry have the same object.
 * - `PruneLast`: revoked access would wait for the health of workloads.
 * - `ApplyOutOfSyncOnly`: it saves little with small folders.
 * - `CreateNamespace`: namespaces are rendered.
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
 * Builds how a part of a tenant is synced. It waits for nothing: each part is a single wave without hooks.
 *
 * `SkipDryRunOnMissingResource`: an object of a kind that the cluster does not have fails alone. Without it nothing of
 * the Application would be applied or pruned. `allowEmpty`: Argo CD prunes the old objects when nothing is left. It is
 * not set for namespaces, where the Tenant always remains.
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
 * Limits refreshes of a tenant's Applications to commits that change the tenant's folder. Without the paths, each
 * commit makes Argo CD compare every tenant again (docs/argocd.md has the cost). The path is never less than the whole
 * folder. Argo CD reads the names of changed files from Git, and Git may report a deleted file only by the name of a
 * similar file added elsewhere. `tenant.yaml` changes with the declaration, and the files of a namespace exist, even
 * empty, as long as it is declared.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/#manifest-paths-annotation
 */
export const folderOnly: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/manifest-generate-paths': '.',
};

/**
 * Sets whether the API server computes, before a sync, what objects would become. Defaults are then no differences,
 * even in items of lists. But if the API server refuses the change of one existing object, nothing of the Application
 * is synced (ADR 86). The option is set in both cases, because Argo CD may have a default of its own.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/
 */
export const serverSideDiff = (isOn: boolean): Readonly<Record<string, string>> => ({
  [COMPARE_OPTIONS]: `ServerSideDiff=${isOn}`,
});

/**
 * Builds the source for a folder of the repository, at the revision of the output.
 * @param subfolder the folder in it to sync, which may be missing. Default: the files directly in the folder itself
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
    // It is set so that the folder is read as manifests, whatever files it contains.
    directory:
      subfolder === undefined
        ? { include: '*.yaml' }
        : { recurse: true, include: `${subfolder}/*.yaml` },
  };
}

/** Returns the path in the repository of something in the output. */
export function joinOutputPath({ path }: OutputSource, inside: string): string {
  return path === '.' ? inside : `${path}/${inside}`;
}
