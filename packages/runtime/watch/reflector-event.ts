import { ApiError } from '../errors/api-error.ts';
import { Malformed, TooDeep, TooLarge, Unreachable } from '../errors/client-errors.ts';

/** An event of a list or a watch, for logs and metrics. */
export type ReflectorEvent =
  /** All objects have been delivered. */
  | {
      readonly type: 'listed';
      readonly by: 'stream' | 'pages';
      readonly objects: number;
      readonly resourceVersion: string;
      readonly milliseconds: number;
    }
  /** An object is nested too deep to be read. Its last readable state stays. */
  | { readonly type: 'unreadable'; readonly key: string; readonly error: TooDeep }
  /** The server ended a watch, as it does after some minutes. It is resumed where it ended. */
  | { readonly type: 'ended'; readonly events: number; readonly milliseconds: number }
  /** The server cannot stream lists (WatchList): this kind is listed in pages from now on. */
  | { readonly type: 'paging'; readonly error: unknown }
  | {
      readonly type: 'failed';
      readonly during: 'list' | 'watch';
      readonly cause: FailureCause;
      readonly error: unknown;
      /** Milliseconds until the next attempt. */
      readonly retryIn: number;
      /** The number of the failed attempt, counted from 1. */
      readonly attempt: number;
      /** Whether all objects are listed again. */
      readonly relists: boolean;
      /** The outage of the kind that this failure begins or extends. */
      readonly outage: Outage;
    }
  /** The kind is read again after failures. */
  | { readonly type: 'recovered'; readonly outage: Outage };

/**
 * A period in which a kind could not be read: from the first failed list or watch to the last one. A cache of the kind
 * may be outdated since then.
 */
export interface Outage {
  /** The start, on the clock. */
  readonly since: number;
  /** The last failure, on the clock. */
  readonly until: number;
  /** The date of the first failure. */
  readonly began: Date;
  readonly during: 'list' | 'watch';
  readonly cause: FailureCause;
  readonly error: unknown;
}

/**
 * - `absent`: the kind is not served (404). It is waited for, and held objects stay.
 * - `expired`: the version is too old (410).
 * - `went back`: the server returned an older version than before, as after a restored backup.
 * - `quiet`: a watch delivered nothing for too long, not even a bookmark.
 * - `short`: a watch ended at once, and delivered nothing.
 * - `refused`: the server answered with another error.
 * - `malformed`: the answer is not an event or a list.
 * - `too deep`: the answer is nested too deep, outside of an object of a list or a watch.
 * - `too large`: a page is too long to be read; the next ones contain fewer objects.
 * - `unreachable`: there was no answer, or it broke off.
 */
export type FailureCause =
  | 'absent'
  | 'expired'
  | 'went back'
  | 'quiet'
  | 'short'
  | 'refused'
  | 'malformed'
  | 'too deep'
  | 'too large'
  | 'unreachable';

/** A watch delivered nothing for so many milliseconds. */
export class IdleTimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`the watch delivered nothing for ${milliseconds / 1000} s, not even a bookmark`);
    this.name = 'IdleTimeoutError';
  }
}

/** A watch ended before it delivered anything. */
export class EmptyWatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EmptyWatchError';
  }
}

/** The server is at an older version than before. */
export class ResourceVersionDecreasedError extends Error {
  constructor(from: string, to: string) {
    super(`the server was at version ${from}, and is at ${to} now: was a backup restored?`);
    this.name = 'ResourceVersionDecreasedError';
  }
}

/**
 * Returns the cause of a failure; undefined for an error that no server can cause, which is in the program and is not
 * retried.
 */
export function classifyFailure(error: unknown): FailureCause | undefined {
  if (error instanceof ApiError) {
    if (error.isExpired) return 'expired';
    return error.isNotFound ? 'absent' : 'refused';
  }
  if (error instanceof Unreachable) return 'unreachable';
  if (error instanceof Malformed) return 'malformed';
  if (error instanceof TooDeep) return 'too deep';
  if (error instanceof TooLarge) return 'too large';
  if (error instanceof IdleTimeoutError) return 'quiet';
  if (error instanceof EmptyWatchError) return 'short';
  return error instanceof ResourceVersionDecreasedError ? 'went back' : undefined;
}

/**
 * Whether the server cannot stream lists. Servers without WatchList refuse its parameters (400 or 422). Aggregated ones
 * may ignore them and never mark the end of the initial objects.
 */
export function isStreamUnsupported(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400 || error.status === 422;
  return error instanceof IdleTimeoutError || error instanceof EmptyWatchError;
}

/**
 * Whether the version may be the cause of a refusal. It is then invalid for this server, the kind was removed, or the
 * server has not reached it and perhaps never will.
 */
export function mayRefuseVersion({ status, details }: ApiError): boolean {
  if (status === 400 || status === 404 || status === 422) return true;
  return details.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}
