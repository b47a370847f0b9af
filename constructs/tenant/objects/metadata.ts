import type { KubeObject } from '../../../crds/object.ts';
import { ownerLabels } from '../ownership.ts';

interface Own {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Makes the metadata of an object in a tenant's namespace: its name, and whose it is. */
export type Metadata = (name: string, own?: Own) => KubeObject['metadata'];

export function metadataIn(tenant: string, namespace: string): Metadata {
  const owner = ownerLabels(tenant);
  return (name, { labels, annotations } = {}) => ({
    ...(annotations && { annotations }),
    labels: labels ? { ...labels, ...owner } : owner,
    name,
    namespace,
  });
}
