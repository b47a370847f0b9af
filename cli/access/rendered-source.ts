import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import {
  didYouMean,
  findNearest,
  formatList,
  show,
  type Path,
  type Problem,
} from '@tenantry/kube/problem';
import { buildUnreadableProblem, manifestFiles, readFile } from '../manifest-files.ts';
import { UsageError } from '../usage-error.ts';
import { buildSource, type AccessSource } from './access-source.ts';
import { findDuplicates, readPolicyText } from './policy-text.ts';

/** The files of one cluster, by their paths in a folder. */
interface ClusterTexts {
  readonly cluster: string;
  readonly texts: Iterable<readonly [path: string, text: string]>;
}

/** The sources of clusters, or the reasons why they cannot be read. */
interface ReadSources {
  readonly sources: readonly AccessSource[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the roles and bindings of each cluster of an output folder; of a folder without clusters, those of all of its
 * manifests.
 * @param shown how messages name the folder
 * @param chosen the cluster to read. @default - all of them
 * @throws {UsageError} if there is no such cluster
 */
export function readFolderSources(folder: string, shown: string, chosen?: string): ReadSources {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const message = 'must be a folder of rendered output or of manifests, got none';
    return { sources: [], problems: [{ file: shown, path: '', message, rule: 'file' }] };
  }
  const top = join(folder, CLUSTERS);
  const names = existsSync(top)
    ? readdirSync(top, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted()
    : [''];
  try {
    const all = selectClusters(names, shown, chosen).map((cluster) => ({
      cluster,
      texts: listTexts(cluster === '' ? folder : join(top, cluster), folder),
    }));
    return readSources(all, shown);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { sources: [], problems: [buildUnreadableProblem(shown, error)] };
  }
}

/** @throws {UsageError} if there is no such cluster */
export function selectClusters(
  names: readonly string[],
  shown: string,
  chosen: string | undefined,
): readonly string[] {
  if (chosen === undefined) return names;
  if (names.includes(chosen)) return [chosen];
  const known = names.filter((name) => name !== '');
  const must =
    known.length === 0
      ? `must be left out: ${shown} is a folder of manifests, without clusters`
      : `must be a cluster of ${shown} (${formatList(known)})`;
  throw new UsageError(
    `--cluster ${must}, got ${show(chosen)}${didYouMean(findNearest(chosen, known))}`,
  );
}

function* listTexts(folder: string, top: string): Iterable<readonly [string, string]> {
  for (const file of manifestFiles(folder)) {
    yield [relative(top, file).replaceAll('\\', '/'), readFile(file)];
  }
}

/** Reads the roles and bindings of clusters from the texts of their files. */
function readSources(clusters: readonly ClusterTexts[], shown: string): ReadSources {
  const problems: Problem[] = [];
  const sources = clusters.map(({ cluster, texts }) => {
    const read = Array.from(texts, ([path, text]) => readPolicyText(join(shown, path), text));
    return buildFileSource(cluster, read, problems);
  });
  return { sources, problems };
}

/**
 * Builds the source of a cluster from what its files have.
 * @param problems gets what cannot be evaluated
 */
export function buildFileSource(
  cluster: string,
  read: readonly ReturnType<typeof readPolicyText>[],
  problems: Problem[],
): AccessSource {
  const found = read.flatMap((one) => one.found);
  problems.push(...read.flatMap((one) => one.problems), ...findDuplicates(found));
  const objects = found.map(({ object, file, findLine }) => ({
    object,
    locate: (path: Path) => ({ file, line: findLine(path) }),
  }));
  return buildSource(cluster, objects, false);
}
