import type { FACTS } from '../ownership.ts';

type Fact = (typeof FACTS)[keyof typeof FACTS];

/** Formats a list of unique strings in CEL. JSON's string escapes are those of CEL. */
export function celList(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)]);
}

/** Returns CEL for a fact of the namespace of a request; '' if the namespace does not have it. */
export function celFact(key: Fact): string {
  return `namespaceObject.metadata.?annotations[?'${key}'].orValue('')`;
}

/** Returns CEL for the lines of a fact; no lines if the namespace does not have it. */
export function celFactLines(key: Fact): string {
  return `${celFact(key)}.split('\\n').filter(l, l != '')`;
}

/** Returns CEL that tests whether a text is one of the names, in which a `*` at one end matches any text. */
export function celMatches(patterns: readonly string[], text: string): string {
  const ends = patterns.filter((one) => one.startsWith('*'));
  const begins = patterns.filter((one) => !one.startsWith('*') && one.endsWith('*'));
  const names = patterns.filter((one) => !ends.includes(one) && !begins.includes(one));
  const suffixes = celList(ends.map((one) => one.slice(1)));
  const prefixes = celList(begins.map((one) => one.slice(0, -1)));
  return `(${text} in ${celList(names)} || ${prefixes}.exists(p, ${text}.startsWith(p)) || ${suffixes}.exists(s, ${text}.endsWith(s)))`;
}
