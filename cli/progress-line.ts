/** A progress line on a terminal, erased at the end. */
export class ProgressLine {
  readonly #enabled: boolean;
  #shown = false;

  constructor(enabled: boolean) {
    this.#enabled = enabled && process.stderr.isTTY;
  }

  show(what: string): void {
    if (!this.#enabled) return;
    process.stderr.write(`\r\u001b[K${what}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
