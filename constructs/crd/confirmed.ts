import type { CustomResourceDefinitionManifest } from '../../crds/custom-resource-definition.ts';
import { CONFIRM, SYNC_OPTIONS } from '../argocd-keys.ts';

/**
 * A definition of which Argo CD asks a person before it prunes or deletes it.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
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
