import type { Check } from './types.ts';

/**
 * A JavaScript program under construction: functions of a `value`, with `doubts`, that may call each other. No external
 * text gets into it. Everything besides its own code is passed as a constant, whose name is generated here.
 */
export class Program {
  readonly #constants: unknown[] = [];
  readonly #names = new Map<unknown, string>();
  readonly #functions: { readonly name: string; readonly body: Block }[] = [];

  /** Adds a constant and returns the name that refers to it. */
  constant(value: unknown): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = `c${this.#constants.push(value) - 1}`;
    this.#names.set(value, name);
    return name;
  }

  /** Declares a function. Its name is available at once; its body is written afterwards. */
  declare(): { readonly name: string; readonly body: Block } {
    const made = { name: `check${this.#functions.length}`, body: new Block('  ') };
    this.#functions.push(made);
    return made;
  }

  /** Returns code that evaluates to the functions, in the order of their declaration. */
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

  /** Returns the compiled functions; undefined if the runtime cannot compile code from text. */
  functions(): readonly Check[] | undefined {
    try {
      const make = new Function('constants', this.text()) as (constants: unknown[]) => Check[];
      return make(this.#constants);
    } catch (error) {
      if (error instanceof EvalError) return undefined;
      throw error;
    }
  }
}

/** A sequence of statements. */
export class Block {
  readonly #indentation: string;
  readonly #lines: string[] = [];

  constructor(indentation: string) {
    this.#indentation = indentation;
  }

  line(statement: string): void {
    this.#lines.push(`${this.#indentation}${statement}\n`);
  }

  /** Writes `head { ... }`, or a plain block if the head is empty. */
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
