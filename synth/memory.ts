import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlacedHolder } from './manifests/manifests.ts';
import { Inputs } from './memory/inputs.ts';
import {
  contentHash,
  formatStatIndex,
  parseStatIndex,
  type StatIndex,
} from './output/statindex.ts';

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
export class Memory {
  readonly outputs: StatIndex;
  readonly inputs: Inputs;
  readonly #inputs: StatIndex;
  readonly #file: string;
  readonly #identity: string;
  readonly #units: ReadonlyMap<string, UnitRecord>;
  readonly #newUnits = new Map<string, UnitRecord>();

  /** @param identity of the code that renders: another one shares nothing with it */
  constructor(file: string, identity: string) {
    this.#file = file;
    this.#identity = identity;
    const stored = load(file, identity);
    this.outputs = stored ? parseStatIndex(stored.outputs) : new Map();
    this.#inputs = stored ? parseStatIndex(stored.inputs) : new Map();
    this.inputs = new Inputs(this.#inputs);
    this.#units = new Map(stored?.units);
  }

  unit(key: string): UnitRecord | undefined {
    return this.#units.get(key);
  }

  remember(key: string, record: UnitRecord): void {
    this.#newUnits.set(key, record);
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
      JSON.stringify([...this.#newUnits]),
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
  readonly units: [string, UnitRecord][];
}

function load(file: string, identity: string): Stored | undefined {
  try {
    const [writtenBy, outputs, inputs, units] = readFileSync(file, 'utf8').split('\n');
    if (writtenBy !== identity || units === undefined) return undefined;
    return { outputs: outputs!, inputs: inputs!, units: JSON.parse(units) as Stored['units'] };
  } catch {
    return undefined;
  }
}

/** The name of the memory of an output folder. */
export function memoryName(directory: string): string {
  return `${contentHash(directory)}.json`;
}
