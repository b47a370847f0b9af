import type { Clock } from '@tenantry/runtime/clock/clock';
import { isList, isStreamedList, isWatch, parseParams } from './requests.ts';
import type { Received } from './scripted-server.ts';

/**
 * What happens to a request on its way to the API server, or to the answer on its way back. Faults of
 * watch events or of lists do not affect other requests.
 */
export type Fault = RequestFault | AnswerFault | Crash;

/** A fault of the request. Bytes are those of the answer's body, times are in milliseconds. */
export type RequestFault =
  /** The request never arrives, and the connection is reset. */
  | { readonly kind: 'reset' }
  /** The request never arrives, and gets no answer. */
  | { readonly kind: 'hang' }
  /** The request never arrives, and is refused as by an API server; `retryAfter` in seconds. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      /** The reason as the API server writes it: `TooManyRequests`, `InternalError`, `Expired`. */
      readonly reason: string;
      readonly retryAfter?: number | undefined;
    }
  /** The request never arrives, and is answered with 200 and this text. */
  | { readonly kind: 'answer'; readonly text: string }
  /** The request arrives when this promise is fulfilled. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /**
   * The request arrives, changed to a past version, and the server answers correctly. A list returns the
   * objects at this version; a watch repeats the events since then.
   */
  | { readonly kind: 'past'; readonly resourceVersion: string };

/** A fault of the answer: the request arrives and has its effect. */
export type AnswerFault =
  /** The answer is lost: the connection is reset when the answer begins. */
  | { readonly kind: 'lose' }
  /** The connection breaks after so many bytes; at 0, after the head and before the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** After so many bytes nothing more arrives, and the connection stays open. */
  | { readonly kind: 'stall'; readonly after: number }
  /** The answer arrives so much later, and so does its head. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The answer arrives in pieces of so many bytes, with so much time between two pieces. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly every: number }
  /** A watch sends each event twice in a row. */
  | { readonly kind: 'repeat' }
  /** After each event of an object, a watch repeats the previous event of that object. */
  | { readonly kind: 'stale' };

/**
 * The client of the request is dead to the server from then on: all its connections are reset. No
 * request of it arrives until `restart` of the proxy is called. `before`: the request has not arrived.
 * `after`: it has had its effect.
 */
export interface Crash {
  readonly kind: 'crash';
  readonly at: 'before' | 'after';
}

/** The error of a connection that must break after the bytes before it were sent. */
export class ConnectionBroken extends Error {}

/** The body of an answer as it arrived. */
type Chunks = AsyncIterable<Buffer>;

interface BodyDeps {
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

/** Changes a request to ask for a past version, where the API allows it: see the fault `past`. */
export function requestPastVersion(received: Received, resourceVersion: string): Received {
  const query = parseParams(received.url);
  // A later page has its version in its token.
  const isPage = isList(received) && !query.has('continue');
  if (!isPage && (!isWatch(received) || isStreamedList(received))) return received;
  query.set('resourceVersion', resourceVersion);
  if (isPage) query.set('resourceVersionMatch', 'Exact');
  return { ...received, url: `${received.url.replace(/\?.*$/s, '')}?${query}` };
}
