import type { Reader, UnreadableObject, WatchEvent, WatchOptions } from '../client/client.ts';
import { Backoff, TimeSlice } from '../clock/pacing.ts';
import { type Clock, type Random, systemClock, rejectOnAbort } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { reactionTo } from '../errors/reaction.ts';
import type { Kind } from '../kinds/kind.ts';
import {
  classifyFailure,
  EmptyWatchError,
  fruitlessCauses,
  OutageTracker,
  isStreamUnsupported,
  mayRefuseVersion,
  type FailureCause,
  withIdleTimeout,
} from './failures.ts';
import { ListStreams, type Reflected, type ReflectOptions, type Sink } from './options.ts';
import { SinkWriter, type Listing, SinkFailure } from './sink-writer.ts';

/** Milliseconds without an event after which a streamed list is requested in pages instead. */
const listIdleTimeout = 30_000;

/** Milliseconds for which lists are requested in pages, after a streamed one did not complete. */
const pagingPeriod = 600_000;

/** A watch that delivered nothing and ended within so many milliseconds has failed. */
const shortWatch = 1000;

/** The number of consecutive quiet, malformed or refused watches after which everything is listed again. */
const maxFruitlessWatches = 2;

/** The most milliseconds between attempts if the same attempt may succeed later, as after an outage. */
const shortBackoff = { first: 500, longest: 4_000 };

/** The most milliseconds between attempts if somebody has to change something first. */
const longBackoff = { first: 500, longest: 30_000 };

interface Options extends ReflectOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** One run of `reflect`, whose documentation describes its guarantees. */
class Reflector<K extends Kind> {
  readonly #reader: Reader;
  readonly #reflected: Reflected<K>;
  readonly #options: Options;
  readonly #sinkWriter: SinkWriter<K>;
  readonly #backoff: Backoff;
  readonly #longBackoff: Backoff;
  readonly #slice: TimeSlice;
  readonly #streams: ListStreams;
  #pageSize: number;
  #largestPage = 1_000_000;
  /** The time on the clock from which lists are streamed. */
  #streamsFrom = 0;
  #failures = 0;
  #fruitless = 0;
  readonly #outage: OutageTracker;

