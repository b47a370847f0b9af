import type { FACTS } from '../ownership.ts';

type Fact = (typeof FACTS)[keyof typeof FACTS];

/** A list of strings in CEL, each once. JSON's string escapes are CEL's. */
export function celList(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)]);
}

/** A fact of the namespace of a request; '' where it says none. */
export function fact(key: Fact): string {
  return `namespaceObject.metadata.?annotations[?'${key}'].orValue('')`;
}

/** The lines of a fact: none without it. */
export function factLines(key: Fact): string {
  return `${fact(key)}.split('\\n').filter(l, l != '')`;
}
