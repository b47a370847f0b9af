import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlacedHolder } from './manifests/manifests.ts';
import { Inputs } from './memory/inputs.ts';
import {
  contentHash,
  formatStatIndex,
  parseStatIndex,
  type StatIndex,
} from './output/stat-index.ts';

/** The files that a unit gave, by path and hash, and what the source wants to know of it. */
export interface UnitRecord {
  /** The unit's, for messages. */
  readonly id: string;
  readonly files: readonly (readonly [path: string, hash: string])[];
  readonly objects: number;
  readonly namespaces: readonly string[];
  readonly holders: readonly PlacedHolder[];
  readonly facts: unknown;
}

/**
 * What is remembered between runs: which content of the input gave which content of the output.
 * Everything is keyed by content; losing it costs time and changes no byte. Kept in one file outside
 * the tree; a file that cannot be read or was written by other code counts as empty.
 */
export class RenderCache {
  readonly outputs: StatIndex;
  readonly inputs: Inputs;
  readonly #inputs: StatIndex;
  readonly #file: string;
  readonly #identity: string;
  /** Records as JSON: most are needed for a moment, and as objects they would stay to the end. */
  readonly #units: ReadonlyMap<string, string>;
  readonly #newUnits = new Map<string, string>();
  #last: { readonly key: string; readonly record: UnitRecord | undefined } | undefined;

  /** @param identity of the code that renders: another one shares nothing with it */
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

  /** Remembers a unit for the next run as it was in an earlier one, if it was. */
  retain(key: string): void {
    const text = this.#units.get(key);
    if (text !== undefined) this.#newUnits.set(key, text);
  }

  /**
   * Whether all but one in a hundred of what would be written is there already: rendering a few
   * units again takes less time than writing all the others down.
   */
  #isKnown(outputs: StatIndex): boolean {
    return (
      isKnown(this.#newUnits, this.#units) &&
      isKnown(this.inputs.entries, this.#inputs) &&
      isKnown(outputs, this.outputs)
    );
  }

  /** Writes what this run used; what it did not use is forgotten. A failure to write is no error. */
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
      // The next run renders everything again, which is all that is lost.
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
  /** A key and its record in each. */
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

/** Undefined for what was not written to its end. */
function parsed(record: string | undefined): UnitRecord | undefined {
  try {
    return record === undefined ? undefined : (JSON.parse(record) as UnitRecord);
  } catch {
    return undefined;
  }
}

/** The name of the memory of an output folder. */
export function cacheFileName(directory: string): string {
  return `${contentHash(directory)}.json`;
}