  constructor(reader: Reader, reflected: Reflected<K>, sink: Sink<K>, options: Options) {
    this.#reader = reader;
    this.#reflected = reflected;
    this.#options = options;
    this.#sinkWriter = new SinkWriter(sink, options.onError, (key, { error }) =>
      options.observe?.({ type: 'unreadable', key, error }),
    );
    this.#backoff = new Backoff(options.random, shortBackoff);
    this.#longBackoff = new Backoff(options.random, longBackoff);
    this.#slice = new TimeSlice(options.clock, options.signal);
    this.#streams = options.streams ?? new ListStreams();
    this.#pageSize = options.pageSize ?? 500;
    this.#outage = new OutageTracker(options.clock, (outage) =>
      options.observe?.({ type: 'recovered', outage }),
    );
  }

  /** Runs until an error, which may be the signal's reason. */
  async run(): Promise<never> {
    const { signal } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        const { position } = this.#sinkWriter;
        if (position !== undefined) await this.#watch({ resourceVersion: position });
        else if (this.#canStream) await this.#listByStream();
        else await this.#listByPages();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  /** Watches with all objects first, and their changes afterwards (KEP-3157). */
  async #listByStream(): Promise<void> {
    const { clock, signal } = this.#options;
    await this.#streams.waitForProbe(this.#reflected.kind, clock, signal);
    signal.throwIfAborted();
    if (!this.#canStream) return;
    const watchOptions = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
    try {
      await this.#watch(watchOptions, this.#sinkWriter.beginList());
    } catch (error) {
      if (this.#sinkWriter.position !== undefined || !isStreamUnsupported(error)) throw error;
      this.#fallBackToPages(error);
    }
  }

  get #canStream(): boolean {
    const { clock } = this.#options;
    return clock.now() >= this.#streamsFrom && this.#streams.canStream(this.#reflected.kind);
  }

  #fallBackToPages(error: unknown): void {
    const { clock, observe } = this.#options;
    const { kind } = this.#reflected;
    this.#streamsFrom = clock.now() + pagingPeriod;
    if (error instanceof ApiError) this.#streams.recordRefusal(kind);
    else this.#streams.recordAnswer(kind);
    observe?.({ type: 'paging', error });
  }

  async #watch(watchOptions: WatchOptions, list?: Listing<K>): Promise<void> {
    const { clock, signal, observe, idleTimeout = 150_000 } = this.#options;
    const start = clock.now();
    let listing = list;
    let events = 0;
    let isFirst = true;
    const onUnreadable = (object: UnreadableObject): void => {
      events += 1;
      if (listing) listing.addUnreadable(object);
      else this.#sinkWriter.applyUnreadable(object);
    };
    const cancelRecovery = listing ? undefined : this.#outage.scheduleEnd();
    try {
      for await (const event of withIdleTimeout(
        (signal) => this.#open({ ...watchOptions, onUnreadable, signal }),
        {
          clock,
          signal,
          idleTimeout: () => (listing ? Math.min(listIdleTimeout, idleTimeout) : idleTimeout),
        },
      )) {
        signal.throwIfAborted();
        if (isFirst) this.#streams.recordAnswer(this.#reflected.kind);
        isFirst = false;
        if (!listing) {
          events += 1;
          this.#sinkWriter.applyEvent(event);
          this.#resetFailures();
        } else if (event.type !== 'BOOKMARK') {
          if (event.type === 'DELETED') listing.remove(event.object);
          else listing.add(event.object);
        } else if (event.isInitialEventsEnd) {
          await this.#listed(listing, { by: 'stream', start, version: event.resourceVersion });
          listing = undefined;
        }
        if (this.#slice.isOver) await this.#slice.yieldToOthers();
      }
    } finally {
      cancelRecovery?.();
    }
    const milliseconds = clock.now() - start;
    if (listing) throw new EmptyWatchError('the watch ended before it had delivered all objects');
    if (events === 0 && milliseconds < shortWatch) {
      throw new EmptyWatchError(
        `the watch ended after ${Math.round(milliseconds)} ms, and delivered nothing`,
      );
    }
    this.#resetFailures();
    observe?.({ type: 'ended', events, milliseconds });
  }

  #open(watchOptions: WatchOptions): AsyncIterable<WatchEvent<K>> {
    const { kind, selection, metadataOnly } = this.#reflected;
    // Ends after 5 to 10 minutes, so that watches are distributed over the servers, and dead ones are found.
    const timeoutSeconds = 300 + Math.floor(this.#options.random() * 300);
    return this.#reader.watch(kind, {
      ...selection,
      metadataOnly,
      timeoutSeconds,
      ...watchOptions,
    });
  }

  async #listByPages(): Promise<void> {
    const { kind, selection, metadataOnly } = this.#reflected;
    const { clock, signal } = this.#options;
    const start = clock.now();
    const listing = this.#sinkWriter.beginList();
    const onUnreadable = (object: UnreadableObject): void => listing.addUnreadable(object);
    let next: string | undefined;
    let version: string;
    do {
      const place = { limit: this.#pageSize, continue: next, signal };
      const listOptions = { ...selection, metadataOnly, onUnreadable, ...place };
      const page = await rejectOnAbort(this.#reader.list(kind, listOptions), signal).catch(
        (error) => {
          const cause = classifyFailure(error);
          if (cause === 'expired' && next !== undefined) this.#enlargePages();
          if (cause === 'too large') this.#shrinkPages();
          throw error;
        },
      );
      signal.throwIfAborted();
      for (const object of page.items) {
        listing.add(object);
        if (this.#slice.isOver) await this.#slice.yieldToOthers();
      }
      version = page.resourceVersion;
      next = page.continue || undefined;
    } while (next !== undefined);
    await this.#listed(listing, { by: 'pages', start, version });
  }

  /** A list that expired between its pages would expire again if it took as long. */
  #enlargePages(): void {
    this.#pageSize = Math.min(this.#pageSize * 4, this.#largestPage);
  }

  /** Permanent: pages that may expire are better than pages that cannot be read. */
  #shrinkPages(): void {
    this.#largestPage = Math.max(1, Math.floor(this.#pageSize / 8));
    this.#pageSize = this.#largestPage;
  }

  async #listed(
    listing: Listing<K>,
    { by, start, version }: { by: 'stream' | 'pages'; start: number; version: string },
  ): Promise<void> {
    const objects = await listing.end(version, this.#slice);
    const milliseconds = this.#options.clock.now() - start;
    const { observe } = this.#options;
    observe?.({ type: 'listed', by, objects, resourceVersion: version, milliseconds });
    this.#outage.end();
  }

  #resetFailures(): void {
    this.#failures = 0;
    this.#fruitless = 0;
    this.#outage.end();
  }

  async #recover(error: unknown): Promise<void> {
    const cause = classifyFailure(error);
    if (cause === undefined) throw error;
    const { clock, signal, observe } = this.#options;
    const during = this.#sinkWriter.position === undefined ? 'list' : 'watch';
    this.#streams.recordAnswer(this.#reflected.kind);
    if (this.#needsRelist(cause, error)) {
      this.#sinkWriter.invalidate();
      this.#fruitless = 0;
    }
    const relists = during === 'watch' && this.#sinkWriter.position === undefined;
    const requested = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const attempt = (this.#failures += 1);
    const backoff = reactionTo(error) === 'retry' ? this.#backoff : this.#longBackoff;
    const retryIn = Math.max(backoff.delayAfter(attempt), requested);
    const outage = this.#outage.extend({ during, cause, error });
    observe?.({ type: 'failed', during, cause, error, retryIn, attempt, relists, outage });
    await clock.sleep(retryIn, signal);
  }

  /** Whether a watch from the same version would be useless. */
  #needsRelist(cause: FailureCause, error: unknown): boolean {
    if (cause === 'expired' || cause === 'went back') return true;
    const isFruitless = fruitlessCauses.has(cause);
    if (isFruitless || (error instanceof ApiError && mayRefuseVersion(error))) this.#fruitless += 1;
    return this.#fruitless >= maxFruitlessWatches;
  }
}

