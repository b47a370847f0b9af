import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { reactionTo } from '../errors/reaction.ts';
import { keyOf, nameOf, type Kind, type ObjectName } from '../kinds/kind.ts';

/** Objects that refuse to be written, after which no further ones are tried. */
const mostRefused = 100;

/** How often an object is written again that others write at the same time. */
const mostConflicts = 5;

/** What became of an object. */
export type RewriteResult = 'rewritten' | 'gone' | 'refused';

export interface ObjectRewriterProps {
  readonly client: Pick<Client, 'list' | 'patch'>;
  readonly clock: Clock;
  /** Of which each object is rewritten. */
  readonly kind: Kind;
  /** Milliseconds between two objects. */
  readonly interval: number;
  readonly observe: (result: RewriteResult) => void;
}

/** Until when objects are rewritten. */
export interface RewriteDeadline {
  /** By the clock. */
  readonly time: number;
  readonly signal: AbortSignal;
}

/**
 * Writes each object that there is once, without a change: the API server then stores it in the version that is
 * its storage version, and one that is stored in it already it leaves as it is. It goes through the objects in
 * turns, and remembers where it is.
 */
export class ObjectRewriter {
  readonly #props: ObjectRewriterProps;
  #next = 0;
  /** Of the page that was read, those that are to be rewritten. */
  #waiting: ObjectName[] = [];
  #continue: string | undefined;
  #isListed = false;
  /** Why, by the name. */
  readonly #refused = new Map<string, string>();
  #again: string[] = [];
  #rewritten = 0;

  constructor(props: ObjectRewriterProps) {
    this.#props = props;
  }

  /** Objects that are rewritten by now. */
  get rewritten(): number {
    return this.#rewritten;
  }

  /** What the API server did not take, and why. */
  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  /**
   * Whether there is nothing to do but to try those again that were refused: all objects have had their turn, or
   * so many were refused that it is in vain.
   */
  get isOver(): boolean {
    const isThrough = this.#isListed && this.#waiting.length === 0;
    return this.#again.length === 0 && (isThrough || this.#refused.size >= mostRefused);
  }

  /**
   * Goes on; where it was over, it begins with those that were refused. Rejects with what may be tried again as a
   * whole, such as an API server that is away, and goes on from there when it is called again.
   */
  async run({ time, signal }: RewriteDeadline): Promise<void> {
    if (this.isOver) this.#again = [...this.#refused.keys()];
    while (this.#props.clock.now() < time && (await this.#hasNext(signal))) {
      await this.#turn(signal);
    }
  }

  /** Whether there is an object to be rewritten. */
  async #hasNext(signal: AbortSignal): Promise<boolean> {
    if (this.#again.length > 0) return true;
    while (this.#waiting.length === 0 && !this.#isListed) await this.#readPage(signal);
    return this.#waiting.length > 0 && this.#refused.size < mostRefused;
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
      // Pages last for some minutes. The server says by what to go on; else it is begun anew.
      if (!(error instanceof ApiError && error.isExpired)) throw error;
      this.#continue = error.continue;
    }
  }

  /** One object, which stays the next one where it is not known what became of it. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { clock, interval, observe } = this.#props;
    const [again] = this.#again;
    const name = again === undefined ? this.#waiting[0] : nameOf(again);
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
        // A webhook that refuses may say so with any status: whether it is gone, the list says.
        if (error.isNotFound && (await this.#isGone(name, signal))) return 'gone';
        if (error.isConflict && conflicts < mostConflicts) continue;
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
