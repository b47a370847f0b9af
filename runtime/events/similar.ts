import type { Clock } from '../clock/clock.ts';
import { LruMap } from './recent.ts';

/** The number of different notes from which similar events are combined (client-go, tools/record). */
const mostNotes = 10;
/** Milliseconds without a similar event after which the counting starts over. */
const interval = 600_000;
const mostRemembered = 4096;

interface Group {
  readonly notes: Set<string>;
  readonly last: number;
}

/** Finds events that differ only in their notes, to combine them. */
export class EventAggregator {
  readonly #clock: Clock;
  readonly #groups = new LruMap<string, Group>(mostRemembered);

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
    const isCombined = !notes.has(note) && notes.size >= mostNotes - 1;
    if (!isCombined) notes.add(note);
    this.#groups.set(group, { notes, last: now });
    return isCombined;
  }
}
