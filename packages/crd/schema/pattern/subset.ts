/**
 * The subset of Go's regular expressions that JavaScript's engine can match instead: the same strings match, and
 * backtracking takes at most quadratic time.
 *
 * Source: https://pkg.go.dev/regexp/syntax
 */
import {
  ALL,
  charRange,
  charSet,
  complement,
  DIGITS,
  foldCase,
  NOT_NEWLINE,
  SPACE,
  WORD,
  type CharSet,
  either,
  EMPTY,
  UnsupportedPattern,
  repeat,
  sequence,
  single,
  type Part,
} from './parts.ts';

/** The longest pattern that is translated; longer ones are left to RE2. */
const MAX_LENGTH = 1000;
const MAX_DEPTH = 30;
const MAX_OPEN_REPEATS = 1;

/**
 * Returns the source of a JavaScript regular expression (flag `u`) that matches the same strings, in time at most
 * quadratic in their length. Returns undefined if that is not certain.
 */
export function toNative(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || /[^\t\n\x20-\x7e]/.test(pattern)) return undefined;
  try {
    const { source, open, anchored } = new Parser(pattern).whole();
    // A pattern without an anchor is tried at each position.
    return open + (anchored ? 0 : 1) <= MAX_OPEN_REPEATS ? source : undefined;
  } catch (outside) {
    if (outside instanceof UnsupportedPattern) return undefined;
    throw outside;
  }
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  readonly #ignoreCase: boolean;
  readonly #dotAll: boolean;

  constructor(pattern: string) {
    const flags = /^\(\?([is]+)\)/.exec(pattern)?.[1];
    this.#text = flags === undefined ? pattern : pattern.slice(flags.length + 3);
    this.#ignoreCase = flags?.includes('i') ?? false;
    this.#dotAll = flags?.includes('s') ?? false;
  }

  whole(): Part {
    const part = this.#alternatives();
    if (this.#at < this.#text.length) throw new UnsupportedPattern();
    return part;
  }

  #alternatives(): Part {
    if ((this.#depth += 1) > MAX_DEPTH) throw new UnsupportedPattern();
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    this.#depth -= 1;
    return parts.length === 1 ? parts[0]! : either(parts);
  }

  #sequence(): Part {
    let part = EMPTY;
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) {
      part = sequence(part, this.#repeated());
    }
    return part;
  }

  #repeated(): Part {
    const part = this.#one();
    const counted = this.#count();
    if (!counted) return part;
    // A lazy quantifier changes what is matched, but not whether there is a match. A second quantifier is an error in
    // Go.
    this.#take('?');
    if (this.#at < this.#text.length && '*+?'.includes(this.#text[this.#at]!))
      throw new UnsupportedPattern();
    if (this.#count()) throw new UnsupportedPattern();
    return repeat(part, ...counted);
  }

  #count(): [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (this.#text[this.#at] !== '{') return undefined;
    const braces = /^\{(0|[1-9]\d{0,3})(,(0|[1-9]\d{0,3})?)?\}/.exec(this.#text.slice(this.#at));
    if (!braces) throw new UnsupportedPattern();
    this.#at += braces[0].length;
    const least = Number(braces[1]);
    const most = braces[2] === undefined ? least : braces[3] ? Number(braces[3]) : Infinity;
    if (least > most) throw new UnsupportedPattern();
    return [least, most];
  }

  #one(): Part {
    if (this.#take('(')) {
      this.#group();
      const inner = this.#alternatives();
      if (!this.#take(')')) throw new UnsupportedPattern();
      return { ...inner, source: `(?:${inner.source})` };
    }
    if (this.#take('[')) return single(this.#class());
    if (this.#take('.')) return single(this.#dotAll ? ALL : NOT_NEWLINE);
    if (this.#take('^')) return this.#assertion('^');
    if (this.#take('$')) return this.#assertion('$');
    if (this.#take('\\')) return this.#escape();
    const char = this.#text[this.#at]!;
    if ('*+?{}]'.includes(char)) throw new UnsupportedPattern();
    this.#at += 1;
    return single(this.#folded(charSet(char.charCodeAt(0))));
  }

  #group(): void {
    if (!this.#take('?')) return;
    const opening = /^(?::|P?<[A-Za-z_]\w*>)/.exec(this.#text.slice(this.#at));
    if (!opening) throw new UnsupportedPattern();
    this.#at += opening[0].length;
  }

  #escape(): Part {
    if (this.#take('A')) return this.#assertion('^');
    if (this.#take('z')) return this.#assertion('$');
    if (this.#take('b')) return this.#assertion('\\b');
    if (this.#take('B')) return this.#assertion('\\B');
    return single(this.#folded(this.#escaped()));
  }

  /**
   * Parses an assertion. Without the flag `m`, `^` and `$` are the ends of the text in both languages. They are never
   * repeated.
   */
  #assertion(source: string): Part {
    if (this.#count()) throw new UnsupportedPattern();
    return { ...EMPTY, source, anchored: source === '^' };
  }

  /** Parses an escape after its backslash, within a class or outside. */
  #escaped(): CharSet {
    const char = this.#text[this.#at];
    if (char === undefined) throw new UnsupportedPattern();
    this.#at += 1;
    const known = escapes.get(char);
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(char) || char.charCodeAt(0) < 32) throw new UnsupportedPattern();
    return charSet(char.charCodeAt(0));
  }

  /** Parses the members of `[...]` after its bracket. */
  #class(): CharSet {
    const negated = this.#take('^');
    let set = 0n;
    let first = true;
    while (first || this.#text[this.#at] !== ']') {
      if (this.#text.startsWith('[:', this.#at)) throw new UnsupportedPattern();
      const from = this.#member();
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (isRange) {
        this.#at += 1;
        const to = this.#member();
        const [low, high] = [codeOf(from), codeOf(to)];
        if (low === undefined || high === undefined || low > high) throw new UnsupportedPattern();
        set |= charRange(low, high);
      } else {
        set |= from;
        // Go allows a hyphen only at the ends of a class.
        const atEnd = first || this.#text[this.#at] === ']';
        if (from === HYPHEN && this.#text[this.#at - 2] !== '\\' && !atEnd)
          throw new UnsupportedPattern();
      }
      first = false;
    }
    this.#at += 1;
    const folded = this.#folded(set);
    const all = negated ? complement(folded) : folded;
    if (all === 0n) throw new UnsupportedPattern();
    return all;
  }

  #member(): CharSet {
    if (this.#take('\\')) return this.#escaped();
    const char = this.#text[this.#at];
    if (char === undefined) throw new UnsupportedPattern();
    this.#at += 1;
    return charSet(char.charCodeAt(0));
  }

  #folded(set: CharSet): CharSet {
    return this.#ignoreCase ? foldCase(set) : set;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

const HYPHEN = charSet(45);

const escapes = new Map<string, CharSet>([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACE],
  ['S', complement(SPACE)],
  ['t', charSet(9)],
  ['n', charSet(10)],
  ['v', charSet(11)],
  ['f', charSet(12)],
  ['r', charSet(13)],
]);

/** Returns the one ASCII character of a set. */
function codeOf(set: CharSet): number | undefined {
  const code = set.toString(2).length - 1;
  return set === 1n << BigInt(code) && code < 128 ? code : undefined;
}
