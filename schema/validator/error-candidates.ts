/** Where in a value something may be wrong: what is looked at again to say what it is. */
import { undeterminedFails } from './undetermined.ts';
import type { SchemaNode, ErrorCandidate, ErrorCandidates } from './types.ts';

/**
 * Where a value may be wrong under a node; undefined where it is valid beyond doubt. Until code is
 * made for the question, all that is known of a wrong value is that it is wrong.
 */
export function findErrorCandidates(node: SchemaNode, value: unknown): ErrorCandidates | undefined {
  if (node.search) return node.search(value, undeterminedFails);
  return node.quick(value, undeterminedFails) ? undefined : 'anywhere';
}

/** The suspects of an object in the order of its keys. */
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
