import type { Command } from 'commander';
import { choice, collect } from '../../options.ts';
import { IN_CLUSTER_SERVER, resolveServer } from '../../../model/argocd-names.ts';
import type { Platform } from '../../../model/declaration.ts';
import { buildOwnAccess } from '../../../model/argocd/rights/inclusions.ts';
import {
  computeApplyRights,
  buildApplyRoles,
  type Account,
} from '../../../model/argocd/rights/rights.ts';
import { InvalidInput, didYouMean, findNearest, show } from '@tenantry/kube/problem';
import { readKinds, type ArgoCDOptions, type RenderedKinds } from './kinds.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { paintNothing, printProblems } from '../../console-output.ts';
import { writeObjects } from '../../written-objects.ts';

/** `tenantry argocd rbac`: prints the minimal rights with which Argo CD applies the output for a cluster. */
export function configure(command: Command): void {
  command
    .option('--cluster <name>', 'the cluster (default: the only one that is rendered)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option(
      '--account <namespace/name>',
      'a service account that Argo CD has on the cluster (repeatable; default: those that the platform file names)',
      collect,
    )
    .option('--to <file>', 'write to this file, atomically (default: standard output)')
    .addOption(choice('--output <format>', 'the output format', 'yaml', 'json'))
    .addHelpText(
      'after',
      `
Reads clusters/<cluster>/ of the output folder; it does not contact a cluster. Prints two ClusterRoles: tenantry-argocd
has the rights to apply these objects, and tenantry-argocd-grants those that Argo CD must hold in order to grant them,
because the API server lets nobody grant more than they hold. Argo CD cannot raise its own rights, so an administrator
applies the roles, and again whenever a kind, a ClusterRole or a cluster-scoped object is added.

Examples:
  tenantry argocd rbac --cluster fra1 | kubectl --context fra1 apply --server-side -f -
  tenantry argocd rbac --cluster fra1 --account kube-system/argocd-manager
  tenantry argocd rbac --cluster fra1 --to platform/argocd-fra1.yaml

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: ArgoCDRbacOptions) => {
      process.exitCode = runArgoCDRbac(options);
    });
}

/** The command line, as commander gives it. */
export interface ArgoCDRbacOptions extends ArgoCDOptions {
  readonly cluster?: string;
  readonly account?: readonly string[];
}

/**
 * Prints the roles with which Argo CD may apply the output for a cluster, or writes them to a file.
 * @throws {UsageError} when the command line contradicts itself
 */
export function runArgoCDRbac(options: ArgoCDRbacOptions): ExitCode {
  const { cluster: named, account, ...read } = options;
  try {
    const accounts = account?.map(parseAccount);
    const { platform, clusters, warnings } = readKinds(read, (name) => (named ?? name) === name);
    const cluster = chosen(clusters, platform, named);
    const rights = computeApplyRights(cluster, {
      serverSide: platform.argocdSource !== undefined,
    });
    const manages = [...rights.manages, ...buildOwnAccess(isArgoCDs(cluster.name, platform))];
    for (const warning of warnings) console.error(`warning ${warning}`);
    if (cluster.kinds.some(({ group, kind }) => `${group}/${kind}` === '/Secret')) {
      console.error(
        `warning Argo CD reads all Secrets of ${cluster.name}, where some are rendered`,
      );
    }
    writeObjects(
      buildApplyRoles({ ...rights, manages }, accounts ?? listAccounts(platform)),
      options,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    printProblems(error.problems, 'nothing is written', paintNothing);
    return 1;
  }
}

function chosen(
  clusters: readonly RenderedKinds[],
  platform: Platform,
  named: string | undefined,
): RenderedKinds {
  const [one, ...more] = clusters;
  if (one && more.length === 0) return one;
  const names = named === undefined ? clusters : platform.clusters;
  const all = names.map(({ name }) => name);
  if (named === undefined) {
    throw new UsageError(
      `--cluster must be one of ${all.join(', ') || 'those rendered'}, got none`,
    );
  }
  const hint = didYouMean(findNearest(named, all));
  throw new UsageError(`--cluster must be one that is rendered, got ${show(named)}${hint}`);
}

/** Whether Argo CD runs in the cluster that it applies to. */
function isArgoCDs(name: string, { clusters }: Platform): boolean {
  const found = clusters.find((one) => one.name === name) ?? { name };
  return resolveServer(found) === IN_CLUSTER_SERVER;
}

function listAccounts({ argocdNamespace: namespace, argocdServiceAccounts }: Platform): Account[] {
  return argocdServiceAccounts.map((name) => ({ name, namespace }));
}

function parseAccount(value: string): Account {
  const [namespace = '', name = '', ...more] = value.split('/');
  if (namespace !== '' && name !== '' && more.length === 0) return { name, namespace };
  throw new UsageError(`--account must be namespace/name, got ${show(value)}`);
}
