/** The places in a value that may be wrong and are checked again for an explanation. */
import { undeterminedFails } from './undetermined.ts';
import type { SchemaNode, ErrorCandidate, ErrorCandidates } from './types.ts';

/**
 * Finds where a value may be wrong under a node; undefined if it is valid beyond doubt. Before code is generated for
 * the search, the result is only that the value is wrong somewhere.
 */
export function findErrorCandidates(node: SchemaNode, value: unknown): ErrorCandidates | undefined {
  if (node.search) return node.search(value, undeterminedFails);
  return node.quick(value, undeterminedFails) ? undefined : 'anywhere';
}

/** Sorts the candidates of an object in the order of its keys. */
export function sortCandidates(
  first: ErrorCandidate | undefined,
  object: object,
): ErrorCandidate | undefined {
  if (first?.next === undefined) return first;
  if (isInOrder(first, object)) return first;
  const suspects = new Map<string | number, ErrorCandidate>();
  for (let one: ErrorCandidate | undefined = first; one; one = one.next) suspects.set(one.key, one);
  return Object.keys(object).reduceRight<ErrorCandidate | undefined>((next, key) => {
    const suspect = suspects.get(key);
    return suspect ? { ...suspect, next } : next;
  }, undefined);
}

function isInOrder(first: ErrorCandidate, object: object): boolean {
  let next: ErrorCandidate | undefined = first;
  for (const key in object) {
    if (key !== next.key) continue;
    next = next.next;
    if (next === undefined) return true;
  }
  return false;
}
