import type { Command } from 'commander';
import { addClusterOptions, addOperationOptions, parseTimeout } from '../../options.ts';
import type { ClusterOperation } from '@tenantry/operator-kit/install/await/cluster-operation';
import {
  formatObjectName,
  type NamedObject,
} from '@tenantry/operator-kit/install/objects/placed-objects';
import {
  findInstalledPackage,
  planCleanup,
  type Cleanup,
} from '@tenantry/olm/live-cluster/cleanup';
import { removalLines } from '@tenantry/operator-kit/install/removal/plan';
import { remove, type RemovalResult } from '@tenantry/operator-kit/install/removal/remove';
import { escapeForTerminal } from '@tenantry/kube/printable';
import {
  runClusterOperation,
  type ClusterOperationOptions,
  toJson,
} from '../../cluster/run-cluster-operation.ts';
import { confirm } from '../../interactive.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { count, paintIf, printJson, problemLines } from '../../console-output.ts';

/** `tenantry bundle cleanup`: deletes what `bundle run` created. */
export function configure(command: Command): void {
  command
    .argument('<package>', 'the name of the package')
    .option('--namespace <name>', 'the namespace (default: that of the context)')
    .option('--delete-crds', 'delete the definitions that the operator owns')
    .option('--delete-objects', 'with --delete-crds: delete all of their objects')
    .option('--yes', 'do not prompt for confirmation');
  addOperationOptions(addClusterOptions(command), '5m')
    .addHelpText(
      'after',
      `
Deletes the Subscription, the ClusterServiceVersion with the operator, the CatalogSource with its server, and the
OperatorGroup if bundle run created it and no other operator in the namespace needs it. Definitions and their objects are
kept, unless you give --delete-crds; a definition that another operator owns is always kept. The command first lists what
it deletes. It prompts for confirmation on a terminal; otherwise you must give --yes.

Examples:
  tenantry bundle cleanup redis-operator --namespace redis
  tenantry bundle cleanup redis-operator --namespace redis --delete-crds --delete-objects --yes

Exit codes: 0 done; 1 refused, not deleted in time, or a user error; 2 internal error.`,
    )
    .action(async (name: string, options: CleanupCommandOptions) => {
      process.exitCode = await runCleanup(name, options);
    });
}

/** The command line, as commander gives it. */
export interface CleanupCommandOptions extends ClusterOperationOptions {
  readonly namespace?: string;
  readonly deleteCrds?: boolean;
  readonly deleteObjects?: boolean;
  readonly yes?: boolean;
}

/**
 * Deletes what `bundle run` created for a package.
 * @throws {UsageError} when nothing exists, the cluster does not answer, or the user declined
 */
export async function runCleanup(name: string, options: CleanupCommandOptions): Promise<ExitCode> {
  if (options.deleteObjects && !options.deleteCrds) {
    throw new UsageError('--delete-objects must be given with --delete-crds, got it alone');
  }
  return runClusterOperation(options, async (operation, cluster) => {
    const namespace = options.namespace ?? cluster.namespace ?? 'default';
    const remains = await findInstalledPackage(operation.client, name, namespace);
    if (remains.subscriptions.length + remains.objects.length === 0) {
      throw new UsageError(
        `the package must be one that bundle run ran in ${namespace}, got nothing of ${name} there`,
      );
    }
    const cleanup = planCleanup(remains, {
      deleteDefinitions: options.deleteCrds ?? false,
      deleteObjects: options.deleteObjects ?? false,
    });
    return report(
      cleanup,
      await confirmAndRemove(cleanup, operation, cluster.server, options),
      options,
    );
  });
}

async function confirmAndRemove(
  { subscriptions, rest }: Cleanup,
  operation: ClusterOperation,
  server: string,
  options: CleanupCommandOptions,
): Promise<RemovalResult> {
  for (const { named, because } of rest.staying)
    operation.report(`${formatObjectName(named)} stays: ${because}`);
  if (rest.refusals.length > 0) return { removed: [], problems: rest.refusals };
  const isAsked = options.yes !== true;
  const print = isAsked
    ? (line: string) => console.error(escapeForTerminal(line))
    : operation.report;
  print(`to be deleted from ${server}:`);
  for (const line of [subscriptions, rest].flatMap(removalLines)) print(`  ${line}`);
  const all = subscriptions.going.length + rest.going.length;
  await confirm(`Delete ${count(all, 'object')}?`, {
    isGiven: !isAsked,
    signal: operation.signal,
  });
  const within = { ...operation, deadline: operation.clock.now() + parseTimeout(options.timeout) };
  const isPrinted = options.output === 'text' && !options.quiet;
  const gone = (named: NamedObject): void => {
    if (isPrinted) console.log(`${formatObjectName(named)} deleted`);
  };
  const first = await remove(subscriptions, within, gone);
  if (first.problems.length > 0) return first;
  const { removed, problems } = await remove(rest, within, gone);
  return { removed: [...first.removed, ...removed], problems };
}

function report(
  { rest }: Cleanup,
  { removed, problems }: RemovalResult,
  options: CleanupCommandOptions,
): ExitCode {
  const code = problems.length > 0 ? 1 : 0;
  if (options.output === 'json') {
    const outcome = code === 0 ? 'done' : 'refused';
    const stays = rest.staying.map(({ named, because }) => ({ ...toJson(named), because }));
    printJson('bundle cleanup', { outcome, removed: removed.map(toJson), stays, problems });
    return code;
  }
  for (const line of problemLines(problems, paintIf(resolveColors(options.color).err))) {
    console.error(line);
  }
  if (code === 0 && !options.quiet) {
    console.log(`${count(removed.length, 'object')} deleted, ${rest.staying.length} left`);
  }
  return code;
}
