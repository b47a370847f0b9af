/**
 * A program of JavaScript in the making: functions of a `value`, with `doubts`, that may call each
 * other. No text from outside gets into it: whatever a program needs besides its own words is handed
 * to it as a constant, and has a name that is made here.
 */
export class Program<Asked> {
  readonly #word: string;
  readonly #constants: unknown[] = [];
  readonly #names = new Map<unknown, string>();
  readonly #functions: { readonly name: string; readonly body: Block }[] = [];

  /** @param word what the names of functions begin with */
  constructor(word: string) {
    this.#word = word;
  }

  /** What stands for the value in the program. */
  constant(value: unknown): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `c${this.#constants.push(value) - 1}`;
    this.#names.set(value, name);
    return name;
  }

  /** A new function: its name at once, its body as it is written. */
  declare(): { readonly name: string; readonly body: Block } {
    const made = { name: `${this.#word}${this.#functions.length}`, body: new Block('  ') };
    this.#functions.push(made);
    return made;
  }

  /** Code that gives the functions in the order in which they were begun. */
  text(): string {
    const names = this.#functions.map(({ name }) => name).join(', ');
    return [
      `'use strict';`,
      `const [${this.#constants.map((_, i) => `c${i}`).join(', ')}] = constants;`,
      ...this.#functions.map(
        ({ name, body }) => `function ${name}(value, doubts) {\n${body.text()}}`,
      ),
      `return [${names}];`,
    ].join('\n');
  }

  /** The functions, ready to be called; undefined where the runtime makes no code from texts. */
  functions(): readonly Asked[] | undefined {
    try {
      const make = new Function('constants', this.text()) as (constants: unknown[]) => Asked[];
      return make(this.#constants);
    } catch (error) {
      if (error instanceof EvalError) return undefined;
      throw error;
    }
  }
}

/** Statements, one below the other. */
export class Block {
  readonly #indentation: string;
  readonly #lines: string[] = [];

  constructor(indentation: string) {
    this.#indentation = indentation;
  }

  line(statement: string): void {
    this.#lines.push(`${this.#indentation}${statement}\n`);
  }

  /** `head { ... }`, or a scope of its own where there is no head. */
  block(head: string, write: (inner: Block) => void): void {
    const inner = new Block(`${this.#indentation}  `);
    write(inner);
    this.line(head === '' ? '{' : `${head} {`);
    this.#lines.push(inner.text());
    this.line('}');
  }

  text(): string {
    return this.#lines.join('');
  }
}
