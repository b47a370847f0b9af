import type { CustomResourceDefinitionManifest } from '../../crds/custom-resource-definition.ts';
import { CONFIRM, SYNC_OPTIONS } from '../argocd-keys.ts';

/**
 * Makes Argo CD require a person's confirmation before it prunes or deletes a definition. Source:
 * https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function requireDeletionConfirmation(
  manifest: CustomResourceDefinitionManifest,
): CustomResourceDefinitionManifest {
  const { annotations } = manifest.metadata;
  const existing = annotations?.[SYNC_OPTIONS]?.split(',') ?? [];
  const options = [...new Set([...existing, ...CONFIRM.split(',')])].join(',');
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...annotations, [SYNC_OPTIONS]: options } },
  };
}
