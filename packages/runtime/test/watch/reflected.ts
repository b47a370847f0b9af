import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { ReflectorEvent, Reflected, ReflectOptions } from '../../watch/options.ts';
import { reflect } from '../../watch/reflect.ts';
import { RecordingSink } from './recording-sink.ts';
import { shops, SimulatedServer } from './simulated-server.ts';

/** A reflection of a simulated server, in virtual time. */
export class ReflectedShops {
  readonly clock = new VirtualClock();
  readonly server = new SimulatedServer(this.clock);
  readonly sink = new RecordingSink<typeof shops>();
  readonly happenings: ReflectorEvent[] = [];
  readonly #stop = new AbortController();
  #run: Promise<void> | undefined;
  /** The error that the reflection rejected with. */
  failure: unknown;
  isRunning = false;

  start(
    options: Partial<ReflectOptions> = {},
    reflected: Partial<Reflected<typeof shops>> = {},
  ): Promise<void> {
    this.isRunning = true;
    this.#run = reflect(this.server, { kind: shops, ...reflected }, this.sink, {
      signal: this.#stop.signal,
      clock: this.clock,
      random: () => 0,
      observe: (happening) => this.happenings.push(happening),
      ...options,
    })
      .catch((error: unknown) => (this.failure = error))
      .then(() => void (this.isRunning = false));
    return this.clock.advance(0);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#run;
  }

  /** The objects in the sink, sorted, such as `shop=3`. */
  get held(): string[] {
    return written(this.sink.objects);
  }

  /** The objects on the server, in the same form. */
  get served(): string[] {
    return written(this.server.objects);
  }

  /** The changes in order, such as `put shop=3` and `drop shop=3`. */
  get changes(): string[] {
    return this.sink.changes.map(({ type, key, object }) => `${type} ${key}=${object.spec.size}`);
  }

  /** The causes of the failures. */
  get causes(): string[] {
    return this.happenings.flatMap((one) => (one.type === 'failed' ? [one.cause] : []));
  }

  get lists(): number {
    return this.happenings.filter(({ type }) => type === 'listed').length;
  }
}

function written(objects: RecordingSink<typeof shops>['objects'] | SimulatedServer['objects']) {
  return [...objects]
    .map(([key, { metadata, spec }]) => {
      return `${key}=${spec.size} ${metadata.uid} ${metadata.resourceVersion}`;
    })
    .toSorted();
}
