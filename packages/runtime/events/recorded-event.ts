import { omitUndefined } from '@tenantry/kube/mapping';
import { formatMicroTime, type Clock } from '../clock/clock.ts';
import type { Event, EventSeries } from '../kinds/events.ts';
import type { Written } from '../kinds/kind.ts';
import { namespaceOf, type EventTemplate, type EventInput } from './event.ts';
import { LruMap } from './lru-map.ts';

/** Milliseconds without an occurrence after which the same event is a new one (client-go, tools/events). */
const seriesTimeout = 360_000;
/** Milliseconds after which the count of an ongoing series is written again. */
const refreshInterval = 1_800_000;

interface RecordedEventProps {
  /** The key that identifies equal events. */
  readonly key: string;
  /** The unit of the rate limit: events of one type about one object. */
  readonly subject: string;
  readonly event: EventInput;
  readonly report: EventTemplate;
  readonly name: string;
}

/** An event with all its occurrences. The API server has one object for them. */
export class RecordedEvent {
  readonly key: string;
  readonly subject: string;
  readonly event: EventInput;
  readonly #clock: Clock;
  readonly #report: EventTemplate;
  readonly #eventTime: string;
  name: string;
  isQueued = false;
  #count = 1;
  #last: number;
  #lastObserved: string;
  #writtenCount = 0;
  #writtenAt = 0;

  constructor({ key, subject, event, report, name }: RecordedEventProps, clock: Clock) {
    this.key = key;
    this.subject = subject;
    this.event = event;
    this.name = name;
    this.#clock = clock;
    this.#report = report;
    this.#eventTime = formatMicroTime(clock.date());
    this.#lastObserved = this.#eventTime;
    this.#last = clock.now();
  }

  get count(): number {
    return this.#count;
  }

  get namespace(): string {
    return namespaceOf(this.event.regarding);
  }

  increment(): void {
    this.#count += 1;
    this.#last = this.#clock.now();
    this.#lastObserved = formatMicroTime(this.#clock.date());
  }

  /** Whether the last occurrence is so long ago that the next one begins a new event. */
  get isOver(): boolean {
    return this.#clock.now() - this.#last > seriesTimeout;
  }

  get isStored(): boolean {
    return this.#writtenCount > 0;
  }

  /** Whether the API server knows the current count. */
  get isWritten(): boolean {
    return this.#writtenCount === this.#count;
  }

  /** Whether it has become a series, but is still a single event in the API server. */
  get isNewSeries(): boolean {
    return this.#writtenCount === 1 && this.#count > 1;
  }

  get isStale(): boolean {
    return this.#clock.now() - this.#writtenAt >= refreshInterval;
  }

  markWritten(count: number): void {
    this.#writtenCount = count;
    this.#writtenAt = this.#clock.now();
  }

  /** Absent for a single event: the API server accepts no series of less than 2. */
  get series(): EventSeries | undefined {
    if (this.#count < 2) return undefined;
    return { count: this.#count, lastObservedTime: this.#lastObserved };
  }

  get object(): Written<typeof Event> {
    const { name, namespace, series } = this;
    const metadata = { name, namespace };
    return omitUndefined({ ...this.#report, metadata, eventTime: this.#eventTime, series });
  }
}

/** The number of different notes from which similar events are combined (client-go, tools/record). */
const maxNotes = 10;
/** Milliseconds without a similar event after which the counting starts over. */
const interval = 600_000;
const maxRemembered = 4096;

interface Group {
  readonly notes: Set<string>;
  readonly last: number;
}

/** Finds events that differ only in their notes, to combine them. */
export class EventAggregator {
  readonly #clock: Clock;
  readonly #groups = new LruMap<string, Group>(maxRemembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Whether to combine the event with similar ones: it has the tenth different note or a later one, without 10 minutes
   * between two of them. The first nine notes stay separate events. `group` is what similar events have in common.
   */
  shouldAggregate(group: string, note: string): boolean {
    const now = this.#clock.now();
    const known = this.#groups.get(group);
    const notes = known && now - known.last <= interval ? known.notes : new Set<string>();
    const isCombined = !notes.has(note) && notes.size >= maxNotes - 1;
    if (!isCombined) notes.add(note);
    this.#groups.set(group, { notes, last: now });
    return isCombined;
  }
}
