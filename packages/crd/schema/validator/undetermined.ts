/**
 * Decides about a value whose validity cannot be determined here. It gets the reason and returns whether the value
 * counts as valid.
 */
export interface Undetermined {
  /** @param rule the schema keyword that the value may or may not satisfy */
  add(rule: string, reason: string): boolean;
}

/** Accepts every doubt, to check whether a value may be valid. */
export const undeterminedPasses: Undetermined = { add: () => true };

/** Refuses every doubt, to check whether a value is valid beyond doubt. */
export const undeterminedFails: Undetermined = { add: () => false };

/** Counts doubts as valid and records each once, in the order of their occurrence. */
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
