import { TENANT_LABEL } from '../../kube/holder.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { ResourceQuota } from '../../runtime/kinds/core.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import { identityOf } from '../../kube/identity.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import type { HealClient } from './heal-access.ts';

/**
 * Reads from the API server the live quotas that may hold parts of a tenant's totals. These are quotas with its label,
 * and quotas of declared names whose label was removed. Only quotas in its own namespaces and in declared namespaces
 * without an owner count. Anyone who may write elsewhere can set any label there, and must not block healing with it.
 */
export async function partsOf(
  { tenant, namespaces, objects: declared }: DeclaredState,
  objects: TenantObjects,
  client: HealClient,
): Promise<readonly KubeObject[]> {
  const isOwn = (namespace: string): boolean => {
    const holder = objects.tenantOf(namespace);
    return holder === tenant || (holder === undefined && namespaces.includes(namespace));
  };
  const labelled = (await labelledOf(tenant, client)).filter((one) =>
    isOwn(one.metadata.namespace!),
  );
  const found = new Set(labelled.map(identityOf));
  const quotas = declared.filter(({ kind }) => kind === 'ResourceQuota');
  const names = new Set(quotas.map(({ metadata }) => metadata.name));
  const places = new Set([...objects.namespacesOf(tenant), ...namespaces.filter(isOwn)]);
  const stripped = [...places]
    .flatMap((namespace) => objects.quotas(namespace))
    .filter(({ metadata }) => names.has(metadata.name))
    .map(({ metadata }) => metadata)
    .filter((metadata) => !found.has(identityOf(quota({ metadata }))));
  const read = await Promise.all(
    stripped.map((metadata) => client.get(ResourceQuota, metadata).catch(ifGone)),
  );
  return [...labelled, ...read.flatMap((one) => (one ? [quota(one)] : []))];
}

async function labelledOf(tenant: string, client: HealClient): Promise<KubeObject[]> {
  const labelSelector = `${TENANT_LABEL}=${tenant}`;
  const found: KubeObject[] = [];
  let page: string | undefined;
  do {
    const list = await client.list(ResourceQuota, { labelSelector, continue: page });
    found.push(...list.items.map(quota));
    page = list.continue;
  } while (page !== undefined);
  return found;
}

/** Sets the kind, which items of a list omit. */
function quota(one: Pick<Live, 'metadata'>): KubeObject {
  return { ...one, apiVersion: 'v1', kind: 'ResourceQuota' } as KubeObject;
}
