import type { Problem } from '@tenantry/kube/problem';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { buildListArgs } from '../../git/base-tree.ts';
import { runGit } from '../../git/git.ts';
import { listEntries } from '../../git/tree.ts';
import { isManifestFile } from '../../manifest-files.ts';
import { UsageError } from '../../usage-error.ts';
import type { AccessSource } from '../access-source.ts';
import { buildFileSource, selectClusters } from '../rendered-source.ts';
import { PolicyBlobs } from './policy-blobs.ts';
import { RecordCache } from './record-cache.ts';
import { findCommit, findCommittedOutput, type CommittedOutput } from './revisions.ts';

/** The roles and bindings of an output in a commit. */
interface CommittedSources {
  readonly sources: readonly AccessSource[];
  readonly problems: readonly Problem[];
  /** The hash of the commit. */
  readonly commit: string;
}

/** A file of an output in a commit. */
export interface CommittedFile {
  /** Relative to the output folder. */
  readonly path: string;
  /** The hash of its blob. */
  readonly blob: string;
}

/**
 * Reads the roles and bindings of an output folder as a commit has it.
 * @param at a day or a revision
 * @param memory the cache folder
 * @throws {UsageError} if there is no such commit, cluster or folder
 */
export function readCommittedSources(
  shown: string,
  at: string,
  {
    cluster,
    memory,
  }: { readonly cluster?: string | undefined; readonly memory?: string | undefined },
): CommittedSources {
  const output = findCommittedOutput(shown, '--at');
  const commit = findCommit(output, at, '--at');
  const files = listFiles(output, commit);
  if (files.length === 0) {
    throw new UsageError(
      `--at must be a commit with ${shown}, got ${commit.slice(0, 10)} without it`,
    );
  }
  const cache = new RecordCache(memory, shown);
  const blobs = new PolicyBlobs(output.top, cache);
  const clusters = Map.groupBy(files, ({ path }) => parseClusterName(path));
  const hasClusters = [...clusters.keys()].some((name) => name !== '');
  const names = hasClusters ? [...clusters.keys()].filter((name) => name !== '').toSorted() : [''];
  const selected = selectClusters(names, shown, cluster);
  blobs.prepare(selected.flatMap((name) => (clusters.get(name) ?? []).map(({ blob }) => blob)));
  cache.save();
  const problems: Problem[] = [];
  const sources = selected.map((name) => {
    const read = (clusters.get(name) ?? []).map(({ path, blob }) =>
      blobs.read(blob, `${shown}/${path}`),
    );
    return buildFileSource(name, read, problems);
  });
  return { sources, problems, commit };
}

/** Lists the manifests of an output folder in a commit. */
export function listFiles({ top, folder }: CommittedOutput, commit: string): CommittedFile[] {
  return listEntries(buildListArgs({ id: commit, folder }), top, runGit)
    .filter(({ mode, path }) => mode.startsWith('100') && isManifestFile(path))
    .map(({ path, id }) => ({
      path: folder === '' ? path : path.slice(folder.length + 1),
      blob: id,
    }));
}

/** Returns the cluster of a path in an output; empty outside of the folders of clusters. */
export function parseClusterName(path: string): string {
  const [top, name, ...rest] = path.split('/');
  return top === CLUSTERS && rest.length > 0 ? name! : '';
}
