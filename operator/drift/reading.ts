import type { KubeObject } from '@tenantry/kube/object';
import { isAborted, ifGone, reactionTo } from '@tenantry/runtime/errors/reaction';
import {
  AccessDenied,
  Malformed,
  TooDeep,
  TooLarge,
  Unreachable,
} from '@tenantry/runtime/errors/client-errors';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { describeError } from '../cluster/unobserved.ts';
import { identifyObject, type ObjectIdentity } from './object-drift.ts';

/** An object could not be read, so its differences and field managers are not known. */
export class ReadFailure {
  readonly why: string;
  /** Whether a retry may succeed without a change by anybody. */
  readonly isPassing: boolean;

  constructor(error: unknown) {
    this.why = describeError(error);
    this.isPassing = reactionTo(error) === 'retry';
  }
}

/** Returns the current object with its managedFields; undefined if it is gone. */
export type ReadLive = (object: KubeObject) => Promise<Live | undefined | ReadFailure>;

/** An object that could not be read, and why. */
export interface UnreadObject extends ObjectIdentity {
  readonly why: string;
}

const answers = [ApiError, Unreachable, Malformed, TooDeep, TooLarge, AccessDenied] as const;

/** Creates a reader of objects. A failure for one object does not keep others from being reported. */
export function createLiveReader(
  get: (object: KubeObject) => Promise<Live | undefined>,
  signal: AbortSignal,
): ReadLive {
  return async (object) => {
    try {
      return await get(object).catch(ifGone);
    } catch (error) {
      const isAnswer = answers.some((one) => error instanceof one);
      if (!isAnswer || isAborted(error, signal)) throw error;
      return new ReadFailure(error);
    }
  };
}

/** Wraps a reader and records the objects that it could not read. */
export function recordUnread(read: ReadLive, unread: UnreadObject[]): ReadLive {
  return async (object) => {
    const answer = await read(object);
    if (answer instanceof ReadFailure) unread.push({ ...identifyObject(object), why: answer.why });
    return answer;
  };
}
