import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { reactionTo } from '../errors/reaction.ts';
import { keyOf, parseKey, type Kind, type ObjectName } from '../kinds/kind.ts';

/** The number of refused objects after which no further ones are tried. */
const maxRefused = 100;

/** How often a write is repeated because of concurrent writes. */
const maxConflicts = 5;

type RewriteResult = 'rewritten' | 'gone' | 'refused';

interface ObjectRewriterProps {
  readonly client: Pick<Client, 'list' | 'patch'>;
  readonly clock: Clock;
  readonly kind: Kind;
  /** Milliseconds between two objects. */
  readonly interval: number;
  readonly observe: (result: RewriteResult) => void;
}

interface RewriteDeadline {
  readonly time: number;
  readonly signal: AbortSignal;
}

/**
 * Writes each object once without a change, so that the API server stores it in its storage version. An object that is
 * already stored in it stays unchanged. It works in steps, and remembers its position.
 */
export class ObjectRewriter {
  readonly #props: ObjectRewriterProps;
  #next = 0;
  /** The objects of the current page that are not rewritten yet. */
  #waiting: ObjectName[] = [];
  #continue: string | undefined;
  #isListed = false;
  /** The causes of refusals, by name. */
  readonly #refused = new Map<string, string>();
  #again: string[] = [];
  #rewritten = 0;

  constructor(props: ObjectRewriterProps) {
    this.#props = props;
  }

  get rewritten(): number {
    return this.#rewritten;
  }

  /** The refused objects, with the causes. */
  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  /** Whether only refused objects are left to retry: all objects were tried, or too many were refused to go on. */
  get isOver(): boolean {
    const isThrough = this.#isListed && this.#waiting.length === 0;
    return this.#again.length === 0 && (isThrough || this.#refused.size >= maxRefused);
  }

  /**
   * Continues; if it was over, it retries the refused objects first. Rejects with an error that can be retried as a
   * whole, such as an API server that is down, and continues from there at the next call.
   */
  async run({ time, signal }: RewriteDeadline): Promise<void> {
    if (this.isOver) this.#again = [...this.#refused.keys()];
    while (this.#props.clock.now() < time && (await this.#hasNext(signal))) {
      await this.#rewriteNext(signal);
    }
  }

  async #hasNext(signal: AbortSignal): Promise<boolean> {
    if (this.#again.length > 0) return true;
    while (this.#waiting.length === 0 && !this.#isListed) await this.#readPage(signal);
    return this.#waiting.length > 0 && this.#refused.size < maxRefused;
  }

  async #readPage(signal: AbortSignal): Promise<void> {
    const { client, kind } = this.#props;
    try {
      const from = { continue: this.#continue, metadataOnly: true, signal };
      const page = await client.list(kind, from);
      this.#waiting = page.items.map(({ metadata: { name, namespace } }) => ({ name, namespace }));
      this.#continue = page.continue;
      this.#isListed = page.continue === undefined;
    } catch (error) {
      // Pages expire after some minutes. The server then provides a token to continue with; otherwise the list begins
      // again.
      if (!(error instanceof ApiError && error.isExpired)) throw error;
      this.#continue = error.continue;
    }
  }

  /** Rewrites one object. If the result is not known, the object stays the next one. */
  async #rewriteNext(signal: AbortSignal): Promise<void> {
    const { clock, interval, observe } = this.#props;
    const [again] = this.#again;
    const name = again === undefined ? this.#waiting[0] : parseKey(again);
    if (!name) return;
    const pause = this.#next - clock.now();
    if (pause > 0) await clock.sleep(pause, signal);
    signal.throwIfAborted();
    this.#next = Math.max(this.#next, clock.now()) + interval;
    const result = await this.#rewrite(name, signal);
    if (result === 'rewritten') this.#rewritten += 1;
    if (result !== 'refused') this.#refused.delete(keyOf(name));
    if (again === undefined) this.#waiting.shift();
    else this.#again.shift();
    observe(result);
  }

  async #rewrite(name: ObjectName, signal: AbortSignal): Promise<RewriteResult> {
    const { client, kind } = this.#props;
    for (let conflicts = 0; ; conflicts += 1) {
      try {
        await client.patch(kind, name, {}, { signal });
        return 'rewritten';
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // A webhook may refuse with any status, so the list decides whether the object is gone.
        if (error.isNotFound && (await this.#isGone(name, signal))) return 'gone';
        if (error.isConflict && conflicts < maxConflicts) continue;
        if (reactionTo(error) === 'retry') throw error;
        this.#refused.set(keyOf(name), error.message);
        return 'refused';
      }
    }
  }

  async #isGone({ name, namespace }: ObjectName, signal: AbortSignal): Promise<boolean> {
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const found = await this.#props.client.list(this.#props.kind, {
      ...selection,
      metadataOnly: true,
      signal,
    });
    return found.items.length === 0;
  }
}
