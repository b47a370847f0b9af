import { omitUndefined } from '@tenantry/kube/mapping';
import { allow } from '../access/grant.ts';
import type { Client } from '../client/client.ts';
import { TokenBucket } from '../clock/pacing.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { Event } from '../kinds/events.ts';
import {
  validateEvent,
  trimEventObjects,
  createReporter,
  buildEventTemplate,
  EventNameGenerator,
  type EventSubject,
  type Reporter,
  type EventInput,
  type EventsObserver,
  type LossCause,
} from './event.ts';
import { EventWriter } from './event-writer.ts';
import { RecordedEvent, EventAggregator } from './recorded-event.ts';
import { LruMap } from './lru-map.ts';

/** As in client-go, tools/record: the limit of events of one type about one object. */
const perObject = { burst: 25, every: 300_000 };
const maxRemembered = 4096;
/** Milliseconds between checks for ended series. */
const flushInterval = 60_000;

/** The access that is needed to write events. */
export const eventAccess = [allow(Event, 'create', 'patch')];

/** The options of `Events`. */
export interface EventsProps {
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The replica, such as the name of the pod. */
  readonly instance: string;
  /** The most events that may wait to be written; further ones are lost. @default 1000 */
  readonly most?: number | undefined;
  readonly observer?: EventsObserver | undefined;
}

/** Records a controller's events about objects. */
export interface EventRecorder {
  /** Records an event. Returns at once, and never throws: an event that cannot be written is counted as lost. */
  record(event: EventInput): void;
}

/**
 * Events of events.k8s.io/v1, for all controllers of a program. Frequent events cause a limited number of writes, as in
 * client-go:
 *
 * - A repetition within 6 minutes turns an event into a series. Its count is written with the second event, then every
 *   30 minutes, and at its end.
 * - Among events that differ only in their notes, the tenth within 10 minutes and all later ones are combined. The note
 *   of the combined event begins with `(combined from similar events): `.
 * - 25 events of one type about one object are written at once, then one every 5 minutes. Others are lost, except those
 *   that are counted in a series.
 *
 * @example
 * ```ts
 * import { controller, core, done, Events, systemClock, type Client } from '@tenantry/runtime';
 *
 * export function greeter(client: Client) {
 *   const events = new Events({ client, clock: systemClock, random: Math.random, instance: 'pod-1' });
 *   const recorder = events.recorder('greeter');
 *   return controller({
 *     name: 'greeter',
 *     for: core.Namespace,
 *     async reconcile({ object }) {
 *       const greeting = { type: 'Normal', reason: 'Greeted', action: 'Greet', note: 'Hello.' } as const;
 *       recorder.record({ ...greeting, regarding: object });
 *       return done;
 *     },
 *   });
 * }
 * ```
 */
export class Events {
  readonly #props: EventsProps;
  readonly #names: EventNameGenerator;
  readonly #similar: EventAggregator;
  readonly #allowances = new LruMap<string, TokenBucket>(maxRemembered);
  readonly #remembered = new LruMap<string, RecordedEvent>(maxRemembered);
  readonly #writer: EventWriter;
  #cancelLook: (() => void) | undefined;
  #isOpen = true;

