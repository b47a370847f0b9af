import type { Clock } from '../../runtime/clock/clock.ts';
import type { AnswerFault } from './fault.ts';

/** The error of a connection that must break after the bytes before it were sent. */
export class ConnectionBroken extends Error {}

/** The body of an answer as it arrived. */
export type Chunks = AsyncIterable<Buffer>;

export interface BodyDeps {
  readonly clock: Clock;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

/** Returns the body of an answer under a fault. Throws `ConnectionBroken` where the connection must break. */
export function applyAnswerFault(
  fault: AnswerFault | undefined,
  chunks: Chunks,
  surroundings: BodyDeps,
): Chunks {
  switch (fault?.kind) {
    case 'cut':
      return cutBody(chunks, fault.after);
    case 'stall':
      return stallBody(chunks, fault.after, surroundings);
    case 'trickle':
      return trickleBody(chunks, fault, surroundings);
    case 'repeat':
      return rewriteLines(chunks, (line) => [line, line]);
    case 'stale':
      return rewriteLines(chunks, createStaleRepeater());
    default:
      return chunks;
  }
}

async function* cutBody(chunks: Chunks, after: number): AsyncGenerator<Buffer> {
  yield* takeBytes(chunks, after);
  throw new ConnectionBroken();
}

async function* stallBody(
  chunks: Chunks,
  after: number,
  { clock, gone }: BodyDeps,
): AsyncGenerator<Buffer> {
  yield* takeBytes(chunks, after);
  await clock.sleep(Infinity, gone);
}

async function* takeBytes(chunks: Chunks, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  if (left <= 0) return;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* trickleBody(
  chunks: Chunks,
  { bytes, every }: Extract<AnswerFault, { kind: 'trickle' }>,
  { clock, gone }: BodyDeps,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += bytes) {
      await clock.sleep(every, gone);
      yield chunk.subarray(at, at + bytes);
    }
  }
}

/** Replaces each line of a watch by the lines that `tell` returns for it. */
async function* rewriteLines(
  chunks: Chunks,
  tell: (line: string) => readonly string[],
): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.subarray(0, end + 1).toString();
      rest = rest.subarray(end + 1);
      yield Buffer.from(tell(line).join(''));
    }
  }
  yield rest;
}

function createStaleRepeater(): (line: string) => readonly string[] {
  const before = new Map<string, string>();
  return (line) => {
    const key = parseObjectKey(line);
    if (key === undefined) return [line];
    const last = before.get(key);
    before.set(key, line);
    return last === undefined ? [line] : [line, last];
  };
}

/** Returns `namespace/name` of the object of an event; undefined for bookmarks and errors. */
function parseObjectKey(line: string): string | undefined {
  const { type, object } = JSON.parse(line) as {
    readonly type: string;
    readonly object: { readonly metadata: { readonly namespace?: string; readonly name: string } };
  };
  if (type === 'BOOKMARK' || type === 'ERROR') return undefined;
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
