import { paintIf, type Paint } from '../../cli/words.ts';

/** What whoever watches the demo is told, line by line, with the time since its start. */
export class Telling {
  readonly paint: Paint;
  readonly #out: (line: string) => void;
  readonly #startedAt = performance.now();

  constructor(out: (line: string) => void, isColoured: boolean) {
    this.#out = out;
    this.paint = paintIf(isColoured);
  }

  /** What happens now, and what a person would type for it. */
  step(sentence: string, ...commands: readonly string[]): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    this.#out('');
    this.#out(`${this.paint('dim', `${seconds.padStart(5)} s`)}  ${this.paint('bold', sentence)}`);
    this.shown(commands.map((command) => this.paint('cyan', `$ ${command}`)));
  }

  /** What came of it. */
  shown(lines: readonly string[]): void {
    for (const line of lines) this.#out(line === '' ? '' : `         ${line}`);
  }
}
