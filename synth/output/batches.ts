import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { folderOf } from './paths.ts';

/** Files for the writer thread. The bytes are shared memory. */
export interface Batch {
  readonly id: number;
  readonly paths: readonly string[];
  /** The end of the bytes of each file, where those of the next file begin. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** The data that the writer thread is started with. */
export interface WriterData {
  readonly tree: string;
  readonly states: Int32Array;
}

const OFFERED = 0;
const CLAIMED = 1;
const WRITTEN = 2;
const FAILED = 3;

/**
 * Tracks which thread writes which batch, in memory that both threads share. A batch is claimed by
 * one thread only, so either can do the work of the other. A writer thread that is late, failed to
 * start, or had an error costs only time.
 */
export class BatchStates {
  readonly #states: Int32Array;

  /** @param states One cell for every batch that can be in flight; ids wrap around. */
  constructor(states: Int32Array) {
    this.#states = states;
  }

  offer(id: number): void {
    Atomics.store(this.#states, this.#cell(id), id * 4 + OFFERED);
  }

  /** Returns true for the one caller that must write or drop the batch. */
  claim(id: number): boolean {
    const offered = id * 4 + OFFERED;
    const claimed = id * 4 + CLAIMED;
    return Atomics.compareExchange(this.#states, this.#cell(id), offered, claimed) === offered;
  }

  settle(id: number, written: boolean): void {
    Atomics.store(this.#states, this.#cell(id), id * 4 + (written ? WRITTEN : FAILED));
    Atomics.notify(this.#states, this.#cell(id));
  }

  isWritten(id: number): boolean {
    return Atomics.load(this.#states, this.#cell(id)) === id * 4 + WRITTEN;
  }

  /** Waits at most `timeout` ms until a claimed batch is settled. Returns false on a timeout. */
  wait(id: number, timeout: number): boolean {
    return Atomics.wait(this.#states, this.#cell(id), id * 4 + CLAIMED, timeout) !== 'timed-out';
  }

  #cell(id: number): number {
    return id % this.#states.length;
  }
}

/** Writes files below a root and creates each folder once. Two instances may use one root at a time. */
export class TreeWriter {
  readonly #root: string;
  readonly #made = new Set<string>(['']);

  constructor(root: string) {
    this.#root = root;
  }

  /** Throws the error of the file system. */
  write(path: string, bytes: Uint8Array): void {
    const folder = folderOf(path);
    if (!this.#made.has(folder)) {
      mkdirSync(`${this.#root}/${folder}`, { recursive: true });
      this.#made.add(folder);
    }
    const file = openSync(`${this.#root}/${path}`, 'w');
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
  }

  writeBatch(batch: Batch): void {
    let begin = 0;
    for (const [index, path] of batch.paths.entries()) {
      const end = batch.ends[index] ?? begin;
      this.write(path, batch.bytes.subarray(begin, end));
      begin = end;
    }
  }
}
