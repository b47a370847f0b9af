import type { KubeObject } from '@tenantry/kube/object';

/** Marks an object as part of Tenantry's own installation. */
export function addTenantryLabels(manifest: KubeObject): KubeObject {
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        'app.kubernetes.io/managed-by': 'tenantry',
        'app.kubernetes.io/part-of': 'tenantry',
      },
    },
  };
}
