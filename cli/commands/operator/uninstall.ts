import type { Command } from 'commander';
import { addClusterOptions, addOperationOptions, parseTimeout } from '../../options.ts';
import type { ClusterOperation } from '@tenantry/operator-kit/install/await/cluster-operation';
import {
  formatObjectName,
  namedOf,
  type NamedObject,
} from '@tenantry/operator-kit/install/objects/placed-objects';
import { surveyObjects } from '@tenantry/operator-kit/install/removal/survey';
import {
  planRemoval,
  removalLines,
  type RemovalPlan,
} from '@tenantry/operator-kit/install/removal/plan';
import { remove } from '@tenantry/operator-kit/install/removal/remove';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { UsageError } from '../../usage-error.ts';
import {
  runClusterOperation,
  type ClusterOperationOptions,
  toJson,
} from '../../cluster/run-cluster-operation.ts';
import type { OpenedCluster } from '../../cluster/with-cluster.ts';
import { confirm } from '../../interactive.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveObjects } from './install.ts';
import { readClusterObjects } from './manifests.ts';
import { resolveColors } from '../../settings.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../../console-output.ts';

const SOURCES = 'files, folders, bundles, or - for standard input';

const STAYS = `
Deletes only objects that tenantry operator install created. Objects that existed before, or that somebody else
applies or owns (Argo CD, Helm, Flux, kubectl apply, OLM, an owner reference), are kept and reported. The command first
lists what it deletes, or everything that prevents the deletion. It prompts for confirmation on a terminal; otherwise you
must give --yes.`;

/** `tenantry operator uninstall`: deletes what `operator install` created. */
export function configure(command: Command): void {
  command
    .argument('<manifests...>', SOURCES)
    .option('--namespace <name>', 'for objects without a namespace (default: that of the context)')
    .option('--crds-only', 'delete only the CustomResourceDefinitions')
    .option('--delete-objects', 'also delete all objects of the definitions')
    .option('--keep-crds', 'keep the definitions and all of their objects')
    .option('--keep-namespaces', 'keep the Namespaces')
    .option('--yes', 'do not prompt for confirmation');
  addOperationOptions(addClusterOptions(command), '5m')
    .addHelpText(
      'after',
      `${STAYS}

A definition that has objects is refused without --delete-objects or --keep-crds. A Namespace that contains objects of
others is refused without --keep-namespaces. Objects of the definitions are deleted first, while the operator still
runs; the Namespace is deleted last. The command waits for each deletion. If one does not finish, it prints what the
object waits for and deletes nothing more. Run it again to continue.

Examples:
  tenantry operator uninstall dist
  tenantry operator uninstall dist --crds-only --delete-objects --yes
  tenantry operator uninstall dist --keep-crds --keep-namespaces --yes
  tenantry operator uninstall dist --delete-objects --yes --output json

Exit codes: 0 done; 1 refused, not deleted in time, or a user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: UninstallCommandOptions) => {
      process.exitCode = await runUninstall(sources, options);
    });
}

/** The command line, as commander gives it. */
export interface UninstallCommandOptions extends ClusterOperationOptions {
  readonly crdsOnly?: boolean;
  readonly namespace?: string;
  readonly deleteObjects?: boolean;
  readonly keepCrds?: boolean;
  readonly keepNamespaces?: boolean;
  readonly yes?: boolean;
}

/** The result of the command. */
interface UninstallResult {
  readonly removal?: RemovalPlan;
  readonly removed: readonly NamedObject[];
  readonly problems: readonly Problem[];
}

/**
 * Deletes what was installed from a cluster.
 * @throws {UsageError} when the cluster does not answer, the command was interrupted, or the user
 * declined
 */
async function runUninstall(
  sources: readonly string[],
  options: UninstallCommandOptions,
): Promise<ExitCode> {
  const { removal, removed, problems } = await uninstall(sources, options);
  const code = problems.length > 0 ? 1 : 0;
  const staying = removal?.staying ?? [];
  if (options.output === 'json') {
    const outcome = code === 0 ? 'done' : 'refused';
    const stays = staying.map(({ named, because }) => ({ ...toJson(named), because }));
    printJson('operator uninstall', { outcome, removed: removed.map(toJson), stays, problems });
    return code;
  }
  for (const line of problemLines(problems, paintIf(resolveColors(options.color).err))) {
    console.error(line);
  }
  if (code === 1) {
    const done = removed.length === 0 ? 'nothing was deleted' : 'what is deleted is gone';
    console.error(`${count(problems.length, 'problem')}; ${done}`);
  } else if (!options.quiet) {
    console.log(`${count(removed.length, 'object')} deleted, ${staying.length} left`);
  }
  return code;
}

async function uninstall(
  sources: readonly string[],
  options: UninstallCommandOptions,
): Promise<UninstallResult> {
  try {
    if (options.crdsOnly && options.keepCrds) {
      throw new UsageError('--crds-only and --keep-crds cannot be combined');
    }
    const wanted = options.crdsOnly ? 'definitions' : 'all';
    const { objects: read, warnings } = await readClusterObjects(sources, wanted);
    for (const line of warningLines(warnings, paintIf(resolveColors(options.color).err)))
      console.error(line);
    return await runClusterOperation(options, async (operation, cluster) => {
      const objects = await resolveObjects(read, cluster, options.namespace);
      const survey = await surveyObjects(operation.client, objects.map(namedOf));
      const removal = planRemoval(survey, {
        deleteObjects: options.deleteObjects ?? false,
        keepDefinitions: options.keepCrds ?? false,
        keepNamespaces: options.keepNamespaces ?? false,
      });
      return { removal, ...(await confirmAndRemove(removal, operation, cluster, options)) };
    });
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { removed: [], problems: error.problems };
  }
}

/** Lists what is deleted and what is kept, and deletes after confirmation. */
async function confirmAndRemove(
  removal: RemovalPlan,
  operation: ClusterOperation,
  { server }: OpenedCluster,
  options: UninstallCommandOptions,
): Promise<UninstallResult> {
  const { going, staying, refusals } = removal;
  for (const { named, because } of staying) {
    operation.report(`${formatObjectName(named)} stays: ${because}`);
  }
  if (refusals.length > 0) return { removed: [], problems: refusals };
  if (going.length === 0) return { removed: [], problems: [] };
  const isAsked = options.yes !== true;
  const print = isAsked
    ? (line: string) => console.error(escapeForTerminal(line))
    : operation.report;
  print(`to be deleted from ${server}:`);
  for (const line of removalLines(removal)) print(`  ${line}`);
  await confirm(`Delete ${count(going.length, 'object')}?`, {
    isGiven: !isAsked,
    signal: operation.signal,
  });
  const deadline = operation.clock.now() + parseTimeout(options.timeout);
  const isPrinted = options.output === 'text' && !options.quiet;
  return remove(removal, { ...operation, deadline }, (named) => {
    if (isPrinted) console.log(`${formatObjectName(named)} deleted`);
  });
}
