import { InvalidInput, brief, didYouMean, nearest, show } from '../../kube/problem.ts';
import { printable } from '../../kube/printable.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '../../runtime/client/client.ts';
import { openClient, type OpenedClient } from '../../runtime/client/openclient.ts';
import { pagesOf } from '../../runtime/client/pages.ts';
import { connectionFrom } from '../../runtime/connection/connectionfrom.ts';
import type { Connection } from '../../runtime/connection/connection.ts';
import { ApiError } from '../../runtime/errors/apierror.ts';
import { Malformed } from '../../runtime/errors/malformed.ts';
import { Unreachable } from '../../runtime/errors/unreachable.ts';
import { UsageError } from '../usage-error.ts';
import type { LiveTenant } from './standing.ts';

/** Which cluster, as the command line says it. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A cluster that is asked as the user of a kubeconfig. */
export interface OpenedCluster {
  readonly client: OpenedClient;
  readonly server: string;
}

/**
 * Runs with a client of the cluster, and closes it.
 * @throws {UsageError} where the cluster is not there, does not answer, refuses, or has no tenants
 */
export async function withCluster<T>(
  options: ClusterOptions,
  run: (cluster: OpenedCluster) => Promise<T>,
): Promise<T> {
  for (const name of ['kubeconfig', 'context'] as const) {
    if (options[name] === '') throw new UsageError(`--${name} must be a name, got an empty one`);
  }
  const connection = await connectionTo(options);
  const { server } = connection;
  const client = openClient(answering(connection));
  try {
    return await run({ client, server });
  } catch (error) {
    throw usageErrorOf(error, server);
  } finally {
    client.close();
  }
}

async function connectionTo(options: ClusterOptions): Promise<Connection> {
  try {
    return await connectionFrom(options);
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(error.message, { cause: error });
    if (error instanceof Error) throw new UsageError(printable(error.message), { cause: error });
    throw error;
  }
}

/** A program or a file that gives no credentials is the user's to mend. */
function answering(connection: Connection): Connection {
  return {
    ...connection,
    authorize: async (options) => {
      try {
        return await connection.authorize(options);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new UsageError(`credentials for ${connection.server}: ${printable(message)}`, {
          cause: error,
        });
      }
    },
  };
}

/** The Tenants of the cluster. */
export async function listTenants(client: Client): Promise<readonly LiveTenant[]> {
  const tenants: LiveTenant[] = [];
  for await (const { items } of pagesOf(client, Tenant)) tenants.push(...items);
  return tenants;
}

/**
 * One Tenant.
 * @throws {UsageError} where there is none of the name
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
    // Who may read one Tenant need not be one who may list them.
    const known = await listTenants(client).catch(() => []);
    const hint = didYouMean(
      nearest(
        name,
        known.map(({ metadata }) => metadata.name),
      ),
    );
    const message = `the tenant must be one of the cluster, got ${show(name)}${hint}`;
    throw new UsageError(message, { cause: error });
  }
}

/** What an answer of the cluster means to whoever asked; what no cluster can cause stays what it is. */
export function usageErrorOf(error: unknown, server: string): unknown {
  // Who has no credentials has no answer either.
  if (error instanceof Unreachable && error.cause instanceof UsageError) return error.cause;
  const told = toldOf(error, server);
  return told === undefined ? error : new UsageError(told, { cause: error });
}

const tenants = `${Tenant.plural}.${Tenant.group}`;

function toldOf(error: unknown, server: string): string | undefined {
  if (error instanceof Unreachable) {
    return `the cluster must be reachable, got no answer from ${server}: ${brief(reasonOf(error))}`;
  }
  if (error instanceof Malformed) {
    return `${server} must be the API server of a cluster: ${printable(error.message)}`;
  }
  if (!(error instanceof ApiError)) return undefined;
  if (error.isNotFound) {
    return `the cluster must have Tenants, got no definition of ${tenants} at ${server}: apply what Tenantry renders to crds/`;
  }
  if (error.isUnauthorized) {
    return `the credentials must be ones that ${server} knows, got 401 Unauthorized: log in anew, or choose another --context`;
  }
  const { kind = Tenant.plural } = error.details;
  if (error.isForbidden && kind !== Tenant.plural) {
    return `--live must be allowed to read what tenants consist of, got: ${printable(error.message)}`;
  }
  if (error.isForbidden) {
    return `you must be allowed to get, list and watch ${tenants}, got: ${printable(error.message)}; ask for the ClusterRole tenantry-tenant-reader of docs/operator.md`;
  }
  return `${server} answered ${error.status}: ${printable(error.message)}`;
}

/** The cause says more than that there was no answer. */
function reasonOf(error: Unreachable): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
