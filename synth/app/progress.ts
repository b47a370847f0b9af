/**
 * Shows the progress of long work on a terminal, starting after one second. The line is erased at
 * the end.
 */
export class Progress {
  readonly #enabled: boolean;
  readonly #began = performance.now();
  #shown = 0;

  constructor(enabled: boolean) {
    this.#enabled = enabled && process.stderr.isTTY;
  }

  update(done: number, total: number): void {
    if (!this.#enabled) return;
    const now = performance.now();
    if (now - this.#began < 1000 || now - this.#shown < 100) return;
    this.#shown = now;
    const percent = Math.floor((100 * done) / Math.max(total, 1));
    process.stderr.write(`\r\u001b[Krendering ${done} of ${total} files (${percent} %)`);
  }

  end(): void {
    if (this.#shown > 0) process.stderr.write('\r\u001b[K');
  }
}
