/**
 * What becomes of a value of which it cannot be decided here whether it is valid: it is told why,
 * and says whether that counts as valid.
 */
export interface Doubts {
  add(reason: string): boolean;
}

/** For whoever asks whether a value may be valid. */
export const doubtPasses: Doubts = { add: () => true };

/** For whoever asks whether a value is valid beyond doubt. */
export const doubtFails: Doubts = { add: () => false };

/** Counts doubts as valid and keeps them, each once, in the order in which they came. */
export class Reasons implements Doubts {
  #all: Set<string> | undefined;

  add(reason: string): true {
    (this.#all ??= new Set()).add(reason);
    return true;
  }

  get isEmpty(): boolean {
    return this.#all === undefined;
  }

  all(): readonly string[] {
    return [...(this.#all ?? [])];
  }
}
