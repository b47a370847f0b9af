/** Where in a value something may be wrong: what is looked at again to say what it is. */
import { doubtFails } from './undetermined.ts';
import type { Node, Suspect, Suspects } from './types.ts';

/**
 * Where a value may be wrong under a node; undefined where it is valid beyond doubt. Until code is
 * made for the question, all that is known of a wrong value is that it is wrong.
 */
export function findErrorCandidates(node: Node, value: unknown): Suspects | undefined {
  if (node.search) return node.search(value, doubtFails);
  return node.quick(value, doubtFails) ? undefined : 'anywhere';
}

/** The suspects of an object in the order of its keys. */
export function inOrder(first: Suspect | undefined, object: object): Suspect | undefined {
  if (first?.next === undefined) return first;
  if (isInOrder(first, object)) return first;
  const suspects = new Map<string | number, Suspect>();
  for (let one: Suspect | undefined = first; one; one = one.next) suspects.set(one.key, one);
  return Object.keys(object).reduceRight<Suspect | undefined>((next, key) => {
    const suspect = suspects.get(key);
    return suspect ? { ...suspect, next } : next;
  }, undefined);
}

function isInOrder(first: Suspect, object: object): boolean {
  let next: Suspect | undefined = first;
  for (const key in object) {
    if (key !== next.key) continue;
    next = next.next;
    if (next === undefined) return true;
  }
  return false;
}
