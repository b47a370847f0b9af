import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { AuditEntry } from '@tenantry/testing/controlplane/cluster';

const writing = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Reads the audit log of an API server as it grows. */
export class AuditLog {
  readonly #file: string;
  readonly #ourAgent: string;

  /** @param ourAgent the user agent of the benchmark itself */
  constructor(file: string, ourAgent: string) {
    this.#file = file;
    this.#ourAgent = ourAgent;
  }

  /** The current end of the log, in bytes. */
  get end(): number {
    return this.#read((file) => fstatSync(file).size);
  }

  /** Counts writes of other clients since a position, also those that the server refused. */
  writesSince(start: number): number {
    return countWrites(this.linesSince(start), this.#ourAgent);
  }

  /** Returns the lines since a position; the last one may be incomplete. */
  linesSince(start: number): string {
    return this.#read((file) => {
      const bytes = Buffer.alloc(fstatSync(file).size - start);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, start));
    });
  }

  #read<T>(read: (file: number) => T): T {
    const file = openSync(this.#file, 'r');
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Counts writes in complete lines, without the server's own. */
export function countWrites(lines: string, ourAgent: string): number {
  return entriesIn(lines).filter(({ verb, userAgent, user }) => {
    const isOurs = userAgent?.startsWith(ourAgent) ?? false;
    return writing.has(verb) && !isOurs && user.username !== 'system:apiserver';
  }).length;
}

/** The requests of an operator. */
export interface RequestCounts {
  readonly requests: number;
  /** The requests that change something; a dry run does not. */
  readonly writes: number;
}

/**
 * Counts the requests of a user in complete lines. Each counts once, though a watch has a line at its
 * start and one at its end.
 */
export function countRequests(lines: string, username: string): RequestCounts {
  const entries = new Map(
    entriesIn(lines)
      .filter(({ user }) => user.username === username)
      .map((entry) => [entry.auditID, entry]),
  );
  const isWrite = ({ verb, requestURI }: Entry): boolean =>
    writing.has(verb) && !/[?&]dryRun=All\b/.test(requestURI);
  return {
    requests: entries.size,
    writes: [...entries.values()].filter((entry) => isWrite(entry)).length,
  };
}

type Entry = AuditEntry & { readonly auditID: string };

function entriesIn(lines: string): Entry[] {
  return lines
    .slice(0, lines.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}
