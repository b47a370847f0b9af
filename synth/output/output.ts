import { lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { lookAt, type AreaContents } from './area.ts';
import { withWriteErrors, ForeignFile } from './errors.ts';
import { DiskComparison, type FileState } from './comparison.ts';
import { isGeneratedAt } from './generated-line.ts';
import { Claims } from './paths.ts';
import { resolveOutputLocation, type OutputLocation } from './location.ts';
import { WriteSession } from './session.ts';
import { contentHash, buildEntry, type StatEntry, type StatIndex } from './stat-index.ts';
import { isEmptyFile, isGenerated, surveyOutput, findUnexpectedFiles } from './survey.ts';
import { SwapInterrupted, type Moment } from './swap.ts';

export interface OutputOptions {
  /** `write` updates the folder; `compare` writes nothing anywhere. */
  readonly mode: 'write' | 'compare';
  /** The index of the last output to this folder. @default - every file on disk is read */
  readonly index?: StatIndex;
  /**
   * Top-level folders that may hold nothing but the output. They are searched for unexpected files, and so are all other
   * folders that the output writes to, and the staging area.
   * @default - unexpected files are not searched for
   */
  readonly sealed?: readonly string[];
  /**
   * Files that another tool may write here too. They need no line of a generated file: the output overwrites them
   * even if another tool wrote them, and never removes them.
   * @default - none
   */
  readonly shared?: readonly string[];
  /** Called with each file that differs from the one on disk. @default - not called */
  readonly onDifference?: (path: string, text: string) => void;
  /** Called at points of a write where a test may end the process. @default - not called */
  readonly onMoment?: (moment: Moment) => void;
}

/**
 * An output folder that is swapped in when it is complete. Unchanged files stay untouched. Generated files that are no
 * longer part of the output are removed. Foreign files are kept. A file counts as generated if its first line states its own
 * path (`withGeneratedLine`).
 *
 *     const output = Output.open('dist', { mode: 'write' });
 *     output.put('clusters/eu1/tenants/pay/tenant.yaml', text);
 *     const changes = output.finish();
 */
export class Output {
  readonly #place: OutputLocation;
  readonly #session: WriteSession | undefined;
  readonly #disk: DiskComparison;
  readonly #sealed: readonly string[] | undefined;
  readonly #shared: ReadonlySet<string>;
  readonly #onDifference: OutputOptions['onDifference'];
  readonly #claims = new Claims();
  readonly #added: string[] = [];
  readonly #changed: string[] = [];
  readonly #foreign = new Set<string>();
  readonly #inFolders: string[] = [];
  #began = 0;
  #state: 'open' | 'finished' | 'aborted' = 'open';

  /**
   * Opens an output; the folder need not exist. In mode `write` it takes the lock. Throws
   * `OutputLocked` when another process writes, `OutputNotWritten` when the file system refuses,
   * and `UnusableOutput` for the reasons of `resolveOutputLocation`.
   */
  static open(directory: string, options: OutputOptions): Output {
    return new Output(directory, options);
  }

  private constructor(directory: string, options: OutputOptions) {
    const { mode, index = new Map(), sealed, shared, onMoment = () => {} } = options;
    this.#sealed = sealed;
    this.#shared = new Set(shared);
    this.#onDifference = options.onDifference;
    if (mode === 'write') {
      this.#session = withWriteErrors(directory, () => new WriteSession(directory, onMoment));
    }
    this.#place = this.#session?.place ?? resolveOutputLocation(directory);
    try {
      this.#disk = new DiskComparison(this.#place.output, this.#place.exists, index);
    } catch (error) {
      this.#session?.abort();
      throw error;
    }
  }

  /**
   * Sets the content of a file. Throws on a path that is not relative, leaves the folder, already
   * has another text, or is the folder of another file. Throws on a text without the line of a generated file, unless
   * the file is shared. Throws `UnsafePath` behind a symbolic link, and `OutputNotWritten` when the file cannot be
   * staged. After an error the output is aborted.
   * @param hash the `contentHash` of the text, if the caller has it. Default: computed
   */
  put(path: string, text: string, hash?: string): void {
    this.#whileOpen(() => {
      if (!this.#claims.claim(path, (hash ??= contentHash(text)))) return;
      if (!this.#shared.has(path) && !isGeneratedAt(path, text)) {
        throw new Error(`${path} must begin with the line of a generated file and this path`);
      }
      this.#write(path, text, hash);
    });
  }

  /**
   * Keeps the file on disk as part of the output if it has the content of that hash, judged by its
   * stat or by reading it. Throws as `put` does.
   * @returns false if the file differs and must be set with `put`
   */
  keep(path: string, hash: string): boolean {
    return this.#whileOpen(() => {
      if (this.#disk.compare(path, hash, () => undefined) !== 'same') return false;
      this.#claims.claim(path, hash);
      return true;
    });
  }

  /**
   * Swaps the output in; in mode `compare` only returns what that would change. Throws
   * `ForeignFile`, `UnsafePath` or `OutputNotWritten` with the folder unchanged, or
   * `SwapInterrupted` when the swap failed half way. The output is closed in every case.
   */
  finish(): OutputChanges {
    return this.#whileOpen(() => {
      const { stale: removed, unexpected } = this.#survey();
      this.#lookIntoFolders(removed);
      const foreign = [...this.#foreign].toSorted();
      if (this.#session !== undefined) {
        if (foreign.length > 0) throw new ForeignFile(this.#place.output, foreign);
        const staged = [...this.#added, ...this.#changed];
        this.#began = withWriteErrors(
          this.#place.output,
          () => this.#session?.commit({ staged, removed }, this.#disk.folders) ?? 0,
        );
      }
      this.#state = 'finished';
      return this.#changes(removed, foreign, unexpected);
    });
  }

  /** Leaves the folder unchanged, and removes the staged files and the lock. Idempotent. */
  abort(): void {
    if (this.#state !== 'open') return;
    this.#state = 'aborted';
    this.#session?.abort();
  }

  /**
   * Returns the stats of this output for the next `open`. Only after `finish()`. Files that changed
   * in the last moment are left out; the next run reads and records them.
   */
  statIndex(): StatIndex {
    if (this.#state !== 'finished') throw new Error('finish() must come before statIndex()');
    const index = new Map<string, StatEntry>(this.#disk.entries);
    if (this.#session === undefined) return index;
    for (const path of [...this.#added, ...this.#changed]) {
      const stat = lstatSync(`${this.#place.output}/${path}`, { throwIfNoEntry: false });
      const hash = this.#claims.findHash(path);
      if (stat === undefined || hash === undefined) continue;
      const entry = buildEntry(hash, stat, this.#began);
      if (entry !== undefined) index.set(path, entry);
    }
    return index;
  }

  #write(path: string, text: string, hash: string): void {
    const standing = this.#disk.compare(path, hash, () => Buffer.byteLength(text));
    if (standing === 'same') return;
    this.#onDifference?.(path, text);
    this.#noteForeign(path, standing);
    (standing === 'absent' ? this.#added : this.#changed).push(path);
    this.#stage(path, text);
  }

  #stage(path: string, text: string): void {
    if (this.#foreign.size > 0) return;
    withWriteErrors(this.#place.output, () => this.#session?.stage(path, text));
  }

  #noteForeign(path: string, standing: FileState): void {
    if (standing === 'other') {
      if (!this.#shared.has(path) && !this.#isReplaceable(path)) this.#foreign.add(path);
    } else if (standing === 'folder') {
      this.#inFolders.push(path);
    } else if (standing === 'absent') {
      const file = this.#disk.folders.fileInTheWay(path);
      if (file !== undefined && !this.#isReplaceable(file)) this.#foreign.add(file);
    }
  }

  /** Whether a file may be overwritten. A crash of the machine can leave rendered files without content. */
  #isReplaceable(path: string): boolean {
    const { output } = this.#place;
    return isGenerated(output, path) || isEmptyFile(output, path);
  }

  /** Finds files in the folder that are not part of the output. */
  #survey() {
    const isClaimed = (path: string) => this.#claims.has(path) || this.#shared.has(path);
    const watched =
      this.#sealed === undefined ? [] : [...this.#sealed, ...this.#claims.topFolders()];
    return surveyOutput(this.#place.output, isClaimed, new Set(watched));
  }

  /**
   * Finds the foreign files in folders that become files. Such a folder may hold only files to be
   * removed.
   */
  #lookIntoFolders(removed: readonly string[]): void {
    const files = new Set(removed);
    const expected = { root: this.#place.output, has: (path: string) => files.has(path) };
    for (const folder of this.#inFolders) {
      for (const path of findUnexpectedFiles(folder, expected))
        this.#foreign.add(path.replace(/\/$/, ''));
    }
  }

  #changes(
    removed: readonly string[],
    foreign: readonly string[],
    unexpected: readonly string[],
  ): OutputChanges {
    const area = lookAt(this.#place.area);
    const added = this.#added.toSorted();
    const changed = this.#changed.toSorted();
    return {
      written: [...added, ...changed].toSorted(),
      added,
      changed,
      removed,
      unchanged: this.#claims.size - added.length - changed.length,
      foreign,
      unexpected: this.#listUnexpected(unexpected, new Set(foreign), area),
      interrupted: area.interrupted,
    };
  }

  /** @param reported foreign files, which the report lists elsewhere */
  #listUnexpected(
    unexpected: readonly string[],
    reported: ReadonlySet<string>,
    area: AreaContents,
  ): string[] {
    if (this.#sealed === undefined) return [];
    const inside = unexpected.filter((path) => !reported.has(path));
    const beside = relative(this.#place.output, this.#place.area).replaceAll('\\', '/');
    return [...inside, ...area.unexpectedNames.map((name) => `${beside}/${name}`)].toSorted();
  }

  #whileOpen<T>(action: () => T): T {
    if (this.#state !== 'open') {
      throw new Error(`an output must be open to be used, got one that is ${this.#state}`);
    }
    try {
      return action();
    } catch (error) {
      if (error instanceof SwapInterrupted) this.#state = 'finished';
      this.abort();
      throw error;
    }
  }
}

/** The changes of an output, made or predicted. Paths are relative and sorted by code units. */
export interface OutputChanges {
  /** `added` and `changed` together. */
  readonly written: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Files that Tenantry rendered and that are no longer part of the output. */
  readonly removed: readonly string[];
  /** The number of files that are unchanged. */
  readonly unchanged: number;
  /** Foreign files in the place of output files. Only a comparison reports them; a write throws. */
  readonly foreign: readonly string[];
  /**
   * Unexpected entries where only the output may be: files, links, and empty folders, which end in
   * `/`. A write leaves them where they are.
   */
  readonly unexpected: readonly string[];
  /**
   * Whether a writer was killed during its swap, which explains differences. Only a comparison
   * reports it.
   */
  readonly interrupted: boolean;
}

/** Whether the folder equals the output, so that nothing is to be done. */
export function isUpToDate({ written, removed, foreign, unexpected }: OutputChanges): boolean {
  return written.length + removed.length + foreign.length + unexpected.length === 0;
}
