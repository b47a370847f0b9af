import {
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  lstatSync,
  readdirSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { PlacedHolder } from './manifests/manifests.ts';
import {
  contentHash,
  formatStatIndex,
  parseStatIndex,
  buildEntry,
  matches,
  type StatIndex,
  type StatEntry,
} from './output/stat-index.ts';
import { codeFolder, packageFolder } from './code-folder.cjs';

/** The files of a unit by path and hash, and the facts for its source. */
export interface UnitRecord {
  /** The id of the unit, for messages. */
  readonly id: string;
  readonly files: readonly (readonly [path: string, hash: string])[];
  readonly objects: number;
  readonly namespaces: readonly string[];
  readonly holders: readonly PlacedHolder[];
  readonly facts: unknown;
}

/**
 * A cache of which input content gave which output content. Everything is keyed by content: losing
 * it costs time and changes no byte. It is one file outside of the tree. A file that cannot be read
 * or was written by other code counts as empty.
 */
export class RenderCache {
  readonly outputs: StatIndex;
  readonly inputs: Inputs;
  readonly #inputs: StatIndex;
  readonly #file: string;
  readonly #identity: string;
  /** Records as JSON. Most are needed only briefly, and parsed objects would stay in memory to the end. */
  readonly #units: ReadonlyMap<string, string>;
  readonly #newUnits = new Map<string, string>();
  #last: { readonly key: string; readonly record: UnitRecord | undefined } | undefined;

  /** @param identity the identity of the rendering code; other code shares nothing with it */
  constructor(file: string, identity: string) {
    this.#file = file;
    this.#identity = identity;
    const stored = load(file, identity);
    this.outputs = stored ? parseStatIndex(stored.outputs) : new Map();
    this.#inputs = stored ? parseStatIndex(stored.inputs) : new Map();
    this.inputs = new Inputs(this.#inputs);
    this.#units = stored ? linesByKey(stored.units) : new Map();
  }

  has(key: string): boolean {
    return this.#units.has(key);
  }

  get(key: string): UnitRecord | undefined {
    if (this.#last?.key !== key) this.#last = { key, record: parsed(this.#units.get(key)) };
    return this.#last.record;
  }

  /** @param key without a space or a line break, such as a `contentHash` */
  set(key: string, record: UnitRecord): void {
    this.#newUnits.set(key, JSON.stringify(record));
  }

  /** Keeps the record of an earlier run for the next one, if there is one. */
  retain(key: string): void {
    const text = this.#units.get(key);
    if (text !== undefined) this.#newUnits.set(key, text);
  }

  /**
   * Whether at least 99 % of the records are written already. Rendering a few units again is faster
   * than writing all the others.
   */
  #isKnown(outputs: StatIndex): boolean {
    return (
      isKnown(this.#newUnits, this.#units) &&
      isKnown(this.inputs.entries, this.#inputs) &&
      isKnown(outputs, this.outputs)
    );
  }

  /** Writes the records that this run used, and drops the others. A failed write is no error. */
  save(outputs: StatIndex): void {
    if (this.#isKnown(outputs)) return;
    const text = [
      this.#identity,
      formatStatIndex(outputs),
      formatStatIndex(this.inputs.entries),
      ...[...this.#newUnits].map(([key, record]) => `${key} ${record}`),
    ].join('\n');
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      const draft = `${this.#file}.${process.pid}`;
      writeFileSync(draft, text);
      renameSync(draft, this.#file);
    } catch {
      // The next run only has to render everything again.
    }
  }
}

function isKnown<V>(wanted: ReadonlyMap<string, V>, stored: ReadonlyMap<string, V>): boolean {
  let unknown = Math.abs(wanted.size - stored.size);
  for (const [key, value] of wanted) if (stored.get(key) !== value) unknown += 1;
  return unknown * 100 <= stored.size;
}

interface Stored {
  readonly outputs: string;
  readonly inputs: string;
  /** A key and its record per entry. */
  readonly units: readonly string[];
}

function load(file: string, identity: string): Stored | undefined {
  try {
    const [writtenBy, outputs, inputs, ...units] = readFileSync(file, 'utf8').split('\n');
    if (writtenBy !== identity || outputs === undefined || inputs === undefined) return undefined;
    return { outputs, inputs, units };
  } catch {
    return undefined;
  }
}

function linesByKey(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
}

/** Returns undefined for an incomplete record. */
function parsed(record: string | undefined): UnitRecord | undefined {
  try {
    return record === undefined ? undefined : (JSON.parse(record) as UnitRecord);
  } catch {
    return undefined;
  }
}

/** Returns the file name of the cache for an output folder. */
export function cacheFileName(directory: string): string {
  return `${contentHash(directory)}.json`;
}

/** The hashes of input files that are unchanged since an earlier run, according to their stats. */
export class Inputs {
  /** The entries for the next run: all that were used or recorded in this one. */
  readonly entries = new Map<string, StatEntry>();
  readonly #known: StatIndex;
  readonly #began = Date.now();
  /** The stats of unknown files, from before they are read. */
  readonly #stats = new Map<string, Stats>();

  constructor(known: StatIndex) {
    this.#known = known;
  }

  /** Returns the recorded hash of a file if its stat is unchanged; undefined if it must be read. */
  hashFile(file: string): string | undefined {
    const stat = readStat(file);
    if (!stat?.isFile()) return undefined;
    const entry = this.#known.get(file);
    if (entry && matches(entry, stat)) {
      this.entries.set(file, entry);
      return entry.hash;
    }
    this.#stats.set(file, stat);
    return undefined;
  }

  /**
   * Records the hash of a file that was read after a call of `hashFile`. A file that changed shortly
   * before is skipped, because another change right after it could have the same stat.
   */
  note(file: string, hash: string): void {
    const stat = this.#stats.get(file);
    const entry = stat && buildEntry(hash, stat, this.#began);
    if (entry) this.entries.set(file, entry);
  }
}

function readStat(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // the code that reads the file reports the error
  }
}

/** The folders whose code decides what is rendered. */
export const renderingRooms = ['crds', 'model', 'constructs', 'synth', 'apps'];

/** The packages whose code decides what is rendered. */
export const renderingPackages = ['crd', 'kube', 'olm', 'operator-kit', 'runtime'];

/**
 * Returns a value that changes with the rendering code and the version of Node, so that the output
 * of other code is never reused.
 */
export function codeIdentity(): string {
  const folders = [
    ...renderingRooms.map((room) => join(codeFolder, room)),
    ...renderingPackages.map((name) => packageFolder(name)),
  ];
  const parts = [...folders, process.version];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      // Type declarations, half of the files of a package, have no effect, and neither have tests.
      if (!entry.isFile() || /\.d\.c?ts$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      if (file.startsWith(join(folder, 'test', sep))) continue;
      const { size, mtimeMs, ctimeMs } = statSync(file);
      parts.push(`${file} ${size} ${mtimeMs} ${ctimeMs}`);
    }
  }
  return contentHash(parts.join('\n'));
}
