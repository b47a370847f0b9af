import { randomUUID } from 'node:crypto';
import { checkJsonDepth, replaceTooDeep } from '../../kube/json.ts';

declare global {
  interface JSON {
    /** What `stringify` writes as it stands (TC39, JSON.parse source text access). */
    rawJSON(text: string): unknown;
  }
}

/** V8 shows what stands around the place: `Unexpected token 'x', ..."c":"d"x,"..." is not valid JSON`. */
const isQuoting = /^Unexpected token| is not valid JSON$/;

/** Where a number of so many digits may stand; within a string that costs time, and nothing else. */
const longInteger = /[[:,]\s*-?\d{16,}/;

/**
 * What a JSON text says. An integer that a number cannot hold (beyond 2^53, of int64) is a bigint,
 * with every digit; all others are numbers.
 * @throws {SyntaxError} that quotes nothing of the text, which may be a secret
 * @throws {JsonTooDeep} which is one, for more than `MAX_JSON_DEPTH` collections inside each other: `JSON.parse` takes
 * them, and whatever recurses over the value afterwards overflows the stack
 */
export function parseJson(text: string): unknown {
  checkJsonDepth(text);
  return parse(text);
}

/** In place of a collection that is nested too deep. No server knows it: nobody can write it into an object. */
const TOO_DEEP = randomUUID();

/** A value in which marks may stand for what is nested too deep. */
export interface MarkedJson {
  readonly value: unknown;
  /** Whether there is one. */
  readonly isMarked: boolean;
}

/**
 * The same, but what is nested too deep is replaced by a mark, which `isTooDeep` finds: of a list of objects, all
 * but one may be readable.
 */
export function parseMarkedJson(text: string): MarkedJson {
  const bounded = replaceTooDeep(text, JSON.stringify(TOO_DEEP));
  return { value: parse(bounded), isMarked: bounded !== text };
}

/** Whether a value that was read by `parseMarkedJson` has a mark in it. */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === TOO_DEEP;
  return Object.values(value).some(isTooDeep);
}

function parse(text: string): unknown {
  try {
    return longInteger.test(text) ? JSON.parse(text, reviveExactNumber) : JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new SyntaxError(isQuoting.test(message) ? 'Unexpected token in JSON' : message);
  }
}

function reviveExactNumber(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** The JSON of a value, where a bigint is the integer. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A function that is asked of every field takes twice as long, and bigints are rare.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner,
    );
  }
}
