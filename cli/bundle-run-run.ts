import { TimeoutError } from '../install/await/cluster-operation.ts';
import { CannotRunBundle, runBundle } from '../install/olm/bundle-run.ts';
import { readMode } from '../install/olm/install-mode.ts';
import { runnable } from '../install/olm/runnable-bundle.ts';
import { isDnsLabel, isSubdomain } from '../kube/names.ts';
import { show } from '../kube/problem.ts';
import { placing } from '../olm/bundle/bundle.ts';
import { readBundle } from '../olm/folder/read-bundle.ts';
import { AN_IMAGE, isImage } from '../olm/image/reference.ts';
import { validateBundle } from '../olm/rules/validate-bundle.ts';
import { escapeForTerminal } from '../kube/printable.ts';
import {
  runClusterOperation,
  type ClusterOperationOptions,
} from './cluster/run-cluster-operation.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, problemLines, printJson } from './words.ts';

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
  const place = placing(bundle, source);
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
    const reasons = reasonsOf(error);
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

function reasonsOf(error: unknown): readonly string[] | undefined {
  if (error instanceof CannotRunBundle) return [error.message];
  if (error instanceof TimeoutError) return [error.message, ...error.reasons];
  return undefined;
}
