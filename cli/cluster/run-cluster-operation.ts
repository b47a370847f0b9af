import type { NamedObject } from '@tenantry/operator-kit/install/objects/placed-objects';
import { keyOf, resourceOf } from '@tenantry/runtime/kinds/kind';
import type { ClusterOperation } from '@tenantry/operator-kit/install/await/cluster-operation';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { ColorChoice } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { parseTimeout } from '../options.ts';
import { withCluster, type ClusterOptions, type OpenedCluster } from './with-cluster.ts';

/** The options of a command that changes a cluster, as commander parses them. */
export interface ClusterOperationOptions extends ClusterOptions {
  readonly timeout: string;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/**
 * Runs an operation until it is done, the timeout has passed, or Ctrl-C. It prints what it waits
 * for to stderr.
 * @throws {UsageError} when it was interrupted; finished steps are kept
 */
export function runClusterOperation<T>(
  options: ClusterOperationOptions,
  run: (operation: ClusterOperation, cluster: OpenedCluster) => Promise<T>,
): Promise<T> {
  const timeout = parseTimeout(options.timeout);
  return runUntilInterrupted((signal) =>
    withCluster(options, async (cluster) => {
      const operation: ClusterOperation = {
        client: cluster.client,
        clock: systemClock,
        signal,
        deadline: systemClock.now() + timeout,
        report: (line) => {
          if (!options.quiet) console.error(escapeForTerminal(line));
        },
      };
      try {
        return await run(operation, cluster);
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new UsageError(
          'interrupted: finished steps are kept; run the same command to continue',
          {
            cause: error,
          },
        );
      }
    }),
  );
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Runs an action with a signal that Ctrl-C aborts. A second Ctrl-C ends the process as usual. */
export async function runUntilInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const abort = (): void => end.abort();
  for (const name of signals) process.once(name, abort);
  try {
    return await run(end.signal);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

/** Converts the name of an object to JSON output. */
export function toJson({ kind, name }: NamedObject): object {
  return { resource: resourceOf(kind), kind: kind.kind, name: keyOf(name) };
}
