import type { Clock } from '../../../runtime/clock/clock.ts';
import type { Chance } from '../random.ts';
import type { Api } from '../server/api.ts';
import type { SimulatedApiServer } from '../server/simulated-api-server.ts';

/** A part of Kubernetes that works beside the operator: level-triggered, one thing at a time. */
export interface Actor {
  /** As who it writes. */
  readonly name: string;
  /** Milliseconds from a change to what it does about it: at least, at most. */
  readonly delay: readonly [number, number];
  /** What is to be done, as things are; each is one step. */
  due(server: SimulatedApiServer, api: Api): readonly (() => void)[];
}

/** Lets an actor do what is due, one thing after the other, in an order and after times by chance. */
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