  constructor(props: EventsProps) {
    const { client, clock, random, observer, most = 1000 } = props;
    this.#props = props;
    this.#names = new EventNameGenerator(clock, random);
    this.#similar = new EventAggregator(clock);
    this.#writer = new EventWriter({
      client,
      clock,
      random,
      most,
      names: this.#names,
      written: (one, how) => {
        observer?.written?.(how);
        this.#writeSeries(one);
      },
      lost: (one, cause, error) => {
        if (this.#remembered.get(one.key) === one) this.#remembered.delete(one.key);
        this.#lose(one.event, cause, error);
      },
    });
  }

  /**
   * Returns the recorder of one controller, whose name identifies its events: a DNS label, or `example.com/name`.
   * @throws {Error} if it is not a qualified name
   */
  recorder(controller: string): EventRecorder {
    const reporter = createReporter(controller, this.#props.instance);
    return {
      record: (event) => {
        try {
          this.#record(trimEventObjects(event), reporter);
        } catch (error) {
          this.#lose(event, 'invalid', error);
        }
      },
    };
  }

  /**
   * Writes pending events and the counts of series, and accepts no more. Resolves when that is done, or after so many
   * milliseconds; what is left is lost. Another call may end it sooner.
   */
  async stop(within = 5000): Promise<void> {
    if (this.#isOpen) {
      this.#isOpen = false;
      this.#cancelLook?.();
      for (const one of this.#remembered.values()) if (!one.isWritten) this.#write(one);
    }
    await this.#writer.stop(within);
  }

  #record(event: EventInput, reporter: Reporter): void {
    if (!this.#isOpen) return this.#lose(event, 'stopped');
    const fault = validateEvent(event);
    if (fault !== undefined) return this.#lose(event, 'invalid', new Error(fault));
    const group = computeGroupKey(event, reporter);
    const isCombined = this.#similar.shouldAggregate(group, event.note);
    const key = isCombined ? group : JSON.stringify([group, event.note]);
    const known = this.#remembered.get(key);
    if (known && !known.isOver) {
      known.increment();
      return this.#writeSeries(known);
    }
    if (known) this.#finish(known);
    const subject = computeSubjectKey(event, reporter);
    if (!this.#isAllowed(subject)) return this.#lose(event, 'limited');
    const report = buildEventTemplate(
      event,
      reporter,
      isCombined ? '(combined from similar events): ' : '',
    );
    const name = this.#names.next(event.regarding);
    this.#remember(new RecordedEvent({ key, subject, event, report, name }, this.#props.clock));
  }

  #remember(one: RecordedEvent): void {
    if (!this.#writer.add(one)) return this.#lose(one.event, 'full');
    const forgotten = this.#remembered.set(one.key, one);
    if (forgotten) this.#finish(forgotten);
    this.#scheduleFlush();
  }

  /** If the limit is exhausted, it waits for a later check. */
  #writeSeries(one: RecordedEvent): void {
    if (one.isNewSeries && !one.isQueued && this.#isAllowed(one.subject)) this.#writer.add(one);
  }

  #isAllowed(subject: string): boolean {
    const now = this.#props.clock.now();
    const allowance = this.#allowances.get(subject) ?? new TokenBucket(perObject, now);
    this.#allowances.set(subject, allowance);
    return allowance.take(now);
  }

  #scheduleFlush(): void {
    this.#cancelLook ??= this.#props.clock.after(flushInterval, () => {
      this.#cancelLook = undefined;
      for (const one of this.#remembered.values()) this.#flush(one);
      if (this.#remembered.size > 0) this.#scheduleFlush();
    });
  }

  #flush(one: RecordedEvent): void {
    if (one.isOver) this.#finish(one);
    else if (one.isNewSeries) this.#writeSeries(one);
    else if (one.isStale) this.#writer.add(one);
  }

  /** The next occurrence is a new event. */
  #finish(one: RecordedEvent): void {
    this.#remembered.delete(one.key);
    if (!one.isWritten) this.#write(one);
  }

  #write(one: RecordedEvent): void {
    if (!this.#writer.add(one)) this.#lose(one.event, 'full');
  }

  #lose(event: EventInput, cause: LossCause, error?: unknown): void {
    this.#props.observer?.lost?.(omitUndefined({ cause, event, error }));
  }
}

function computeSubjectKey(
  { type, regarding }: EventInput,
  { reportingController }: Reporter,
): string {
  return JSON.stringify([reportingController, type, computeIdentity(regarding)]);
}

/** The key of events that differ only in their notes, which are combined. */
function computeGroupKey(event: EventInput, { reportingController }: Reporter): string {
  const { type, reason, action, regarding, fieldPath, related } = event;
  const objects = [computeIdentity(regarding), related && computeIdentity(related)];
  return JSON.stringify([reportingController, type, reason, action, fieldPath, objects]);
}

/** Without the resourceVersion: the same event about a later state is the same event. */
function computeIdentity({ apiVersion, kind, metadata }: EventSubject): readonly unknown[] {
  return [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid];
}
