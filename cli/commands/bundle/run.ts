import type { Command } from 'commander';
import { addClusterOptions, addOperationOptions, collect } from '../../options.ts';
import { TimeoutError } from '@tenantry/operator-kit/install/await/cluster-operation';
import { CannotRunBundle, runBundle } from '@tenantry/olm/live-cluster/bundle-run';
import { readMode } from '@tenantry/olm/live-cluster/install-mode';
import { runnable } from '@tenantry/olm/live-cluster/runnable-bundle';
import { isDnsLabel, isSubdomain } from '@tenantry/kube/names';
import { show } from '@tenantry/kube/problem';
import { createFindingLocator } from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { AN_IMAGE, isImage } from '@tenantry/olm/image/reference';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import { escapeForTerminal } from '@tenantry/kube/printable';
import {
  runClusterOperation,
  type ClusterOperationOptions,
} from '../../cluster/run-cluster-operation.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { paintIf, printJson, problemLines } from '../../console-output.ts';

/** `tenantry bundle run`: installs a bundle with OLM. */
export function configure(command: Command): void {
  command
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .option('--namespace <name>', 'the namespace (default: that of the context)')
    .option(
      '--image <reference>',
      'the pushed image of the bundle (default: none; the folder is used)',
    )
    .option(
      '--install-mode <mode>',
      'AllNamespaces, OwnNamespace, SingleNamespace=<name> or MultiNamespace=<names> (default: by the OperatorGroup that there is, or the widest)',
    )
    .option(
      '--opm-image <reference>',
      'the image of opm, which serves the catalog',
      'quay.io/operator-framework/opm:v1.73.0',
    )
    .option(
      '--pull-secret <name>',
      'a Secret with which to pull the images of the bundle and of opm (repeatable)',
      collect,
    );
  addOperationOptions(addClusterOptions(command), '10m')
    .addHelpText(
      'after',
      `
Creates a CatalogSource that serves the bundle, an OperatorGroup if there is none, and a Subscription. Approves the
InstallPlan if it installs this bundle and nothing else. Waits until the ClusterServiceVersion is Succeeded, and prints
why it does not progress, from OLM, Deployments and pods. The objects of the bundle are in ConfigMaps, so no registry is
needed except for the images that it runs.

A version that was run before is upgraded: replaces, skips or olm.skipRange of the bundle must allow it. After Ctrl-C,
run the same command to continue.

Examples:
  tenantry bundle run operators/redis/1.2.3 --namespace redis
  tenantry bundle run dist/olm/bundle/1.0.0 --install-mode OwnNamespace --timeout 5m
  tenantry bundle run operators/redis/1.2.3 --image quay.io/example/redis-bundle:v1.2.3

Exit codes: 0 succeeded; 1 user error, OLM refuses, or it takes too long; 2 internal error.`,
    )
    .action(async (bundle: string, options: BundleRunCommandOptions) => {
      process.exitCode = await runBundleRun(bundle, options);
    });
}

/** The command line, as commander gives it. */
export interface BundleRunCommandOptions extends ClusterOperationOptions {
  readonly namespace?: string;
  readonly image?: string;
  readonly installMode?: string;
  readonly opmImage: string;
  readonly pullSecret?: readonly string[];
}

/**
 * Runs a bundle on a cluster with OLM.
 * @throws {UsageError} when the bundle or the options cannot be used, or the cluster does not
 * answer
 */
export async function runBundleRun(
  source: string,
  options: BundleRunCommandOptions,
): Promise<ExitCode> {
  checkNames(options);
  const { image, installMode, output, quiet = false } = options;
  const paint = paintIf(resolveColors(options.color).err);
  const bundle = readBundle(source);
  const place = createFindingLocator(bundle, source);
  const problems = validateBundle(bundle, { suite: 'default' })
    .filter(({ severity }) => severity === 'error')
    .map(place);
  if (problems.length > 0) {
    if (output === 'json') printJson('bundle run', { outcome: 'refused', problems });
    else for (const line of problemLines(problems, paint)) console.error(line);
    return 1;
  }
  const read = runnable(bundle, image);
  if (typeof read === 'string') throw new UsageError(`${source} ${read}`);
  try {
    return await runClusterOperation<ExitCode>(options, async (operation, cluster) => {
      const namespace = options.namespace ?? cluster.namespace ?? 'default';
      const mode = installMode === undefined ? undefined : readMode(installMode, namespace);
      if (installMode !== undefined && !mode) {
        throw new UsageError(
          `--install-mode must be AllNamespaces, OwnNamespace, SingleNamespace=<name> or MultiNamespace=<names>, got ${show(installMode)}`,
        );
      }
      const way = { namespace, mode, opm: options.opmImage, pullSecrets: options.pullSecret ?? [] };
      const { status } = await runBundle(read, way, operation);
      const { package: name, version } = read;
      if (output === 'json') {
        const result = { package: name, csv: read.name, version, namespace, phase: status?.phase };
        printJson('bundle run', { outcome: 'done', ...result, problems: [] });
      } else if (!quiet) console.log(`${read.name} in ${namespace}: Succeeded`);
      return 0;
    });
  } catch (error) {
    const reasons = listReasons(error);
    if (!reasons) throw error;
    if (output === 'json') {
      const failures = reasons.map((message) => ({ path: '', message }));
      printJson('bundle run', { outcome: 'refused', problems: failures });
    } else
      for (const line of reasons)
        console.error(`${paint('red', 'error')} ${escapeForTerminal(line)}`);
    return 1;
  }
}

/** Rejects names that no cluster accepts, before any request. */
function checkNames({
  namespace,
  image,
  opmImage,
  pullSecret = [],
}: BundleRunCommandOptions): void {
  const must = (flag: string, what: string, got: string, isSo: boolean): void => {
    if (!isSo) throw new UsageError(`${flag} must be ${what}, got ${show(got)}`);
  };
  if (namespace !== undefined) {
    must('--namespace', 'a DNS label', namespace, isDnsLabel(namespace));
  }
  if (image !== undefined) must('--image', AN_IMAGE, image, isImage(image));
  must('--opm-image', AN_IMAGE, opmImage, isImage(opmImage));
  for (const name of pullSecret) {
    must('--pull-secret', 'the name of a Secret', name, isSubdomain(name));
  }
}

function listReasons(error: unknown): readonly string[] | undefined {
  if (error instanceof CannotRunBundle) return [error.message];
  if (error instanceof TimeoutError) return [error.message, ...error.reasons];
  return undefined;
}
