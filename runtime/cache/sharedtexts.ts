/** Longer texts are rarely the same. */
const longest = 100;

/** Texts that are remembered, of each sort. */
const most = 4096;

/**
 * Keeps texts once that many objects have: the names of namespaces and owners, labels, phases, reasons.
 * The parser of JSON makes each anew. What comes a second time, is remembered; what comes but once, as
 * most names do, is soon forgotten, so the memory that this takes has a limit.
 */
export class SharedTexts {
  readonly #known = new Map<string, string>();
  readonly #once = new Map<string, string>();

  /** The same text. */
  of(text: string): string {
    // Of texts of one character there is one each already.
    if (text.length < 2 || text.length > longest) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const before = this.#once.get(text);
    if (before === undefined) {
      if (this.#once.size >= most) this.#once.clear();
      this.#once.set(text, text);
      return text;
    }
    this.#once.delete(text);
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(before, before);
    return before;
  }

  /** Lets all texts within a value of JSON be shared ones. It is the same to everybody who reads it. */
  within(value: object): void {
    if (Object.isFrozen(value)) return;
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (typeof field === 'string') fields[name] = this.of(field);
      else if (typeof field === 'object' && field !== null) this.within(field);
    }
  }
}
