import { paintIf, type Paint } from '../../cli/console-output.ts';

/** Prints the steps of the demo line by line, each with the time since the start. */
export class Narrator {
  readonly paint: Paint;
  readonly #out: (line: string) => void;
  readonly #startedAt = performance.now();

  constructor(out: (line: string) => void, isColored: boolean) {
    this.#out = out;
    this.paint = paintIf(isColored);
  }

  /** Prints what happens next, and the commands that a person would run for it. */
  step(sentence: string, ...commands: readonly string[]): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    this.#out('');
    this.#out(`${this.paint('dim', `${seconds.padStart(5)} s`)}  ${this.paint('bold', sentence)}`);
    this.shown(commands.map((command) => this.paint('cyan', `$ ${command}`)));
  }

  /** Prints the result of a step. */
  shown(lines: readonly string[]): void {
    for (const line of lines) this.#out(line === '' ? '' : `         ${line}`);
  }
}
