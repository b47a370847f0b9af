import type { Clock } from '../clock/clock.ts';
import type { Event, EventSeries } from '../kinds/events.ts';
import type { Written } from '../kinds/kind.ts';
import { namespaceOf, type EventTemplate, type EventInput } from './event.ts';

/** Milliseconds without it after which the same event is a new one (client-go, tools/events). */
const seriesEnds = 360_000;
/** Milliseconds after which the count of a series that goes on is written again. */
const refreshed = 1_800_000;

export interface RecordedEventProps {
  /** By which it is the same event. */
  readonly key: string;
  /** What has one allowance: events of one type about one object. */
  readonly subject: string;
  readonly event: EventInput;
  readonly report: EventTemplate;
  readonly name: string;
}

/** One event, as often as it happened: the API server has one object of it. */
export class RecordedEvent {
  readonly key: string;
  readonly subject: string;
  readonly event: EventInput;
  readonly #clock: Clock;
  readonly #report: EventTemplate;
  readonly #eventTime: string;
  name: string;
  /** It waits for being written. */
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
    this.#eventTime = microTime(clock.date());
    this.#lastObserved = this.#eventTime;
    this.#last = clock.now();
  }

  get count(): number {
    return this.#count;
  }

  get namespace(): string {
    return namespaceOf(this.event.regarding);
  }

  /** It happened again. */
  increment(): void {
    this.#count += 1;
    this.#last = this.#clock.now();
    this.#lastObserved = microTime(this.#clock.date());
  }

  /** It has not happened for so long that the next time begins a new event. */
  get isOver(): boolean {
    return this.#clock.now() - this.#last > seriesEnds;
  }

  /** The API server has an object of it. */
  get isStored(): boolean {
    return this.#writtenCount > 0;
  }

  /** The API server knows how often it happened. */
  get isWritten(): boolean {
    return this.#writtenCount === this.#count;
  }

  /** It is a series by now, and on the API server still a single event. */
  get isNewSeries(): boolean {
    return this.#writtenCount === 1 && this.#count > 1;
  }

  /** The API server was last told half an hour ago. */
  get isStale(): boolean {
    return this.#clock.now() - this.#writtenAt >= refreshed;
  }

  /** The API server was told of so many. */
  markWritten(count: number): void {
    this.#writtenCount = count;
    this.#writtenAt = this.#clock.now();
  }

  /** Absent of a single one: the API server takes no series of less than 2. */
  get series(): EventSeries | undefined {
    if (this.#count < 2) return undefined;
    return { count: this.#count, lastObservedTime: this.#lastObserved };
  }

  get object(): Written<typeof Event> {
    const { name, namespace, series } = this;
    const metadata = { name, namespace };
    return { ...this.#report, metadata, eventTime: this.#eventTime, ...(series && { series }) };
  }
}

/** metav1.MicroTime has six digits after the point, no more and no less. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
