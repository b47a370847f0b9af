import { type ExpressionNode, Nesting } from './expression.ts';
import { BrokenExpression, Undecided } from './failure.ts';
import { kubernetes } from './library.ts';
import { expandMacro } from './macros.ts';
import { tokens, type Token } from './token.ts';
import { MAX_INT, MIN_INT, type Value } from './value.ts';

const reserved = new Set(
  (
    'as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);
const literals: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
/** The type names of Protocol Buffers messages. */
const types =
  /^(?:google\.|net\.|(?:bool|bytes|double|int|list|map|null_type|string|type|uint|duration|timestamp|dyn|any|optional_type)$)/;
const relations = new Set(['<', '<=', '>', '>=', '==', '!=', 'in']);

const MAX_LENGTH = 100_000;

/**
 * Parses an expression as the API server does. Throws BrokenExpression if it is not valid CEL, or nested deeper than
 * the API server parses. Throws Undecided for messages of Protocol Buffers, which no rule needs.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax
 */
export function parse(text: string, { isExtended } = kubernetes): ExpressionNode {
  if (text.length > MAX_LENGTH && [...text].length > MAX_LENGTH) {
    throw new BrokenExpression(`must be at most ${MAX_LENGTH} characters, got ${text.length}`, 0);
  }
  return new Parser(tokens(text), isExtended).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #isExtended: boolean;
  readonly #nesting = new Nesting();
  #next = 0;

  constructor(tokens: readonly Token[], isExtended: boolean) {
    this.#tokens = tokens;
    this.#isExtended = isExtended;
  }

  whole(): ExpressionNode {
    const node = this.#expression();
    if (this.#token.kind !== 'end') throw this.#unexpected('the end');
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #is(text: string): boolean {
    const { kind, text: found } = this.#token;
    return found === text && (kind === 'sign' || kind === 'name');
  }

  #accept(text: string): boolean {
    const accepted = this.#is(text);
    if (accepted) this.#next += 1;
    return accepted;
  }

  /** Consumes the mark of optional values, which only Kubernetes has. */
  #acceptOptional(): boolean {
    return this.#isExtended && this.#accept('?');
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#unexpected(`'${text}'`);
  }

  #unexpected(wanted: string): BrokenExpression {
    return unexpected(wanted, this.#token);
  }

  #expression(): ExpressionNode {
    const outer = this.#nesting.enter('expression', this.#token.at);
    const condition = this.#either();
    let node = condition;
    const { at } = this.#token;
    if (this.#accept('?')) {
      const yes = this.#either();
      this.#expect(':');
      node = this.#operation('_?_:_', [condition, yes, this.#expression()], at);
    }
    this.#nesting.leave('expression', outer);
    return node;
  }

  #either(): ExpressionNode {
    return this.#chain('||', () => this.#chain('&&', () => this.#relation()));
  }

  /** Builds a balanced tree of the operands, as the API server does. */
  #chain(sign: '||' | '&&', operand: () => ExpressionNode): ExpressionNode {
    const operands = [operand()];
    const places: number[] = [];
    for (let { at } = this.#token; this.#accept(sign); { at } = this.#token) {
      places.push(at);
      operands.push(operand());
    }
    const tree = (first: number, last: number): ExpressionNode => {
      if (first === last) return operands[first]!;
      const middle = (first + last) >> 1;
      const sides = [tree(first, middle), tree(middle + 1, last)];
      return this.#nesting.around(call(`_${sign}_`, sides, places[middle]!), sides);
    };
    return tree(0, places.length);
  }

  #relation(): ExpressionNode {
    const outer = this.#nesting.enter('relation', this.#token.at);
    let node = this.#sum();
    while (relations.has(this.#token.text) && this.#is(this.#token.text)) {
      const { text, at } = this.#take();
      const operand = this.#nesting.within('relation', at, () => this.#sum());
      node = this.#operation(text === 'in' ? '@in' : `_${text}_`, [node, operand], at);
    }
    this.#nesting.leave('relation', outer);
    return node;
  }

  #sum(): ExpressionNode {
    const outer = this.#nesting.enter('calculation', this.#token.at);
    let node = this.#product();
    while (this.#is('+') || this.#is('-')) {
      const { text, at } = this.#take();
      const operand = this.#nesting.within('calculation', at, () => this.#product());
      node = this.#operation(`_${text}_`, [node, operand], at);
    }
    this.#nesting.leave('calculation', outer);
    return node;
  }

  #product(): ExpressionNode {
    let node = this.#unary();
    while (this.#is('*') || this.#is('/') || this.#is('%')) {
      const { text, at } = this.#take();
      const operand = this.#nesting.within('calculation', at, () => this.#unary());
      node = this.#operation(`_${text}_`, [node, operand], at);
    }
    return node;
  }

  /**
   * Parses unary operators. `!-a` is invalid CEL, and a repeated operator cancels out. A number keeps a single minus.
   */
  #unary(): ExpressionNode {
    const { text: sign, at } = this.#token;
    if ((!this.#is('!') && !this.#is('-')) || this.#isNegative()) return this.#member();
    let count = 0;
    for (; this.#is(sign); count += 1) this.#next += 1;
    if (this.#is('!') || (this.#is('-') && !this.#isNegative())) throw this.#unexpected('a value');
    const node = this.#member();
    return count % 2 === 0 ? node : this.#nesting.around(call(`${sign}_`, [node], at), [node]);
  }

  /** Whether a number with its minus comes next. */
  #isNegative(): boolean {
    const kind = this.#tokens[this.#next + 1]?.kind;
    return this.#is('-') && (kind === 'int' || kind === 'double');
  }

  #member(): ExpressionNode {
    const outer = this.#nesting.enter('member', this.#token.at);
    let node = this.#primary();
    for (;;) {
      const { at } = this.#token;
      if (!this.#is('.') && !this.#is('[')) break;
      if (this.#accept('.')) node = this.#field(node, at);
      else node = this.#index(node, at);
    }
    this.#nesting.leave('member', outer);
    return node;
  }

  #index(operand: ExpressionNode, at: number): ExpressionNode {
    this.#expect('[');
    const name = this.#acceptOptional() ? '_[?_]' : '_[_]';
    const index = this.#expression();
    this.#expect(']');
    return this.#operation(name, [operand, index], at);
  }

  #operation(name: string, args: readonly ExpressionNode[], at: number): ExpressionNode {
    return this.#nesting.above(call(name, args, at), args);
  }

  #field(operand: ExpressionNode, at: number): ExpressionNode {
    const optional = this.#acceptOptional();
    const token = this.#take();
    if (token.kind === 'escaped' && !this.#isExtended) {
      const field = token.text.slice(1, -1);
      return this.#select(operand, field, optional, at);
    }
    if (token.kind !== 'name' || token.text in literals || token.text === 'in') {
      throw unexpected('the name of a field', token);
    }
    if (optional || !this.#accept('(')) {
      return this.#select(operand, token.text, optional, at);
    }
    const args = this.#arguments();
    const expanded = expandMacro(token.text, operand, args, at, this.#isExtended);
    const node = expanded ?? { kind: 'call', at, name: token.text, target: operand, args };
    return this.#nesting.above(node, [operand, ...args]);
  }

  #select(operand: ExpressionNode, field: string, optional: boolean, at: number): ExpressionNode {
    const node = { kind: 'select', at, operand, field, test: false, optional } as const;
    return this.#nesting.above(node, [operand]);
  }

  #arguments(): ExpressionNode[] {
    const args: ExpressionNode[] = [];
    if (this.#accept(')')) return args;
    do args.push(this.#expression());
    while (this.#accept(','));
    this.#expect(')');
    return args;
  }

  #primary(): ExpressionNode {
    const token = this.#take();
    const { at, kind, text } = token;
    if (kind === 'name') return this.#name(token);
    if (kind === 'int') return constant(wholeNumber(text, at), at);
    if (kind !== 'sign' && kind !== 'end') return constant(token.value!, at);
    switch (text) {
      case '-': {
        const number = this.#take();
        if (number.kind === 'double') return constant(-(number.value as number), at);
        return constant(wholeNumber(`-${number.text}`, at), at);
      }
      case '.':
        if (this.#token.kind === 'name') return this.#name({ ...this.#take(), at }, '.');
        break;
      case '(': {
        const node = this.#expression();
        this.#expect(')');
        return node;
      }
      case '[':
        return this.#list(at);
      case '{':
        return this.#map(at);
      default:
    }
    throw unexpected('a value', token);
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  #name({ text, at }: Token, dot = ''): ExpressionNode {
    if (text in literals && !dot) return constant(literals[text]!, at);
    if (reserved.has(text)) {
      throw new BrokenExpression(`must be a name that CEL does not reserve, got ${text}`, at);
    }
    if (text in literals || text === 'in') {
      throw unexpected('a name', { text, at });
    }
    this.#refuseMessage(text, at);
    if (!this.#accept('(')) return { kind: 'ident', at, name: dot + text };
    const args = this.#arguments();
    const expanded = dot ? undefined : expandMacro(text, undefined, args, at, this.#isExtended);
    return this.#nesting.around(expanded ?? call(dot + text, args, at), args);
  }

  /** Refuses a message such as `a.b.C{`: only Protocol Buffers have messages. */
  #refuseMessage(first: string, at: number): void {
    let ahead = this.#next;
    let name = first;
    while (this.#tokens[ahead]?.text === '.' && this.#tokens[ahead + 1]?.kind === 'name') {
      name += `.${this.#tokens[ahead + 1]!.text}`;
      ahead += 2;
    }
    const { kind, text } = this.#tokens[ahead]!;
    if (kind !== 'sign' || text !== '{') return;
    if (types.test(name)) throw new Undecided('it makes a message of Protocol Buffers');
    throw new BrokenExpression(`must be a type before '{', got '${name}'`, at);
  }

  #list(at: number): ExpressionNode {
    const items: { value: ExpressionNode; optional: boolean }[] = [];
    if (this.#accept(',') && !this.#is(']')) throw this.#unexpected("']'");
    while (!this.#accept(']')) {
      const optional = this.#acceptOptional();
      items.push({ optional, value: this.#expression() });
      if (!this.#accept(',') && !this.#is(']')) throw this.#unexpected("',' or ']'");
    }
    return this.#nesting.around(
      { kind: 'list', at, items },
      items.map(({ value }) => value),
    );
  }

  #map(at: number): ExpressionNode {
    const entries: { key: ExpressionNode; value: ExpressionNode; optional: boolean }[] = [];
    if (this.#accept(',') && !this.#is('}')) throw this.#unexpected("'}'");
    while (!this.#accept('}')) {
      const optional = this.#acceptOptional();
      const key = this.#expression();
      this.#expect(':');
      entries.push({ optional, key, value: this.#expression() });
      if (!this.#accept(',') && !this.#is('}')) throw this.#unexpected("',' or '}'");
    }
    const parts = entries.flatMap(({ key, value }) => [key, value]);
    return this.#nesting.around({ kind: 'map', at, entries }, parts);
  }
}

function unexpected(wanted: string, { text, at }: Pick<Token, 'text' | 'at'>): BrokenExpression {
  const got = text === '' ? 'the end' : `'${text}'`;
  return new BrokenExpression(`must be ${wanted}, got ${got}`, at);
}

function call(name: string, args: readonly ExpressionNode[], at: number): ExpressionNode {
  return { kind: 'call', at, name, args };
}

function constant(value: Value, at: number): ExpressionNode {
  return { kind: 'const', at, value };
}

function wholeNumber(text: string, at: number): bigint {
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  if (value >= MIN_INT && value <= MAX_INT) return value;
  throw new BrokenExpression(`must be a whole number of 64 bits, got ${text}`, at);
}
