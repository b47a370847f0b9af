import { didYouMean, findNearest, show } from '@tenantry/kube/problem';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import {
  withCluster as opened,
  type ClusterOptions,
  type OpenedCluster,
} from '../cluster/with-cluster.ts';
import { UsageError } from '../usage-error.ts';
import type { LiveTenant } from './tenant-summary.ts';

export type { ClusterOptions } from '../cluster/with-cluster.ts';

/**
 * Runs a function with a client of the cluster and closes the client.
 * @throws {UsageError} when the cluster does not exist, does not answer, refuses, or has no tenants
 */
export function withCluster<T>(
  options: ClusterOptions,
  run: (cluster: OpenedCluster) => Promise<T>,
): Promise<T> {
  return opened(options, run, explainError);
}

/** Lists the Tenants of the cluster. */
export async function listTenants(client: Client): Promise<readonly LiveTenant[]> {
  const tenants: LiveTenant[] = [];
  for await (const { items } of listPages(client, Tenant)) tenants.push(...items);
  return tenants;
}

/**
 * Reads one Tenant.
 * @throws {UsageError} when no Tenant has the name
 */
export async function getTenant(client: Client, name: string): Promise<LiveTenant> {
  if (!/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name)) {
    throw new UsageError(`the tenant must be the name of a Tenant, got ${show(name)}`);
  }
  try {
    return await client.get(Tenant, { name });
  } catch (error) {
    if (!(error instanceof ApiError && error.isNotFound && error.details.name === name))
      throw error;
    // The right to read one Tenant does not include the right to list them.
    const known = await listTenants(client).catch(() => []);
    const hint = didYouMean(
      findNearest(
        name,
        known.map(({ metadata }) => metadata.name),
      ),
    );
    const message = `the tenant must be one of the cluster, got ${show(name)}${hint}`;
    throw new UsageError(message, { cause: error });
  }
}

const tenants = `${Tenant.plural}.${Tenant.group}`;

/** Explains why the cluster refused to return Tenants. */
function explainError(error: ApiError, server: string): string | undefined {
  if (error.isNotFound) {
    return `the cluster must have Tenants, got no definition of ${tenants} at ${server}: apply what Tenantry renders to crds/`;
  }
  const { kind = Tenant.plural } = error.details;
  if (error.isForbidden && kind !== Tenant.plural) {
    return `--live must be allowed to read what tenants consist of, got: ${escapeForTerminal(error.message)}`;
  }
  if (error.isForbidden) {
    return `you must be allowed to get, list and watch ${tenants}, got: ${escapeForTerminal(error.message)}; ask for the ClusterRole tenantry-tenant-reader of docs/operator.md`;
  }
  return undefined;
}
