import type { KubeObject } from '@tenantry/kube/object';
import { isManifestFile } from '../../manifest-files.ts';
import { listFiles, parseClusterName } from './committed-source.ts';
import type { FileChange, OutputCommit } from './output-history.ts';
import { PolicyBlobs } from './policy-blobs.ts';
import type { RecordCache } from './record-cache.ts';
import type { CommittedOutput } from './revisions.ts';

/** The roles and bindings of an output at one commit, from which its later commits are applied. */
export class OutputState {
  readonly #blobs: PolicyBlobs;
  readonly #prefix: string;
  /** The blobs by cluster and path. */
  readonly #clusters = new Map<string, Map<string, string>>();

  /**
   * Reads the state before the first of some commits, and the blobs of all of them.
   * @param mainline commits of a branch's own line that change the output, oldest first
   * @param otherwise the commit whose state it is, if there are none
   */
  constructor(
    output: CommittedOutput,
    mainline: readonly OutputCommit[],
    cache: RecordCache,
    otherwise?: string,
  ) {
    this.#blobs = new PolicyBlobs(output.top, cache);
    this.#prefix = output.folder === '' ? '' : `${output.folder}/`;
    const [first] = mainline;
    const parent = first ? first.parents[0] : otherwise;
    const start = parent === undefined ? [] : listFiles(output, parent);
    const changed = mainline.flatMap(({ changes }) =>
      selectManifests(changes).flatMap(({ before, after }) => [before, after]),
    );
    const blobs = [...start.map(({ blob }) => blob), ...changed];
    this.#blobs.prepare(blobs.filter((blob) => blob !== undefined));
    for (const { path, blob } of start) this.#set(this.#prefix + path, blob);
  }

  get clusters(): readonly string[] {
    return [...this.#clusters.keys()];
  }

  /** Returns the objects of a cluster. */
  list(cluster: string): KubeObject[] {
    const blobs = [...(this.#clusters.get(cluster)?.values() ?? [])];
    return blobs.flatMap((blob) => this.read(blob));
  }

  /** Returns the objects of a blob; none for a file that does not exist. */
  read(blob: string | undefined): readonly KubeObject[] {
    return blob === undefined ? [] : this.#blobs.objects(blob);
  }

  /** Whether a blob of a file could be read. */
  isReadable(blob: string, path: string): boolean {
    return this.#blobs.read(blob, path).problems.length === 0;
  }

  /** Groups the manifests of changes by their clusters. */
  groupByCluster(changes: readonly FileChange[]): (readonly [string, readonly FileChange[]])[] {
    return [...Map.groupBy(selectManifests(changes), ({ path }) => this.#parse(path))];
  }

  apply(changes: readonly FileChange[]): void {
    for (const { path, after } of selectManifests(changes)) this.#set(path, after);
  }

  #set(path: string, blob: string | undefined): void {
    const cluster = this.#parse(path);
    const files = this.#clusters.get(cluster) ?? new Map<string, string>();
    this.#clusters.set(cluster, files);
    if (blob === undefined) files.delete(path);
    else files.set(path, blob);
  }

  #parse(path: string): string {
    return parseClusterName(path.slice(this.#prefix.length));
  }
}

const selectManifests = (changes: readonly FileChange[]): FileChange[] =>
  changes.filter(({ path }) => isManifestFile(path));
