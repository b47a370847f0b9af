import { groupOf, type KubeObject } from './object.ts';

/** The label that names the tenant of an object. */
export const TENANT_LABEL = 'tenantry.dev/tenant';

/**
 * An object whose deletion from a cluster also deletes undeclared objects: a Namespace, and a Tenant, whose namespaces
 * are deleted with it.
 */
export interface CascadeRoot {
  readonly kind: 'Namespace' | 'Tenant';
  readonly name: string;
  /** The tenant of the Namespace, by its label; empty if it has none, or if the object is a Tenant. */
  readonly tenant: string;
}

/** Returns the cascade of an object, or undefined if its deletion deletes no undeclared objects. */
export function findCascadeRoot({
  apiVersion,
  kind,
  metadata,
}: KubeObject): CascadeRoot | undefined {
  const group = groupOf(apiVersion);
  if (kind === 'Tenant' && group === 'tenantry.dev')
    return { kind, name: metadata.name, tenant: '' };
  if (kind !== 'Namespace' || group !== '') return undefined;
  return { kind, name: metadata.name, tenant: metadata.labels?.[TENANT_LABEL] ?? '' };
}
