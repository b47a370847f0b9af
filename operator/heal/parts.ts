import { TENANT_LABEL } from '../../kube/cascade-root.ts';
import type { KubeObject } from '../../kube/object.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { ResourceQuota } from '../../runtime/kinds/core.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import { identityOf } from '../../kube/identity.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import type { HealClient } from './heal-access.ts';

/**
 * The live quotas that may hold parts of a tenant's totals, as the API server has them now: those with its label,
 * and those of declared names whose label somebody took away. Only in its own namespaces, and in declared ones of
 * nobody: whoever may write elsewhere can write any label there, and keeps nobody from being healed by it.
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

/** Items of a list do not say their kind. */
function quota(one: Pick<Live, 'metadata'>): KubeObject {
  return { ...one, apiVersion: 'v1', kind: 'ResourceQuota' } as KubeObject;
}
