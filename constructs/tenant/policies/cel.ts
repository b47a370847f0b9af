import type { FACTS } from '../ownership.ts';

type Fact = (typeof FACTS)[keyof typeof FACTS];

/** A list of strings in CEL, each once. JSON's string escapes are CEL's. */
export function celList(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)]);
}

/** A fact of the namespace of a request; '' where it says none. */
export function celFact(key: Fact): string {
  return `namespaceObject.metadata.?annotations[?'${key}'].orValue('')`;
}

/** The lines of a fact: none without it. */
export function celFactLines(key: Fact): string {
  return `${celFact(key)}.split('\\n').filter(l, l != '')`;
}

/** Whether a text in CEL is one of the names, in which a `*` at one end stands for any rest. */
export function celMatches(patterns: readonly string[], text: string): string {
  const ends = patterns.filter((one) => one.startsWith('*'));
  const begins = patterns.filter((one) => !one.startsWith('*') && one.endsWith('*'));
  const names = patterns.filter((one) => !ends.includes(one) && !begins.includes(one));
  const suffixes = celList(ends.map((one) => one.slice(1)));
  const prefixes = celList(begins.map((one) => one.slice(0, -1)));
  return `(${text} in ${celList(names)} || ${prefixes}.exists(p, ${text}.startsWith(p)) || ${suffixes}.exists(s, ${text}.endsWith(s)))`;
}
