import { deploy, type DeployResult, type Applied, type Outcome } from '../install/apply/deploy.ts';
import type { ClusterOperation } from '../install/await/cluster-operation.ts';
import {
  isCustom,
  placeObjects,
  namedOf,
  formatObjectName,
  type ManifestObject,
  type PlacedObject,
} from '../install/objects/placed-objects.ts';
import { customKinds } from '../install/removal/survey.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { keyOf, resourceOf } from '../runtime/kinds/kind.ts';
import {
  runClusterOperation,
  type ClusterOperationOptions,
} from './cluster/run-cluster-operation.ts';
import type { OpenedCluster } from './cluster/opened.ts';
import type { ExitCode } from './ending.ts';
import { readClusterObjects } from './operator-manifests.ts';
import { resolveColors } from './settings.ts';
import { count, paintIf, problemLines, printJson, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface DeployCommandOptions extends ClusterOperationOptions {
  readonly namespace?: string;
  readonly force?: boolean;
  readonly wait?: boolean;
}

const words: Readonly<Record<Outcome, string>> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  taken: 'changed; it was there before, and undeploy leaves it',
};

/**
 * Applies manifests to a cluster: `install` only the definitions, `deploy` all of them.
 * @throws {UsageError} when the cluster does not answer, or the command was interrupted
 */
export async function runDeploy(
  command: 'install' | 'deploy',
  sources: readonly string[],
  options: DeployCommandOptions,
): Promise<ExitCode> {
  const { force = false, wait = true, quiet = false, output } = options;
  const isPrinted = output === 'text' && !quiet;
  const result = await runWithManifests(command, sources, options, (objects, one) =>
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
    const objects = applied.map(({ placed, outcome }) => ({ ...jsonOf(placed), outcome }));
    const outcome = code === 0 ? 'done' : 'refused';
    printJson(`operator ${command}`, { outcome, objects, problems });
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
  command: 'install' | 'deploy',
  sources: readonly string[],
  options: DeployCommandOptions,
  run: (objects: readonly PlacedObject[], operation: ClusterOperation) => Promise<DeployResult>,
): Promise<DeployResult> {
  try {
    const wanted = command === 'install' ? 'definitions' : 'all';
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

/** Converts an object to JSON output. */
export function jsonOf(placed: PlacedObject): object {
  const { kind, name } = namedOf(placed);
  return { resource: resourceOf(kind), kind: kind.kind, name: keyOf(name) };
}
