import { randomUUID } from 'node:crypto';
import { checkJsonDepth, replaceTooDeep } from '@tenantry/kube/json';

declare global {
  interface JSON {
    /** Returns a value that `stringify` writes unchanged (TC39, JSON.parse source text access). */
    rawJSON(text: string): unknown;
  }
}

/** V8 quotes the surrounding text: `Unexpected token 'x', ..."c":"d"x,"..." is not valid JSON`. */
const quotingMessage = /^Unexpected token| is not valid JSON$/;

/** Finds texts that may contain a number with so many digits. A match within a string only costs time. */
const longInteger = /[[:,]\s*-?\d{16,}/;

/**
 * Parses a JSON text. An integer that a number cannot represent (beyond 2^53, of int64) becomes a bigint with every
 * digit; all others are numbers.
 * @throws {SyntaxError} that quotes nothing of the text, which may be a secret
 * @throws {JsonTooDeep} a SyntaxError, for more than `MAX_JSON_DEPTH` nested collections: `JSON.parse` accepts them,
 * but recursion over the value would overflow the stack
 */
export function parseJson(text: string): unknown {
  checkJsonDepth(text);
  return parse(text);
}

/** The mark that replaces a collection that is nested too deep. It is random, so nobody can write it into an object. */
const TOO_DEEP = randomUUID();

/** A value in which marks may replace collections that are nested too deep. */
export interface MarkedJson {
  readonly value: unknown;
  readonly isMarked: boolean;
}

/**
 * Parses like `parseJson`, but replaces what is nested too deep by a mark, which `isTooDeep` finds. So one unreadable
 * object does not make a list unreadable.
 */
export function parseMarkedJson(text: string): MarkedJson {
  const bounded = replaceTooDeep(text, JSON.stringify(TOO_DEEP));
  return { value: parse(bounded), isMarked: bounded !== text };
}

/** Whether a value of `parseMarkedJson` contains a mark. */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === TOO_DEEP;
  return Object.values(value).some(isTooDeep);
}

function parse(text: string): unknown {
  try {
    return longInteger.test(text) ? JSON.parse(text, reviveExactNumber) : JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new SyntaxError(quotingMessage.test(message) ? 'Unexpected token in JSON' : message);
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

/** Returns the JSON of a value; a bigint becomes an integer. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A replacer function for every field would double the time, and bigints are rare.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner,
    );
  }
}
