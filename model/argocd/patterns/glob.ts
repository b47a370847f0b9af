import { compileLinear } from '@tenantry/crd/schema/pattern';

/** Matches a text against a pattern of Argo CD, which uses two dialects. */
type Matcher = (text: string) => boolean;

interface Dialect {
  /** The character that `*` and `?` do not match. */
  readonly separator: string;
  /** The character that negates a class of characters. */
  readonly not: '!' | '^';
  /** Whether the dialect has `**` and `{a,b}`. */
  readonly wide: boolean;
}

/**
 * Compiles a pattern of repositories, clusters or namespaces, as gobwas/glob reads it.
 * @param separator the character that `*` does not match, and `**` does: `/` for repositories, none for the others
 * @returns undefined if the pattern is invalid
 */
export function compileGlob(pattern: string, separator = ''): Matcher | undefined {
  return compileDialect(pattern, { separator, not: '!', wide: true });
}

/** Compiles a pattern of groups, kinds or names, as Go's filepath.Match reads it; undefined if it is invalid. */
export function compileKindGlob(pattern: string): Matcher | undefined {
  return compileDialect(pattern, { separator: '/', not: '^', wide: false });
}

/** Whether a pattern matches only its own text. */
export function isLiteral(pattern: string): boolean {
  return !/[*?[\]{}\\!]/.test(pattern);
}

function compileDialect(pattern: string, dialect: Dialect): Matcher | undefined {
  const source = new GlobParser(pattern, dialect).parse();
  if (source === undefined) return undefined;
  const expression = compileLinear(`^(?s:${source})$`);
  return expression && ((text) => expression.test(text));
}

/** The maximum depth of nested alternatives; patterns in practice have only a few. */
const MAX_DEPTH = 50;

class GlobParser {
  readonly #text: string;
  readonly #dialect: Dialect;
  #at = 0;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  parse(): string | undefined {
    const source = this.#sequence(0);
    return this.#at === this.#text.length ? source : undefined;
  }

  /** Parses up to the end of the pattern, or to the end of an alternative. */
  #sequence(depth: number): string | undefined {
    let source = '';
    while (this.#at < this.#text.length) {
      const next = this.#text[this.#at]!;
      if (depth > 0 && (next === ',' || next === '}')) return source;
      const part = this.#part(next, depth);
      if (part === undefined) return undefined;
      source += part;
    }
    return depth > 0 ? undefined : source;
  }

  #part(next: string, depth: number): string | undefined {
    const { separator, wide } = this.#dialect;
    const one = separator === '' ? '.' : `[^${escapeRegExp(separator)}]`;
    if (next === '\\') {
      this.#at += 2;
      const literal = this.#text[this.#at - 1];
      return literal === undefined ? undefined : escapeRegExp(literal);
    }
    if (next === '[') return this.#class();
    if (next === '{' && wide) return depth < MAX_DEPTH ? this.#alternatives(depth) : undefined;
    const code = this.#text.codePointAt(this.#at)!;
    this.#at += code > 0xff_ff ? 2 : 1;
    if (next === '?') return one;
    if (next !== '*') return escapeRegExp(String.fromCodePoint(code));
    if (!wide || this.#text[this.#at] !== '*') return `${one}*`;
    while (this.#text[this.#at] === '*') this.#at += 1;
    return '.*';
  }

  #alternatives(depth: number): string | undefined {
    const all: string[] = [];
    do {
      this.#at += 1;
      const one = this.#sequence(depth + 1);
      if (one === undefined) return undefined;
      all.push(one);
    } while (this.#text[this.#at] === ',');
    this.#at += 1;
    return `(?:${all.join('|')})`;
  }

  #class(): string | undefined {
    const { not } = this.#dialect;
    const turned = not === '!' ? '!' : '\\^';
    const found = new RegExp(`^\\[(${turned})?((?:\\\\.|[^\\]\\\\])+)\\]`, 'su');
    const match = found.exec(this.#text.slice(this.#at));
    if (!match) return undefined;
    this.#at += match[0].length;
    const members = match[2]!.replaceAll(/\\(.)/gsu, '$1');
    const isRange = /^.-.$/su.test(members);
    const listed = isRange
      ? `${escapeRegExp(members[0]!)}-${escapeRegExp(members.at(-1)!)}`
      : escapeRegExp(members);
    return `[${match[1] === undefined ? '' : '^'}${listed}]`;
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[^\w]/gsu, (one) => `\\x{${one.codePointAt(0)!.toString(16)}}`);
}
