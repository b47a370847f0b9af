import type { KubeObject } from '@tenantry/kube/object';
import { ownerLabels } from '../ownership.ts';

interface ExtraMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Builds the metadata of an object in a tenant's namespace: its name, and its owner. */
export type MetadataFactory = (name: string, own?: ExtraMetadata) => KubeObject['metadata'];

export function createMetadataFactory(
  tenant: string,
  namespace: string,
  always: Readonly<Record<string, string>>,
): MetadataFactory {
  const owner = ownerLabels(tenant);
  const hasNone = Object.keys(always).length === 0;
  return (name, { labels, annotations } = {}) => ({
    ...((annotations || !hasNone) && { annotations: { ...annotations, ...always } }),
    labels: labels ? { ...labels, ...owner } : owner,
    name,
    namespace,
  });
}
