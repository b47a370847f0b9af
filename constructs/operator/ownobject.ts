import type { ApiObjectProps } from 'cdk8s';

/** Marks an object as part of Tenantry's own installation. */
export function ownObject(manifest: ApiObjectProps): ApiObjectProps {
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: {
        ...metadata?.labels,
        'app.kubernetes.io/managed-by': 'tenantry',
        'app.kubernetes.io/part-of': 'tenantry',
      },
    },
  };
}
