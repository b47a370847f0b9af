import type { Clock } from '../clock/clock.ts';
import type { ControllerRun } from '../controller/controllerrun.ts';
import { ends, reached, type HealthCheck } from '../health/check.ts';
import { HealthServer } from '../health/healthserver.ts';
import { LoopWatch } from '../health/loopwatch.ts';
import type { Log } from '../log/log.ts';
import type { Runnable } from './runnable.ts';

/** How probes are answered. */
export interface ManagerHealthProps {
  /** @default 8081 */
  readonly port?: number | undefined;
  /** @default - all addresses of the machine, of IPv6 too */
  readonly host?: string | undefined;
  /** Milliseconds after which a reconcile is taken for one that never ends. @default 3,600,000 */
  readonly longestReconcile?: number | undefined;
  /** Checks of /livez besides `event-loop` and `reconciles`. @default - none */
  readonly live?: readonly HealthCheck[] | undefined;
  /** Checks of /readyz besides `caches`. @default - none */
  readonly ready?: readonly HealthCheck[] | undefined;
}

/**
 * What probes are told of a manager: it is alive as long as its event loop goes on and its reconciles end,
 * whatever becomes of the API server, and ready once its caches have read all that was there.
 */
export function managerHealth(
  { port, host, longestReconcile = 3_600_000, live = [], ready = [] }: ManagerHealthProps,
  runs: readonly Pick<ControllerRun, 'controller' | 'inWork' | 'synced'>[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Runnable {
  const stalled = (milliseconds: number): void =>
    log.warn('the event loop stood still', { milliseconds });
  const loop = new LoopWatch({ clock, stalled });
  const reconciles = ends('reconciles', longestReconcile, () =>
    runs.flatMap(({ controller, inWork }) =>
      [...inWork].map(
        ([key, milliseconds]) => [`${controller.name}: ${key}`, milliseconds] as const,
      ),
    ),
  );
  const caches = reached('caches', Promise.all(runs.map(({ synced }) => synced)));
  const server = new HealthServer({
    port,
    host,
    live: [loop, reconciles, ...live],
    ready: [caches, ...ready],
    clock,
    log,
  });
  return {
    name: server.name,
    run: async (signal) => void (await Promise.all([server.run(signal), loop.run(signal)])),
  };
}
