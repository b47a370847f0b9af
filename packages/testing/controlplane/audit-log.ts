import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditedRequest } from '../access/access-use.ts';

/** One entry of the audit log (audit.k8s.io/v1, Event), with the fields that tests read. */
export interface AuditEntry extends AuditedRequest {
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: NonNullable<AuditedRequest['objectRef']> & { readonly apiVersion?: string };
  readonly responseStatus?: {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
  };
  /** The body of the request; only writes have it. */
  readonly requestObject?: unknown;
  readonly stage: string;
  readonly stageTimestamp: string;
  /** With microseconds. */
  readonly requestReceivedTimestamp: string;
}

/**
 * The audit log of a cluster's API server, read as it grows. Each line is parsed once, however often
 * the log is read.
 */
export class AuditLog {
  readonly #path: string;
  readonly #entries: AuditEntry[] = [];
  /** Requests received before this time, in milliseconds, are left out. */
  #since = -Infinity;
  /** The number of bytes of the file that have been read. */
  #read = 0;
  /** Whether reading starts in the middle of a line. */
  #isWithin = false;

  constructor(folder: string) {
    this.#path = join(folder, 'audit.log');
  }

  /** Returns a log without requests that were received before now. */
  static fromNow(folder: string): AuditLog {
    const log = new AuditLog(folder);
    const size = statSync(log.#path, { throwIfNoEntry: false })?.size ?? 0;
    log.#since = Date.now();
    // The byte before the start shows whether a line ended there.
    log.#isWithin = size > 0;
    log.#read = Math.max(0, size - 1);
    return log;
  }

  /** Returns all entries so far, oldest first. */
  entries(): AuditEntry[] {
    for (const line of this.#newLines()) {
      const entry = JSON.parse(line) as AuditEntry;
      if (Date.parse(entry.requestReceivedTimestamp) >= this.#since) this.#entries.push(entry);
    }
    return [...this.#entries];
  }

  #newLines(): string[] {
    const bytes = readBytesFrom(this.#path, this.#read);
    const end = bytes.lastIndexOf('\n') + 1;
    if (end === 0) return [];
    this.#read += end;
    const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    const isWithin = this.#isWithin;
    this.#isWithin = false;
    return isWithin ? lines.slice(1) : lines;
  }
}

function readBytesFrom(path: string, from: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
