import { escapeForTerminal } from '@tenantry/kube/printable';
import { formatBrief, InvalidInput } from '@tenantry/kube/problem';
import { openClient, type OpenedClient } from '@tenantry/runtime/client/open-client';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { connectionFrom } from '@tenantry/runtime/connection/connection-from';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Malformed, Unreachable } from '@tenantry/runtime/errors/client-errors';
import { UsageError } from '../usage-error.ts';

/** The options that select a cluster. */
export interface ClusterOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A cluster, accessed as the user of a kubeconfig. */
export interface OpenedCluster {
  readonly client: OpenedClient;
  /** For calls that no client has, such as the discovery of kinds. */
  readonly connection: Connection;
  readonly server: string;
  /** The namespace of the context. */
  readonly namespace: string | undefined;
}

/** Explains an API error to the caller of a command; undefined for errors with a general explanation. */
type ErrorExplainer = (error: ApiError, server: string) => string | undefined;

/**
 * Runs a function with a client of the cluster and closes the client.
 * @throws {UsageError} when the cluster does not exist, does not answer, or refuses
 */
export async function withCluster<T>(
  options: ClusterOptions,
  run: (cluster: OpenedCluster) => Promise<T>,
  explain: ErrorExplainer = () => undefined,
): Promise<T> {
  for (const name of ['kubeconfig', 'context'] as const) {
    if (options[name] === '') throw new UsageError(`--${name} must be a name, got an empty one`);
  }
  const connection = withCredentialErrors(await connectionTo(options));
  const { server, namespace } = connection;
  const client = openClient(connection);
  try {
    return await run({ client, connection, server, namespace });
  } catch (error) {
    throw toUsageError(error, server, explain);
  } finally {
    client.close();
  }
}

async function connectionTo(options: ClusterOptions): Promise<Connection> {
  try {
    return await connectionFrom(options);
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(error.message, { cause: error });
    if (error instanceof Error)
      throw new UsageError(escapeForTerminal(error.message), { cause: error });
    throw error;
  }
}

/** Converts the failure of a credential program or file into a UsageError, since the user must fix it. */
function withCredentialErrors(connection: Connection): Connection {
  return {
    ...connection,
    authorize: async (options) => {
      try {
        return await connection.authorize(options);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new UsageError(
          `credentials for ${connection.server}: ${escapeForTerminal(message)}`,
          {
            cause: error,
          },
        );
      }
    },
  };
}

/** Converts an error of the cluster into a UsageError. Errors that no cluster can cause stay as they are. */
function toUsageError(error: unknown, server: string, explain: ErrorExplainer): unknown {
  // Without credentials there was no request, so the original error is reported.
  if (error instanceof Unreachable && error.cause instanceof UsageError) return error.cause;
  const message = explainError(error, server, explain);
  return message === undefined ? error : new UsageError(message, { cause: error });
}

function explainError(error: unknown, server: string, explain: ErrorExplainer): string | undefined {
  if (error instanceof Unreachable) {
    return `the cluster must be reachable, got no answer from ${server}: ${formatBrief(formatReason(error))}`;
  }
  if (error instanceof Malformed) {
    return `${server} must be the API server of a cluster: ${escapeForTerminal(error.message)}`;
  }
  if (!(error instanceof ApiError)) return undefined;
  if (error.isUnauthorized) {
    return `the credentials must be ones that ${server} knows, got 401 Unauthorized: log in again, or choose another --context`;
  }
  return (
    explain(error, server) ??
    `${server} answered ${error.status}: ${escapeForTerminal(error.message)}`
  );
}

/** Returns the cause of a failed connection, which has more details. */
function formatReason(error: Unreachable): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
