/** A bracket or a quoted text that was opened, by the offset of its first character. */
export interface OpenToken {
  readonly mark: '[' | '{' | '"' | "'";
  readonly offset: number;
}

/** What a text has begun at an offset. */
export interface TokensAt {
  /** The brackets that are open, outermost first, and the quoted text in which the offset lies. */
  readonly open: readonly OpenToken[];
  /** The offset of the last comment inside an open bracket. */
  readonly comment: number | undefined;
  /** The quoted text that ended last, if nothing but blanks follows it. */
  readonly quoted: OpenToken | undefined;
}

/**
 * Finds the brackets and quotes that are open at an offset of a YAML text, to explain a syntax error there. It knows
 * comments, block scalars and quotes inside plain texts. A plain text that continues on a further line is read as a
 * new one, so a bracket at the begin of such a line counts.
 */
export function findOpenTokens(text: string, end: number): TokensAt {
  const scan = new Scan(text, end);
  scan.run();
  return { open: scan.open, comment: scan.comment, quoted: scan.quoted };
}

const CLOSED_BY: Readonly<Record<string, string>> = { ']': '[', '}': '{' };

class Scan {
  readonly open: OpenToken[] = [];
  comment: number | undefined;
  quoted: OpenToken | undefined;
  readonly #text: string;
  readonly #end: number;
  #at = 0;

  constructor(text: string, end: number) {
    this.#text = text;
    this.#end = end;
  }

  run(): void {
    while (this.#at < this.#end) this.#readToken();
  }

  #readToken(): void {
    const char = this.#text[this.#at]!;
    if (/[ \t\r\n]/.test(char)) this.#at += 1;
    else if (char === '#' && this.#isAfterBlank()) this.#skipComment();
    else if (char === '"' || char === "'") this.#readQuoted(char);
    else if (char === '[' || char === '{') {
      this.open.push({ mark: char, offset: this.#at });
      this.#skip(1);
    } else if (this.open.length > 0 && char in CLOSED_BY) this.#close(CLOSED_BY[char]!);
    else if (this.open.length > 0 && char === ',') this.#skip(1);
    else if (this.open.length === 0 && (char === '|' || char === '>')) this.#skipBlock();
    else if (/[-?:]/.test(char) && /[\s,[\]{}]|^$/.test(this.#text[this.#at + 1] ?? ''))
      this.#skip(1);
    else if (char === '&' || char === '!') this.#skipWord();
    else this.#skipPlain();
  }

  #skip(length: number): void {
    this.#at += length;
    this.quoted = undefined;
  }

  #isAfterBlank(): boolean {
    return this.#at === 0 || /\s/.test(this.#text[this.#at - 1]!);
  }

  #close(mark: string): void {
    if (this.open.at(-1)?.mark === mark) this.open.pop();
    if (this.open.length === 0) this.comment = undefined;
    this.#skip(1);
  }

  #skipComment(): void {
    if (this.open.length > 0) this.comment = this.#at;
    this.#at = this.#endOfLine(this.#at);
  }

  #endOfLine(from: number): number {
    const found = this.#text.indexOf('\n', from);
    return found < 0 ? this.#text.length : found;
  }

  #readQuoted(mark: '"' | "'"): void {
    const token: OpenToken = { mark, offset: this.#at };
    const rest = mark === '"' ? /(?:[^"\\]|\\[^])*"/y : /(?:[^']|'')*'(?!')/y;
    rest.lastIndex = this.#at + 1;
    const found = rest.test(this.#text);
    if (!found || rest.lastIndex > this.#end) {
      this.open.push(token);
      this.#at = this.#end;
      return;
    }
    this.#at = rest.lastIndex;
    this.quoted = token;
  }

  /** Skips a block scalar: all lines that are blank or deeper than the key or the dash before it. */
  #skipBlock(): void {
    const start = this.#text.lastIndexOf('\n', this.#at) + 1;
    const [outer, dashes] = /^( *)((?:- +)*)/.exec(this.#text.slice(start, this.#at))!.slice(1);
    const hasKey = /\S/.test(this.#text.slice(start + outer!.length + dashes!.length, this.#at));
    const lastDash = outer!.length + Math.max(0, dashes!.lastIndexOf('-'));
    const depth = hasKey ? outer!.length + dashes!.length : lastDash;
    this.#skip(1);
    let line = this.#endOfLine(this.#at) + 1;
    while (line < this.#text.length) {
      const [blanks] = /[ \t\r]*/y.exec(this.#text.slice(line)) ?? [''];
      const isBlank = /[\n]|^$/.test(this.#text[line + blanks.length] ?? '');
      if (!isBlank && blanks.length <= depth) break;
      line = this.#endOfLine(line) + 1;
    }
    this.#at = Math.min(line, this.#text.length);
  }

  #skipWord(): void {
    const word = /[^\s,[\]{}]+/y;
    word.lastIndex = this.#at;
    word.test(this.#text);
    this.#skip(Math.max(1, word.lastIndex - this.#at));
  }

  #skipPlain(): void {
    const plain =
      this.open.length > 0
        ? /(?:[^\s,[\]{}:#]|:(?![\s,[\]{}])|(?<=[^\s])#|[ \t]+(?=[^\s,[\]{}:#]))+/y
        : /(?:[^\n:#]|:(?!\s|$)|(?<=[^\s])#)+/y;
    plain.lastIndex = this.#at;
    const isPlain = plain.test(this.#text);
    this.#skip(isPlain ? plain.lastIndex - this.#at : 1);
  }
}
