import type { Command } from 'commander';
import { addClusterOptions, addOperationOptions } from '../../options.ts';
import {
  deploy,
  type DeployResult,
  type Applied,
  type Outcome,
} from '@tenantry/operator-kit/install/apply/deploy';
import type { ClusterOperation } from '@tenantry/operator-kit/install/await/cluster-operation';
import {
  isCustom,
  placeObjects,
  formatObjectName,
  namedOf,
  type ManifestObject,
  type PlacedObject,
} from '@tenantry/operator-kit/install/objects/placed-objects';
import { customKinds } from '@tenantry/operator-kit/install/removal/survey';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import {
  runClusterOperation,
  type ClusterOperationOptions,
  toJson,
} from '../../cluster/run-cluster-operation.ts';
import type { OpenedCluster } from '../../cluster/with-cluster.ts';
import type { ExitCode } from '../../failure-report.ts';
import { readClusterObjects } from './manifests.ts';
import { resolveColors } from '../../settings.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../../console-output.ts';

const SOURCES = 'files, folders, bundles, or - for standard input';

/** `tenantry operator install`: applies the manifests of an operator. */
export function configure(command: Command): void {
  command
    .argument('<manifests...>', SOURCES)
    .option('--namespace <name>', 'for objects without a namespace (default: that of the context)')
    .option(
      '--crds-only',
      'apply only the CustomResourceDefinitions, and wait until they are served',
    )
    .option('--force', 'take over fields that other field managers own')
    .option('--no-wait', 'do not wait for Deployments before custom resources are applied');
  addOperationOptions(addClusterOptions(command), '5m')
    .addHelpText(
      'after',
      `
Applies the manifests in an order that works: Namespaces, CustomResourceDefinitions, quotas and limits, ServiceAccounts,
Secrets and ConfigMaps, roles, bindings, Services, workloads, webhooks, and once the Deployments are available, custom
resources. It uses server-side apply as field manager tenantry-deploy, and fails on fields that other managers own, unless you give
--force. Run the command again to continue.

Objects that did not exist before get the annotation tenantry.dev/deployed. tenantry operator uninstall removes only
these.

If a Deployment does not become available in time, the command prints why, from its conditions and pods: images, quota,
admission, nodes, exit codes.

Examples:
  tenantry operator install dist
  tenantry operator install operators/redis/1.2.3 --crds-only --context kind-dev
  node manifests.ts registry.example.com/redis-operator:1.0.0 | tenantry operator install - --timeout 2m
  tenantry operator install dist --context kind-dev --output json

Exit codes: 0 done; 1 user error, the cluster refuses, or it is not available in time; 2
internal error.`,
    )
    .action(async (sources: readonly string[], options: InstallCommandOptions) => {
      process.exitCode = await runInstall(sources, options);
    });
}

/** The command line, as commander gives it. */
export interface InstallCommandOptions extends ClusterOperationOptions {
  readonly crdsOnly?: boolean;
  readonly namespace?: string;
  readonly force?: boolean;
  readonly wait?: boolean;
}

const words: Readonly<Record<Outcome, string>> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  taken: 'changed; it was there before, and uninstall leaves it',
};

/**
 * Applies manifests to a cluster.
 * @throws {UsageError} when the cluster does not answer, or the command was interrupted
 */
async function runInstall(
  sources: readonly string[],
  options: InstallCommandOptions,
): Promise<ExitCode> {
  const { force = false, wait = true, quiet = false, output } = options;
  const isPrinted = output === 'text' && !quiet;
  const result = await runWithManifests(sources, options, (objects, one) =>
    deploy(objects, one, {
      force,
      skipWait: !wait,
      applied: ({ placed, outcome }: Applied) => {
        if (isPrinted) console.log(`${formatObjectName(namedOf(placed))} ${words[outcome]}`);
      },
    }),
  );
  const { applied, problems } = result;
  const code = problems.length > 0 ? 1 : 0;
  if (output === 'json') {
    const objects = applied.map(({ placed, outcome }) => ({ ...toJson(namedOf(placed)), outcome }));
    const outcome = code === 0 ? 'done' : 'refused';
    printJson('operator install', { outcome, objects, problems });
    return code;
  }
  for (const line of problemLines(problems, paintIf(resolveColors(options.color).err))) {
    console.error(line);
  }
  const made = applied.filter(({ outcome }) => outcome === 'created').length;
  const changed = applied.filter(({ outcome }) => outcome === 'changed' || outcome === 'taken');
  if (isPrinted && code === 0) {
    console.log(`${count(applied.length, 'object')}: ${made} created, ${changed.length} changed`);
  } else if (code === 1) {
    console.error(`${count(problems.length, 'problem')}; applied objects are kept`);
  }
  return code;
}

/** Reads the manifests and runs an operation with their objects. Invalid manifests stop it. */
async function runWithManifests(
  sources: readonly string[],
  options: InstallCommandOptions,
  run: (objects: readonly PlacedObject[], operation: ClusterOperation) => Promise<DeployResult>,
): Promise<DeployResult> {
  try {
    const wanted = options.crdsOnly ? 'definitions' : 'all';
    const { objects, warnings } = await readClusterObjects(sources, wanted);
    for (const line of warningLines(warnings, paintIf(resolveColors(options.color).err)))
      console.error(line);
    return await runClusterOperation(options, async (one, cluster) =>
      run(await resolveObjects(objects, cluster, options.namespace), one),
    );
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { applied: [], problems: error.problems };
  }
}

/**
 * Resolves the kind of each object. Kinds that are not built into Kubernetes are read from the
 * cluster.
 * @throws {InvalidInput} when some objects have an unknown kind
 */
export async function resolveObjects(
  manifests: readonly ManifestObject[],
  { client, namespace }: OpenedCluster,
  wanted: string | undefined,
): Promise<readonly PlacedObject[]> {
  const known = manifests.some(({ object }) => isCustom(object)) ? await customKinds(client) : [];
  const place = { known, namespace: wanted ?? namespace ?? 'default' };
  const { objects, problems } = placeObjects(manifests, place);
  if (problems.length > 0) throw new InvalidInput(problems satisfies readonly Problem[]);
  return objects;
}
