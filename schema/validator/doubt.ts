/**
 * What cannot be decided here counts as valid while a value is looked at, and leaves a note, which
 * whoever asked picks up: so a doubt is never a refusal, and never goes by unseen.
 */
const notes: string[] = [];
let count = 0;

/** Notes why the answer is not certain; true, for that it may be valid. */
export function doubt(reason: string): true {
  count += 1;
  if (notes.length < 100) notes.push(reason);
  return true;
}

/** How many doubts there were until now. */
export function doubts(): number {
  return count;
}

/** The doubts since then, which are forgotten. */
export function takeDoubts(since: number): string[] {
  const taken = notes.splice(Math.max(0, notes.length - (count - since)));
  count = since;
  return [...new Set(taken)];
}
