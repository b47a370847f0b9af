import { escapeForTerminal } from '../../kube/printable.ts';
import { formatBrief, InvalidInput } from '../../kube/problem.ts';
import { openClient, type OpenedClient } from '../../runtime/client/open-client.ts';
import type { Connection } from '../../runtime/connection/connection.ts';
import { connectionFrom } from '../../runtime/connection/connection-from.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { Malformed } from '../../runtime/errors/malformed.ts';
import { Unreachable } from '../../runtime/errors/unreachable.ts';
import { UsageError } from '../usage-error.ts';

/** Which cluster, as the command line says it. */
export interface ClusterOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** A cluster that is asked as the user of a kubeconfig. */
export interface OpenedCluster {
  readonly client: OpenedClient;
  readonly server: string;
  /** That of the context. */
  readonly namespace: string | undefined;
}

/** What an answer of a server means to whoever asked; undefined for what is said of every cluster. */
export type ErrorExplainer = (error: ApiError, server: string) => string | undefined;

/**
 * Runs with a client of the cluster, and closes it.
 * @throws {UsageError} where the cluster is not there, does not answer, or refuses
 */
export async function withCluster<T>(
  options: ClusterOptions,
  run: (cluster: OpenedCluster) => Promise<T>,
  tell: ErrorExplainer = () => undefined,
): Promise<T> {
  for (const name of ['kubeconfig', 'context'] as const) {
    if (options[name] === '') throw new UsageError(`--${name} must be a name, got an empty one`);
  }
  const connection = await connectionTo(options);
  const { server, namespace } = connection;
  const client = openClient(withCredentialErrors(connection));
  try {
    return await run({ client, server, namespace });
  } catch (error) {
    throw usageErrorOf(error, server, tell);
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

/** A program or a file that gives no credentials is the user's to mend. */
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

/** What an answer of the cluster means to whoever asked; what no cluster can cause stays what it is. */
function usageErrorOf(error: unknown, server: string, tell: ErrorExplainer): unknown {
  // Who has no credentials has no answer either.
  if (error instanceof Unreachable && error.cause instanceof UsageError) return error.cause;
  const message = explainError(error, server, tell);
  return message === undefined ? error : new UsageError(message, { cause: error });
}

function explainError(error: unknown, server: string, tell: ErrorExplainer): string | undefined {
  if (error instanceof Unreachable) {
    return `the cluster must be reachable, got no answer from ${server}: ${formatBrief(reasonOf(error))}`;
  }
  if (error instanceof Malformed) {
    return `${server} must be the API server of a cluster: ${escapeForTerminal(error.message)}`;
  }
  if (!(error instanceof ApiError)) return undefined;
  if (error.isUnauthorized) {
    return `the credentials must be ones that ${server} knows, got 401 Unauthorized: log in again, or choose another --context`;
  }
  return (
    tell(error, server) ?? `${server} answered ${error.status}: ${escapeForTerminal(error.message)}`
  );
}

/** The cause says more than that there was no answer. */
function reasonOf(error: Unreachable): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
