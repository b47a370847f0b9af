/** Longer texts are rarely the same. */
const longest = 100;

/** For two texts each. A power of two. */
const slotCount = 2048;

/**
 * Keeps texts once that many objects have: the names of namespaces and owners, labels, phases, reasons.
 * The parser of JSON makes each anew. Each text has one place, by what it says, out of which it pushes
 * that which was not seen for longer: what many have stays, and what is remembered has a limit.
 */
export class StringInterner {
  readonly #texts = createSlots();

  /** The same text. */
  intern(text: string): string {
    // Of texts of one character there is one each already.
    if (text.length < 2 || text.length > longest) return text;
    const place = 2 * computeSlot(text);
    const last = this.#texts[place] ?? '';
    if (last === text) return last;
    const before = this.#texts[place + 1];
    const shared = before === text ? before : text;
    this.#texts[place] = shared;
    this.#texts[place + 1] = last;
    return shared;
  }

  /** Lets all texts within a value of JSON be shared ones. It is the same to everybody who reads it. */
  internAll(value: object): void {
    if (Object.isFrozen(value)) return;
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (typeof field === 'string') fields[name] = this.intern(field);
      else if (typeof field === 'object' && field !== null) this.internAll(field);
    }
  }
}

/** All at once: a simulated operator that dies and comes back makes many of these. */
function createSlots(): string[] {
  const texts: string[] = [];
  texts.length = 2 * slotCount;
  return texts.fill('');
}

/** FNV-1a. */
function computeSlot(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  return (hash ^ (hash >>> 16)) & (slotCount - 1);
}
