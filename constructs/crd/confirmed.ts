import type { CustomResourceDefinitionManifest } from '../../crds/customresourcedefinition.ts';

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/**
 * A definition of which Argo CD asks a person before it prunes or deletes it.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function confirmed(
  manifest: CustomResourceDefinitionManifest,
): CustomResourceDefinitionManifest {
  const { annotations } = manifest.metadata;
  const said = annotations?.[SYNC_OPTIONS]?.split(',') ?? [];
  const options = [...new Set([...said, 'Prune=confirm', 'Delete=confirm'])].join(',');
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...annotations, [SYNC_OPTIONS]: options } },
  };
}
