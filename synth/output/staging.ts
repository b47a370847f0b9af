import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadProgram } from '../code-folder.cjs';
import { BatchStates, TreeWriter, type Batch, type WriterData } from './batches.ts';

/** The bytes that are passed to the writer thread at a time. */
const BATCH = 256 * 1024;
/** The number of batches that may wait. With their size, it limits the memory in flight to 32 MB. */
const IN_FLIGHT = 128;
/** The number of files that are written here before starting a thread pays off. */
const FIRST_FILES = 256;
/** Milliseconds after which the writer thread of an unfinished batch counts as dead. */
const PATIENCE = 60_000;

const WRITER = threadProgram('synth/output/writer');

/**
 * Writes new files below a root that must not exist yet. A thread writes large outputs while the
 * caller renders, but every call is synchronous. The files are complete after `drain()`. Errors are
 * those of the file system; after one, only `close()` may follow.
 */
export class Staging {
  readonly #root: string;
  readonly #writer: TreeWriter;
  readonly #states = new Int32Array(new SharedArrayBuffer(4 * IN_FLIGHT));
  readonly #batches = new BatchStates(this.#states);
  readonly #buffers: Buffer[] = [];
  readonly #waiting: Batch[] = [];
  #filling: { paths: string[]; ends: number[]; bytes: Buffer } | undefined;
  #nextId = 1;
  #files = 0;
  #thread: Worker | undefined;

  constructor(root: string) {
    this.#root = root;
    this.#writer = new TreeWriter(root);
  }

  write(path: string, text: string): void {
    if (this.#files === 0) mkdirSync(this.#root);
    if (this.#files++ < FIRST_FILES || text.length * 3 > BATCH) {
      this.#writer.write(path, Buffer.from(text));
      return;
    }
    const used = this.#filling?.ends.at(-1) ?? 0;
    // UTF-8 takes at most three bytes for a code unit.
    if (used + text.length * 3 > BATCH) this.#offer();
    this.#filling ??= { paths: [], ends: [], bytes: this.#buffer() };
    const { paths, ends, bytes } = this.#filling;
    const begin = ends.at(-1) ?? 0;
    paths.push(path);
    ends.push(begin + bytes.write(text, begin));
  }

  /** Returns when every file is written. Throws the first error of either thread. */
  drain(): void {
    this.#offer();
    // Starts with the newest, since the thread starts with the oldest.
    for (const batch of this.#waiting.toReversed()) this.#takeBack(batch);
    while (this.#waiting.length > 0) this.#awaitOldest();
    this.close();
  }

  /** Stops writing below the root. Idempotent, throws nothing. */
  close(): void {
    const waiting = this.#waiting.splice(0);
    const running = waiting.filter(({ id }) => !this.#batches.claim(id));
    for (const { id } of running) this.#batches.wait(id, PATIENCE);
    void this.#thread?.terminate();
    this.#thread = undefined;
  }

  #offer(): void {
    if (this.#filling === undefined) return;
    const batch: Batch = { id: this.#nextId++, ...this.#filling };
    this.#filling = undefined;
    this.#batches.offer(batch.id);
    this.#waiting.push(batch);
    this.#thread ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#thread.postMessage(batch);
  }

  /** Returns memory for the next batch: that of a written batch, or new memory up to the limit. */
  #buffer(): Buffer {
    this.#collect();
    if (this.#waiting.length >= IN_FLIGHT) {
      const newest = this.#waiting.at(-1);
      if (newest === undefined || !this.#takeBack(newest)) this.#awaitOldest();
      this.#collect();
    }
    return this.#buffers.pop() ?? Buffer.from(new SharedArrayBuffer(BATCH));
  }

  #collect(): void {
    let written = 0;
    for (const { id } of this.#waiting) {
      if (!this.#batches.isWritten(id)) break;
      written++;
    }
    for (const batch of this.#waiting.splice(0, written)) this.#buffers.push(batch.bytes as Buffer);
  }

  #takeBack(batch: Batch): boolean {
    if (!this.#batches.claim(batch.id)) return false;
    let written = false;
    try {
      this.#writer.writeBatch(batch);
      written = true;
    } finally {
      this.#batches.settle(batch.id, written);
    }
    return true;
  }

  #awaitOldest(): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    if (!this.#takeBack(oldest) && !this.#batches.wait(oldest.id, PATIENCE)) {
      throw new Error(`the writer thread must write a batch within ${PATIENCE} ms, got no answer`);
    }
    // A batch that failed in the thread is written again here, where the error can be thrown.
    if (!this.#batches.isWritten(oldest.id)) this.#writer.writeBatch(oldest);
    this.#waiting.shift();
    this.#buffers.push(oldest.bytes as Buffer);
  }

  #start(): Worker {
    const workerData: WriterData = { tree: this.#root, states: this.#states };
    // Flags of the caller's Node, such as loaders, do not apply to this thread.
    const thread = new Worker(WRITER, { workerData, execArgv: [] });
    // The caller writes the batches of a failed thread; see BatchStates.
    thread.on('error', () => {});
    thread.unref();
    return thread;
  }
}
