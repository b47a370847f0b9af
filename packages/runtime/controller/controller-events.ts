import { hostname } from 'node:os';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Client } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { errorLabel } from '../errors/reaction.ts';
import { Events, type EventRecorder } from '../events/events.ts';
import type { EventsObserver, LostEvent } from '../events/event.ts';
import { Event } from '../kinds/events.ts';
import { keyOf, type Live } from '../kinds/kind.ts';
import type { Log } from '../log/log.ts';
import type { Controller } from './declaration.ts';
import type { ObjectEvent } from './context.ts';

/** The reporter of events, and an observer of their delivery. */
export interface EventReporting {
  /** The name of the replica. @default - the host name, which is the name of the pod */
  readonly instance?: string | undefined;
  /** @default - none */
  readonly observer?: EventsObserver | undefined;
}

interface ControllerEventsProps extends EventReporting {
  readonly controller: Pick<Controller, 'name' | 'access'>;
  /** The controller's own client, with its access and limits. */
  readonly client: Pick<Client, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Once it aborts, nothing more is written, and pending events are lost. */
  readonly cut: AbortSignal;
}

/** The events of a controller, for as long as it runs. */
export class ControllerEvents {
  readonly #events: Events;
  readonly #recorder: EventRecorder;
  readonly #props: ControllerEventsProps;
  readonly #canRecord: boolean;
  /** Causes of lost events that have been logged. */
  readonly #causes = new Set<string>();

  constructor(props: ControllerEventsProps) {
    const { controller, client, clock, random, instance = hostname(), observer, cut } = props;
    this.#props = props;
    this.#canRecord = controller.access.some(
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

  /** Records an event. Returns at once, and never throws. */
  record(object: Live, event: ObjectEvent): void {
    const { type = 'Normal', reason, action = reason, regarding = object, ...rest } = event;
    this.#recorder.record({ type, reason, action, regarding, ...rest });
  }

  /** Records an event of the runtime itself, unless the controller has no access to write events. */
  recordIfDeclared(object: Live, event: ObjectEvent): void {
    if (this.#canRecord) this.record(object, event);
  }

  /** Writes pending events, for some seconds at most, and not after the cut. */
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
    this.#props.log.warn(
      'an event was lost; further losses of this cause are not logged',
      omitUndefined({ cause, reason, note, object, error }),
    );
  }
}
