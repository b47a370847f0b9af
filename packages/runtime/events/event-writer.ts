import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { reactionTo } from '../errors/reaction.ts';
import { Event } from '../kinds/events.ts';
import type { EventNameGenerator, LossCause } from './event.ts';
import type { RecordedEvent } from './recorded-event.ts';

/** As in client-go, tools/events: the attempts, and the milliseconds between them, randomly up to a quarter more. */
const maxAttempts = 12;
const pause = 10_000;

interface EventWriterProps {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly names: EventNameGenerator;
  readonly most: number;
  readonly written: (one: RecordedEvent, how: 'created' | 'counted') => void;
  readonly lost: (one: RecordedEvent, cause: LossCause, error?: unknown) => void;
}

interface Job {
  readonly one: RecordedEvent;
  attempts: number;
  /** An attempt to create the event ended without an answer, so it may be stored. */
  isInDoubt: boolean;
}

/**
 * Writes events one at a time, in order. An event that fails for a reason of its own is retried later, without delaying
 * others.
 */
export class EventWriter {
  readonly #props: EventWriterProps;
  readonly #ready: Job[] = [];
  readonly #delayed = new Map<Job, () => void>();
  /** Keeps the writes out of the trace of the reconcile that recorded the event. */
  readonly #apart = AsyncLocalStorage.snapshot();
  readonly #hurry = new AbortController();
  readonly #end = new AbortController();
  #inWork: Job | undefined;
  #idle: (() => void)[] = [];

  constructor(props: EventWriterProps) {
    this.#props = props;
  }

  /**
   * Queues an event, and returns whether there was room. A pending event is written in its latest state.
   */
  add(one: RecordedEvent): boolean {
    if (one.isQueued) return true;
    const waiting = this.#ready.length + this.#delayed.size + (this.#inWork ? 1 : 0);
    if (waiting >= this.#props.most || this.#end.signal.aborted) return false;
    one.isQueued = true;
    this.#ready.push({ one, attempts: 0, isInDoubt: false });
    void this.#apart(() => this.#run());
    return true;
  }

  /**
   * Writes pending events without pauses between attempts, and resolves after so many milliseconds at most. Another
   * call may end it sooner.
   */
  async stop(within: number): Promise<void> {
    this.#hurry.abort();
    for (const [job, cancel] of this.#delayed) {
      cancel();
      this.#ready.push(job);
    }
    this.#delayed.clear();
    void this.#run();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    if (!this.#isBusy) resolve();
    const cancel =
      within > 0 ? this.#props.clock.after(within, () => this.#giveUp()) : this.#giveUp();
    await promise;
    cancel?.();
    this.#end.abort(new Error('the writing of events has ended'));
  }

  #giveUp(): undefined {
    this.#end.abort(new Error('the time for writing events is over'));
    for (const { one } of this.#ready.splice(0)) this.#lose(one, 'stopped');
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  get #isBusy(): boolean {
    return this.#inWork !== undefined || this.#ready.length > 0;
  }

  async #run(): Promise<void> {
    if (this.#inWork) return;
    for (let job; (job = this.#ready.shift()) !== undefined;) {
      this.#inWork = job;
      await this.#work(job);
      this.#inWork = undefined;
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #work(job: Job): Promise<void> {
    const { one } = job;
    try {
      const how = await this.#send(job);
      one.isQueued = false;
      this.#props.written(one, how);
    } catch (error) {
      job.attempts += 1;
      if (this.#end.signal.aborted) return this.#lose(one, 'stopped', error);
      if (reactionTo(error) !== 'retry') return this.#lose(one, 'refused', error);
      if (job.attempts >= maxAttempts || this.#hurry.signal.aborted) {
        return this.#lose(one, 'unreachable', error);
      }
      await this.#postpone(job, error);
    }
  }

  /** Delays all events if any other one would fail too; otherwise this one only. */
  async #postpone(job: Job, error: unknown): Promise<void> {
    const { clock, random } = this.#props;
    const requested = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
    const delay = Math.max(pause * (1 + random() / 4), requested);
    const isItsOwn = error instanceof ApiError && error.isServerError;
    if (!isItsOwn) {
      this.#ready.unshift(job);
      await clock.sleep(delay, this.#hurry.signal).catch(() => {});
      return;
    }
    const cancel = clock.after(delay, () => {
      this.#delayed.delete(job);
      this.#ready.push(job);
      void this.#run();
    });
    this.#delayed.set(job, cancel);
  }

  async #send(job: Job): Promise<'created' | 'counted'> {
    const { one } = job;
    if (one.isStored && (await this.#count(one))) return 'counted';
    // It was never stored, or has expired.
    const { count } = one;
    try {
      await this.#create(one);
    } catch (error) {
      if (!(error instanceof ApiError && error.isAlreadyExists)) {
        job.isInDoubt ||= !(error instanceof ApiError);
        throw error;
      }
      if (!job.isInDoubt) {
        // Another event has the name.
        one.name = this.#props.names.next(one.event.regarding);
        await this.#create(one);
      } else if (count > 1 && (await this.#count(one))) {
        return 'created';
      }
    }
    one.markWritten(count);
    return 'created';
  }

  async #create(one: RecordedEvent): Promise<void> {
    await this.#props.client.create(Event, one.object, { signal: this.#end.signal });
  }

  async #count(one: RecordedEvent): Promise<boolean> {
    const { name, namespace, count, series } = one;
    if (!series) return true;
    const { signal } = this.#end;
    try {
      await this.#props.client.patch(Event, { name, namespace }, { series }, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return false;
      throw error;
    }
    one.markWritten(count);
    return true;
  }

  #lose(one: RecordedEvent, cause: LossCause, error?: unknown): void {
    one.isQueued = false;
    this.#props.lost(one, cause, error);
  }
}
