import { importObjects, type ImportResult } from '../../import/import-manifests.ts';
import type { ImportChoices } from '../../import/declare.ts';
import { formatKindName } from '../../import/live-kinds.ts';
import { createMatcher } from '../../import/text-patterns.ts';
import { parseLabelSelector, type LabelSelector } from '@tenantry/kube/label-selector';
import { formatList, show } from '@tenantry/kube/problem';
import { withCluster, type ClusterOptions, type OpenedCluster } from '../cluster/with-cluster.ts';
import { formatNumber } from '../console-output.ts';
import { ProgressLine } from '../progress-line.ts';
import { UsageError } from '../usage-error.ts';
import { chooseKinds } from './chosen-kinds.ts';
import { MissingRights, readCluster, type ReadCluster } from './read-cluster.ts';
import { explainMissingRights } from './reader-role.ts';
import type { ReportedCluster } from './reported-cluster.ts';
import { readServedKinds } from './served-kinds.ts';

/** What is imported from which cluster. */
export interface LiveSourceOptions extends ClusterOptions {
  /** A label selector of Namespaces. */
  readonly selector?: string;
  /** Kinds that are read besides those of tenancy. */
  readonly kinds?: readonly string[];
  /** Patterns of other managers whose objects are imported. */
  readonly managedBy?: readonly string[];
}

/** An import from a cluster. */
export interface ImportedCluster {
  readonly result: ImportResult;
  readonly cluster: ReportedCluster;
}

/**
 * Imports the namespaces of a cluster. It only lists objects, and never Secrets.
 * @throws {UsageError} when the cluster does not answer or refuses, or an option matches nothing
 */
export async function importCluster(
  options: LiveSourceOptions,
  choices: ImportChoices,
): Promise<ImportedCluster> {
  const selector = parseSelector(options.selector ?? '');
  const { managedBy = [], kinds = [] } = options;
  const { read, ...rest } = await withCluster(options, async (opened) => {
    const served = await readServedKinds(opened.connection);
    const chosen = chooseKinds(served.kinds, kinds);
    const { platform } = choices;
    return {
      server: opened.server,
      notRead: chosen.notRead.map(formatKindName),
      unavailable: served.unavailable,
      read: await readWithProgress(opened, { selector, platform, kinds: chosen.read }),
    };
  });
  const unused = managedBy.filter((pattern) => !matchesManager(read, pattern));
  if (unused.length > 0) {
    throw new UsageError(
      `--managed-by must match the manager of an object, such as 'helm:shop/redis', got ${formatList(unused.map((one) => show(one)))}`,
    );
  }
  const source = { objects: read.objects, others: [], problems: [] };
  const result = importObjects(source, choices, { existing: read.existing, managedBy });
  const { kinds: listed, excluded } = read;
  return { result, cluster: { ...rest, kinds: listed, excluded, dropped: countDropped(result) } };
}

/** Counts the parts of declared objects that are not declared, the most frequent first. */
function countDropped({ proof }: ImportResult): ReportedCluster['dropped'] {
  const counts = new Map<string, { what: string; writer: string; objects: number }>();
  for (const { verdict, found } of proof.objects) {
    if (verdict !== 'equal' && verdict !== 'different') continue;
    for (const { what, writer } of found.live?.dropped ?? []) {
      const entry = counts.get(what) ?? { what, writer, objects: 0 };
      entry.objects += 1;
      counts.set(what, entry);
    }
  }
  return [...counts.values()].toSorted((a, b) => b.objects - a.objects);
}

/** @throws {UsageError} when it is no selector */
function parseSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new UsageError(`--selector: ${(error as Error).message}`, { cause: error });
  }
}

async function readWithProgress(
  { client }: OpenedCluster,
  options: Omit<Parameters<typeof readCluster>[1], 'onPage'>,
): Promise<ReadCluster> {
  const progress = new ProgressLine(true);
  try {
    return await readCluster(client, {
      ...options,
      onPage: (objects) => progress.show(`${formatNumber(objects)} objects read`),
    });
  } catch (error) {
    if (!(error instanceof MissingRights)) throw error;
    throw new UsageError(explainMissingRights(error.missing, error.kinds), { cause: error });
  } finally {
    progress.end();
  }
}

function matchesManager({ objects }: ReadCluster, pattern: string): boolean {
  const matches = createMatcher([pattern]);
  return objects.some(({ live }) => live?.manager !== undefined && matches(live.manager.id));
}
