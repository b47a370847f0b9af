import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { EventInput, LossCause, LostEvent } from '../../events/event.ts';
import { Events, type EventRecorder } from '../../events/events.ts';
import { PretendEvents } from './pretend-events.ts';

export const web = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7' },
};

export const minute = 60_000;

/** Events that a controller records, in virtual time. */
export class RecordedEvents {
  readonly clock = new VirtualClock();
  readonly server = new PretendEvents();
  readonly lost: LostEvent[] = [];
  readonly written: string[] = [];
  readonly events: Events;
  readonly recorder: EventRecorder;

  constructor({ most, random = () => 0 }: { most?: number; random?: () => number } = {}) {
    this.events = new Events({
      client: this.server.client,
      clock: this.clock,
      random,
      instance: 'pod-1',
      most,
      observer: {
        written: (how) => this.written.push(how),
        lost: (lost) => this.lost.push(lost),
      },
    });
    this.recorder = this.events.recorder('shops');
  }

  record(overrides: Partial<EventInput> = {}): void {
    const plain = { type: 'Normal', reason: 'Created', action: 'Create', note: 'made' } as const;
    this.recorder.record({ ...plain, regarding: web, ...overrides });
  }

  /** Records an event this many times, with time to write in between. */
  async recordOften(times: number, overrides: Partial<EventInput> = {}): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      this.record(overrides);
      await this.clock.advance(0);
    }
  }

  async recordNotes(notes: readonly string[], overrides: Partial<EventInput> = {}): Promise<void> {
    for (const note of notes) await this.recordOften(1, { ...overrides, note });
  }

  get losses(): LossCause[] {
    return this.lost.map(({ cause }) => cause);
  }
}

export const notes = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `note ${n + 1}`);
