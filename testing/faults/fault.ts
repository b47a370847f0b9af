/**
 * What becomes of a request on its way to the API server, or of the answer on its way back. Faults that
 * are about a watch's events or a list leave other requests as they are.
 */
export type Fault = RequestFault | AnswerFault | Crash;

/** The request meets it. Bytes are those of the answer's body, times in milliseconds. */
export type RequestFault =
  /** It never arrives, and the connection is reset. */
  | { readonly kind: 'reset' }
  /** It never arrives, and nothing is answered. */
  | { readonly kind: 'hang' }
  /** It never arrives, and is refused as by an API server; `retryAfter` in seconds. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      /** As the API server says it: `TooManyRequests`, `InternalError`, `Expired`. */
      readonly reason: string;
      readonly retryAfter?: number | undefined;
    }
  /** It never arrives, and is answered with 200 and this text. */
  | { readonly kind: 'answer'; readonly text: string }
  /** It arrives when this is fulfilled. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /**
   * It arrives, asking for the past, of which the server then tells the truth. A list shows what was
   * there at this version; a watch tells once more what happened since then.
   */
  | { readonly kind: 'past'; readonly resourceVersion: string };

/** The request arrives and has its effect; the answer meets it. */
export type AnswerFault =
  /** Nothing of the answer comes back: the connection is reset when there is one. */
  | { readonly kind: 'lose' }
  /** The connection breaks after so many bytes; at 0 after the head, before any of the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** After so many bytes nothing comes any more, and the connection stays. */
  | { readonly kind: 'stall'; readonly after: number }
  /** It comes so much later, its head too. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** It comes in pieces of so many bytes, each so long after the one before. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly every: number }
  /** Of a watch: each event is told twice in a row. */
  | { readonly kind: 'repeat' }
  /** Of a watch: after each event of an object, the event of it before is told once more. */
  | { readonly kind: 'stale' };

/**
 * Whoever sent it is dead from then on, for the server: all its connections are reset, and nothing of it
 * arrives until the proxy is told to `restart`. `before`: the request has not arrived. `after`: it has
 * had its effect.
 */
export interface Crash {
  readonly kind: 'crash';
  readonly at: 'before' | 'after';
}
