import type { ClusterOperation } from '../install/await/cluster-operation.ts';
import { namedOf, formatObjectName, type NamedObject } from '../install/objects/placed-objects.ts';
import { surveyObjects } from '../install/removal/survey.ts';
import { removalLines, planRemoval, type RemovalPlan } from '../install/removal/plan.ts';
import { remove } from '../install/removal/remove.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { escapeForTerminal } from '../kube/printable.ts';
import { keyOf, resourceOf } from '../runtime/kinds/kind.ts';
import {
  runClusterOperation,
  type ClusterOperationOptions,
} from './cluster/run-cluster-operation.ts';
import { parseTimeout } from './cluster/duration.ts';
import type { OpenedCluster } from './cluster/opened.ts';
import { confirm } from './cluster/question.ts';
import type { ExitCode } from './ending.ts';
import { resolveObjects } from './operator-deploy-run.ts';
import { readClusterObjects } from './operator-manifests.ts';
import { resolveColors } from './settings.ts';
import { count, paintIf, problemLines, printJson, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface UndeployCommandOptions extends ClusterOperationOptions {
  readonly namespace?: string;
  readonly deleteObjects?: boolean;
  readonly keepCrds?: boolean;
  readonly keepNamespaces?: boolean;
  readonly yes?: boolean;
}

/** The result of the command. */
interface UndeployResult {
  readonly removal?: RemovalPlan;
  readonly removed: readonly NamedObject[];
  readonly problems: readonly Problem[];
}

/**
 * Deletes what was deployed from a cluster: `uninstall` only the definitions, `undeploy`
 * everything.
 * @throws {UsageError} when the cluster does not answer, the command was interrupted, or the user
 * declined
 */
export async function runUndeploy(
  command: 'uninstall' | 'undeploy',
  sources: readonly string[],
  options: UndeployCommandOptions,
): Promise<ExitCode> {
  const { removal, removed, problems } = await undeploy(command, sources, options);
  const code = problems.length > 0 ? 1 : 0;
  const staying = removal?.staying ?? [];
  if (options.output === 'json') {
    const outcome = code === 0 ? 'done' : 'refused';
    const stays = staying.map(({ named, because }) => ({ ...jsonOf(named), because }));
    printJson(`operator ${command}`, { outcome, removed: removed.map(jsonOf), stays, problems });
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

async function undeploy(
  command: 'uninstall' | 'undeploy',
  sources: readonly string[],
  options: UndeployCommandOptions,
): Promise<UndeployResult> {
  try {
    const wanted = command === 'uninstall' ? 'definitions' : 'all';
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
  options: UndeployCommandOptions,
): Promise<UndeployResult> {
  const { going, staying, refusals } = removal;
  for (const { named, because } of staying) {
    operation.report(`${formatObjectName(named)} stays: ${because}`);
  }
  if (refusals.length > 0) return { removed: [], problems: refusals };
  if (going.length === 0) return { removed: [], problems: [] };
  const isAsked = options.yes !== true;
  const tell = isAsked
    ? (line: string) => console.error(escapeForTerminal(line))
    : operation.report;
  tell(`to be deleted from ${server}:`);
  for (const line of removalLines(removal)) tell(`  ${line}`);
  await confirm(`Delete ${count(going.length, 'object')}?`, !isAsked, operation.signal);
  const deadline = operation.clock.now() + parseTimeout(options.timeout);
  const isPrinted = options.output === 'text' && !options.quiet;
  return remove(removal, { ...operation, deadline }, (named) => {
    if (isPrinted) console.log(`${formatObjectName(named)} deleted`);
  });
}

function jsonOf({ kind, name }: NamedObject): object {
  return { resource: resourceOf(kind), kind: kind.kind, name: keyOf(name) };
}
