import { groupOf, type KubeObject } from './object.ts';

/** The label that says which tenant an object belongs to. */
export const TENANT_LABEL = 'tenantry.dev/tenant';

/**
 * An object that takes along what nobody declared when it is deleted from a cluster: a Namespace,
 * and a Tenant, whose namespaces go with it.
 */
export interface CascadeRoot {
  readonly kind: 'Namespace' | 'Tenant';
  readonly name: string;
  /** The tenant whose Namespace it is, by its label; the empty text: none's, or it is a Tenant. */
  readonly tenant: string;
}

/** What an object holds, or undefined when nothing goes with it that is not declared. */
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
