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
