import type { RE2JS } from 're2js';
import { compilePattern, compileRe2 } from '../../pattern.ts';
import { ComputedList } from '../collection.ts';
import { Failure } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { takeSteps } from '../spending.ts';

const finders = new Map<string, RE2JS>();

/** Returns the matches of a pattern, first to last. */
function finder(pattern: string): RE2JS {
  const known = finders.get(pattern);
  if (known) return known;
  const { error } = compilePattern(pattern);
  if (error !== undefined) throw new Failure(`Illegal regex: error parsing regexp: ${error}`);
  const made = compileRe2(pattern);
  if (finders.size < 1000) finders.set(pattern, made);
  return made;
}

function findAll(text: string, pattern: string, most = -1n): string[] {
  const matcher = finder(pattern).matcher(text.toWellFormed());
  const found: string[] = [];
  const isFull = (): boolean => most >= 0n && found.length >= most;
  for (let end = -1; !isFull() && matcher.find(); end = matcher.end()) {
    // Each search can scan the rest of the text.
    takeSteps(text.length - matcher.start());
    // In Go, an empty match directly after another match does not count.
    const isEmptyAfter = matcher.start() === matcher.end() && matcher.start() === end;
    if (!isEmptyAfter) found.push(matcher.group() ?? '');
  }
  return found;
}

function matches(text: string, pattern: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.error === undefined) return compiled.test(text);
  throw new Failure(`error parsing regexp: ${compiled.error}`);
}

/** The regular-expression functions of CEL itself, in Go's syntax. */
export const matching: Functions = {
  'matches(string, string): bool': matches,
  'string::matches(string): bool': matches,
};

/** The regular-expression functions that Kubernetes adds. */
export const regex: Functions = {
  'string::find(string): string': (text: string, pattern: string) =>
    findAll(text, pattern, 1n)[0] ?? '',
  'string::findAll(string): list<string>': (text: string, pattern: string) =>
    new ComputedList(findAll(text, pattern)),
  'string::findAll(string, int): list<string>': (text: string, pattern: string, most: bigint) =>
    new ComputedList(findAll(text, pattern, most)),
};
