import { parseIPv4, parseIPv6 } from '../../kube/address.ts';

/**
 * Whether a text is one mail address, such as `jo@example.com` or `Jo Doe <jo@example.com>`, as OperatorHub requires of
 * a maintainer. Accepts comments, quoted names and groups of one address.
 */
export function isMailAddress(text: string): boolean {
  try {
    const reader = new AddressReader(text);
    const count = reader.address(true);
    reader.skipComments();
    return reader.isAtEnd && count === 1;
  } catch (error) {
    if (error instanceof MalformedAddress) return false;
    throw error;
  }
}

export const A_MAIL_ADDRESS = "a mail address such as 'jo@example.com'";

/** The text at this position cannot be part of an address. */
class MalformedAddress extends Error {}

/** Visible characters except the specials. */
// oxlint-disable-next-line no-control-regex
const ATOM = /[^\0-\x20\x7f()<>[\]:;@\\,"]+/y;
// oxlint-disable-next-line no-control-regex
const QUOTED = /"((?:[^\0-\x08\x0a-\x1f\x7f\\"]|\\[^\0-\x08\x0a-\x1f\x7f])*)"/y;
// oxlint-disable-next-line no-control-regex
const LITERAL = /\[([^\0-\x20\x7f[\]\\]*)\]/y;
const SPACE = /[ \t]*/y;

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Parses a mailbox or, where allowed, a group. Returns the number of addresses. */
  address(mayBeGroup: boolean): number {
    this.#take(SPACE);
    if (this.isAtEnd) throw new MalformedAddress();
    if (this.#isSpec()) {
      this.#take(SPACE);
      if (this.#next === '(') this.#displayComment();
      return 1;
    }
    if (this.#next !== '<') this.#phrase();
    this.#take(SPACE);
    if (mayBeGroup && this.#skip(':')) return this.#group();
    this.#expect('<');
    if (!this.#isSpec()) throw new MalformedAddress();
    this.#expect('>');
    return 1;
  }

  skipComments(): void {
    this.#take(SPACE);
    while (this.#skip('(')) {
      this.#comment();
      this.#take(SPACE);
    }
  }

  #group(): number {
    this.#take(SPACE);
    let count = 0;
    if (!this.#skip(';')) {
      do {
        this.#take(SPACE);
        count += this.address(false);
        this.skipComments();
      } while (this.#skip(','));
      this.#expect(';');
    }
    this.skipComments();
    return count;
  }

  /** Parses `local@domain`; consumes nothing if there is none. */
  #isSpec(): boolean {
    const before = this.#at;
    this.#take(SPACE);
    const isLocal = this.#next === '"' ? this.#take(QUOTED).length > 2 : this.#isDotAtom();
    if (isLocal && this.#skip('@')) {
      this.#take(SPACE);
      if (this.#next === '[' ? this.#isLiteral() : this.#isDotAtom()) return true;
    }
    this.#at = before;
    return false;
  }

  #isDotAtom(): boolean {
    const atom = this.#take(ATOM);
    return atom !== '' && !/^\.|\.\.|\.$/.test(atom);
  }

  #isLiteral(): boolean {
    const literal = this.#take(LITERAL).slice(1, -1);
    return parseIPv4(literal) !== undefined || parseIPv6(literal) !== undefined;
  }

  /** Parses the words before an address in angle brackets. */
  #phrase(): void {
    for (let words = 0; ; words += 1) {
      if (words > 0) this.skipComments();
      this.#take(SPACE);
      const word = this.#take(this.#next === '"' ? QUOTED : ATOM);
      if (word === '' || hasForeignCharset(word)) {
        if (words === 0) throw new MalformedAddress();
        return;
      }
    }
  }

  #displayComment(): void {
    const start = this.#at + 1;
    this.#at = start;
    this.#comment();
    const words = this.#text.slice(start, this.#at - 1).split(/[ \t]+/);
    if (words.some(hasForeignCharset)) throw new MalformedAddress();
  }

  /** Skips to the parenthesis that closes the previous one. */
  #comment(): void {
    for (let depth = 1; depth > 0; this.#at += 1) {
      if (this.isAtEnd) throw new MalformedAddress();
      if (this.#next === '\\' && this.#at + 1 < this.#text.length) this.#at += 1;
      else if (this.#next === '(') depth += 1;
      else if (this.#next === ')') depth -= 1;
    }
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [taken = ''] = pattern.exec(this.#text) ?? [];
    this.#at += taken.length;
    return taken;
  }

  #skip(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw new MalformedAddress();
  }
}

const CHARSETS = new Set(['utf-8', 'iso-8859-1', 'us-ascii']);

/** Whether it is an encoded word (RFC 2047) in an unsupported character set. */
function hasForeignCharset(word: string): boolean {
  const [, charset, encoding, text] = /^=\?([^?]+)\?([BbQq])\?([^?]*)\?=$/.exec(word) ?? [];
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return false;
  if (encoding?.toLowerCase() === 'q') return !/=(?![0-9A-Fa-f]{2})|[^ -~\r\n\t]/.test(text!);
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text!);
}
