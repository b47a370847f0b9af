import type { Clock } from '@tenantry/runtime/clock/clock';
import type { Chance } from '../random.ts';
import type { Api } from '../server/api.ts';
import type { SimulatedApiServer } from '../server/simulated-api-server.ts';

/** A part of Kubernetes that works beside the operator: level-triggered, one step at a time. */
export interface Actor {
  /** The user that it writes as. */
  readonly name: string;
  /** The minimum and maximum delay between a change and its reaction, in milliseconds. */
  readonly delay: readonly [number, number];
  /** Returns the steps that the current state requires. */
  due(server: SimulatedApiServer, api: Api): readonly (() => void)[];
}

/** Runs the due steps of an actor one by one, in random order and after random delays. */
export function runActor(
  actor: Actor,
  server: SimulatedApiServer,
  clock: Clock,
  chance: Chance,
): void {
  const api = server.api(actor.name);
  const [least, most] = actor.delay;
  let isAwaited = false;
  const wake = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    clock.after(chance.whole(least, most), () => {
      isAwaited = false;
      const due = actor.due(server, api);
      if (due.length === 0) return;
      chance.pick(due)();
      wake();
    });
  };
  server.follow(wake);
  wake();
}
