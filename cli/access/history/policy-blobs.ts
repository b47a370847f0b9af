import { isMapping, listAt, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { escapeForTerminal } from '@tenantry/kube/printable';
import type { Path, Problem } from '@tenantry/kube/problem';
import { MAX_JSON } from '@tenantry/crd/manifests';
import { runGit } from '../../git/git.ts';
import { readBlobs } from '../../git/tree.ts';
import { readPolicyText, type PolicyText } from '../policy-text.ts';
import { UsageError } from '../../usage-error.ts';
import type { RecordCache } from './record-cache.ts';

/** A role, a binding or a Namespace of a blob, with its lines. */
interface BlobObject {
  readonly object: KubeObject;
  readonly line: number;
  /** The lines of the rules, or of the names of the subjects. */
  readonly lines: readonly number[];
}

/** What a blob has of roles and bindings. */
interface BlobRecord {
  readonly objects: readonly BlobObject[];
  readonly problems: readonly Problem[];
}

/** The number of blobs that are read together. */
const BATCH = 500;

/** Reads roles and bindings from blobs of a repository, each only once between runs. */
export class PolicyBlobs {
  readonly #top: string;
  readonly #cache: RecordCache;
  readonly #records = new Map<string, BlobRecord>();

  constructor(top: string, cache: RecordCache) {
    this.#top = top;
    this.#cache = cache;
  }

  /** Reads the blobs that are not known yet. */
  prepare(ids: Iterable<string>): void {
    const missing = [...new Set(ids)].filter((id) => {
      if (this.#records.has(id)) return false;
      const record = this.#cache.get<BlobRecord>(`blob:${id}`);
      if (record) this.#records.set(id, record);
      return !record;
    });
    for (let from = 0; from < missing.length; from += BATCH) {
      const some = missing.slice(from, from + BATCH);
      for (const [i, text] of this.#readTexts(some).entries()) {
        const record = readRecord(text);
        this.#records.set(some[i]!, record);
        this.#cache.set(`blob:${some[i]!}`, record);
      }
    }
  }

  /** @throws {UsageError} for a blob that a partial clone does not have */
  #readTexts(ids: readonly string[]): string[] {
    try {
      return readBlobs(ids, this.#top, runGit);
    } catch (error) {
      const reason = escapeForTerminal((error as Error).message);
      throw new UsageError(`the past output must be in this clone: ${reason}`, { cause: error });
    }
  }

  /** Returns the objects of a prepared blob. */
  objects(id: string): readonly KubeObject[] {
    return this.#find(id).objects.map(({ object }) => object);
  }

  /**
   * Returns what a prepared blob has, as a file of that name has it.
   * @param file the name for places and problems
   */
  read(id: string, file: string): { found: readonly PolicyText[]; problems: readonly Problem[] } {
    const { objects, problems } = this.#find(id);
    return {
      found: objects.map(({ object, line, lines }) => ({
        object,
        file,
        findLine: ([part, index]: Path) =>
          (part === 'rules' || part === 'subjects') && typeof index === 'number'
            ? (lines[index] ?? line)
            : line,
      })),
      problems: problems.map((problem) => ({ ...problem, file })),
    };
  }

  #find(id: string): BlobRecord {
    const record = this.#records.get(id);
    if (!record) throw new Error(`blob ${id} was not prepared`);
    return record;
  }
}

/** The begin of a file that Git LFS keeps elsewhere. */
const POINTER = 'version https://git-lfs.github.com/spec/';

function readRecord(text: string): BlobRecord {
  if (text.startsWith(POINTER)) {
    const message = 'must be in Git, got a pointer of Git LFS';
    return { objects: [], problems: [{ path: '', message, rule: 'file' }] };
  }
  if (text.length > MAX_JSON) {
    const message = `must be at most ${MAX_JSON / 2 ** 20} MiB, got more`;
    return { objects: [], problems: [{ path: '', message, rule: 'file' }] };
  }
  const { found, problems } = readPolicyText('', text);
  const objects = found.map(({ object, findLine }): BlobObject => ({
    object: reduce(object),
    line: findLine([]),
    lines: object.kind.endsWith('Role')
      ? listAt(object, ['rules']).map((_, i) => findLine(['rules', i]))
      : listAt(object, ['subjects']).map((_, i) => findLine(['subjects', i, 'name'])),
  }));
  return { objects, problems };
}

const fields = ['rules', 'aggregationRule', 'roleRef', 'subjects'] as const;

/** Returns an object with what decides on access only. */
function reduce({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  const { name, namespace, labels } = metadata;
  const kept = fields.flatMap((field) => (rest[field] === undefined ? [] : [[field, rest[field]]]));
  return {
    apiVersion,
    kind,
    metadata: omitUndefined<KubeObject['metadata']>({
      name,
      namespace: namespace ?? undefined,
      labels: isMapping(labels) ? labels : undefined,
    }),
    ...Object.fromEntries(kept),
  };
}
