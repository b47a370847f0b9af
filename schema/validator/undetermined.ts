/**
 * What becomes of a value whose validity cannot be decided here: it is given the reason, and says
 * whether the value counts as valid.
 */
export interface Undetermined {
  /** @param rule the keyword of the schema that is kept or not, which is not known */
  add(rule: string, reason: string): boolean;
}

/** For whoever asks whether a value may be valid. */
export const undeterminedPasses: Undetermined = { add: () => true };

/** For whoever asks whether a value is valid beyond doubt. */
export const undeterminedFails: Undetermined = { add: () => false };

/** Counts doubts as valid and keeps them, each once, in the order in which they came. */
export class UndeterminedReasons implements Undetermined {
  #rules: Map<string, string> | undefined;

  add(rule: string, reason: string): true {
    this.#rules ??= new Map();
    if (!this.#rules.has(reason)) this.#rules.set(reason, rule);
    return true;
  }

  get isEmpty(): boolean {
    return this.#rules === undefined;
  }

  all(): readonly { readonly rule: string; readonly reason: string }[] {
    return [...(this.#rules ?? [])].map(([reason, rule]) => ({ rule, reason }));
  }
}
