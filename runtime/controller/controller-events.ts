import { hostname } from 'node:os';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { errorLabel } from '../errors/error-label.ts';
import { Events, type EventRecorder } from '../events/events.ts';
import type { EventsObserver, LostEvent } from '../events/observer.ts';
import { Event } from '../kinds/events.ts';
import { keyOf, type Live } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { Controller } from './declaration.ts';
import type { ObjectEvent } from './object-event.ts';

/** Who tells, and who hears what became of it. */
export interface EventReporting {
  /** Which replica it is. @default - the name of the host, which is that of the pod */
  readonly instance?: string | undefined;
  /** @default - nobody */
  readonly observer?: EventsObserver | undefined;
}

export interface ControllerEventsProps extends EventReporting {
  readonly controller: Pick<Controller, 'name' | 'access'>;
  /** The controller's own: it writes what the controller may, while it may. */
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** From when on nothing is written, told or not. */
  readonly cut: AbortSignal;
}

/** What a controller says of its objects, for as long as it runs. */
export class ControllerEvents {
  readonly #events: Events;
  readonly #recorder: EventRecorder;
  readonly #props: ControllerEventsProps;
  readonly #mayTell: boolean;
  /** Causes of losses that the log has. */
  readonly #causes = new Set<string>();

  constructor(props: ControllerEventsProps) {
    const { controller, client, clock, random, instance = hostname(), observer, cut } = props;
    this.#props = props;
    this.#mayTell = controller.access.some(
      ({ group, resource, verbs }) =>
        group === Event.group && resource === Event.plural && verbs.includes('create'),
    );
    this.#events = new Events({
      client,
      clock,
      random,
      instance,
      observer: {
        written: (how) => observer?.written?.(how),
        lost: (lost) => {
          observer?.lost?.(lost);
          this.#logOnce(lost);
        },
      },
    });
    this.#recorder = this.#events.recorder(controller.name);
    cut.addEventListener('abort', () => void this.#events.stop(0), { once: true });
  }

  /** Returns at once, and never throws. */
  record(object: Live, event: ObjectEvent): void {
    const { type = 'Normal', reason, action = reason, regarding = object, ...rest } = event;
    this.#recorder.record({ type, reason, action, regarding, ...rest });
  }

  /** The same of the runtime's own accord: nothing where the controller does not write events. */
  recordIfDeclared(object: Live, event: ObjectEvent): void {
    if (this.#mayTell) this.record(object, event);
  }

  /** Writes what waits, for some seconds at the longest, and not after the cut. */
  stop(): Promise<void> {
    return this.#events.stop(this.#props.cut.aborted ? 0 : undefined);
  }

  #logOnce({ cause, event, error }: LostEvent): void {
    const why = error instanceof ApiError ? error.reason : errorLabel(error);
    const known = `${cause} ${why}`;
    if (this.#causes.has(known)) return;
    this.#causes.add(known);
    const { reason, note, regarding } = event;
    const object = { kind: regarding.kind, name: keyOf(regarding.metadata) };
    const fields = { cause, reason, note, object, ...(error !== undefined && { error }) };
    this.#props.log.warn('an event is not told, and more of this cause are not logged', fields);
  }
}
