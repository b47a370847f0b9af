import type { WatchEvent } from '../../../runtime/client/client.ts';
import type { Kind } from '../../../runtime/kinds/kind.ts';
import type { WatchListener } from './server-watch.ts';

/** The events of a watch that its reader has not read yet. */
export class WatchQueue<K extends Kind> implements WatchListener {
  readonly #pending: (() => WatchEvent<K> | undefined)[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.fail(this.#signal?.reason);
  #wake = (): void => undefined;

  /** Fails with the signal's reason when the signal aborts. */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Events on this queue are always of the kind of the watch. */
  event(event: WatchEvent<Kind>): void {
    this.#push(() => event as WatchEvent<K>);
  }

  end(): void {
    this.#push(() => undefined);
  }

  fail(error: unknown): void {
    this.#push(() => {
      throw error;
    });
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  async *events(): AsyncGenerator<WatchEvent<K>, void, undefined> {
    for (;;) {
      const next = this.#pending.shift();
      if (next) {
        const event = next();
        if (!event) return;
        yield event;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #push(next: () => WatchEvent<K> | undefined): void {
    this.#pending.push(next);
    this.#wake();
  }
}