/**
 * Keeps a sink in sync with the server until the signal aborts; then it resolves, and neither opens watches nor calls
 * the sink any more.
 *
 * The sink receives the states of each object in order and none twice; intermediate states may be omitted. After any
 * failure it continues where the watch ended, if the server still has that version. Otherwise it lists all objects, and
 * the sink receives the differences to its objects. A refusal by the server and a missing kind are retried forever,
 * after 0.5 s to 30 s. A server that is down or overloaded is retried after 4 s at most. A hanging watch is closed and
 * opened again.
 *
 * Rejects only with errors that a retry cannot change: `AccessDenied`, or the sink's error if there is no `onError`.
 *
 * For a sink in memory that others read, use `CacheSet`.
 *
 * @example
 * ```ts
 * import { core, reflect, type Client, type ObjectMeta, type Sink } from '@tenantry/runtime';
 *
 * // Prints added and deleted namespaces, and keeps only their versions.
 * export async function printNamespaces(client: Client, signal: AbortSignal): Promise<void> {
 *   const stored = new Map<string, ObjectMeta>();
 *   const sink: Sink<typeof core.Namespace> = {
 *     getMetadata: (key) => stored.get(key),
 *     keys: () => stored.keys(),
 *     put(key, { metadata }) {
 *       if (!stored.has(key)) console.log('added', key);
 *       stored.set(key, metadata);
 *     },
 *     drop(key) {
 *       stored.delete(key);
 *       console.log('deleted', key);
 *     },
 *     listing: () => undefined,
 *     listed: () => undefined,
 *     reached: () => undefined,
 *   };
 *   await reflect(client, { kind: core.Namespace, metadataOnly: true }, sink, { signal });
 * }
 * ```
 */
export async function reflect<K extends Kind>(
  reader: Reader,
  reflected: Reflected<K>,
  sink: Sink<K>,
  options: ReflectOptions,
): Promise<void> {
  const { clock = systemClock, random = Math.random } = options;
  try {
    await new Reflector(reader, reflected, sink, { ...options, clock, random }).run();
  } catch (error) {
    if (error instanceof SinkFailure) throw error.cause;
    if (!options.signal.aborted || error !== options.signal.reason) throw error;
  }
}
