import type { Clock } from '../clock/clock.ts';
import type { ControllerRun } from '../controller/controller-run.ts';
import { createStuckWorkCheck, PublicProblem, type HealthCheck } from '../health/check.ts';
import { HealthServer } from '../health/health-server.ts';
import { EventLoopMonitor } from '../health/loop-watch.ts';
import type { Log } from '../log/log.ts';
import type { Runnable } from './runnable.ts';

/** Milliseconds for which a kind may fail to be listed or watched before the replica is not ready. */
const LONGEST_OUTAGE = 60_000;

/** How probes are answered. */
export interface ManagerHealthProps {
  /** @default 8081 */
  readonly port?: number | undefined;
  /** @default - all addresses of the machine, of IPv6 too */
  readonly host?: string | undefined;
  /** Milliseconds after which a reconcile is taken for one that never ends. @default 3,600,000 */
  readonly longestReconcile?: number | undefined;
  /**
   * Whether a replica stays ready while a kind that a controller cannot do without fails to be listed or watched. With
   * false, /readyz has a check `watches` that fails after a minute of it: only for operators without webhooks, which an
   * outage would take away too. @default true
   */
  readonly isReadyInOutages?: boolean | undefined;
  /** Checks of /livez besides `event-loop` and `reconciles`. @default - none */
  readonly live?: readonly HealthCheck[] | undefined;
  /** Checks of /readyz besides `caches`. @default - none */
  readonly ready?: readonly HealthCheck[] | undefined;
}

/**
 * Answers probes for a manager: it is alive as long as its event loop goes on and its reconciles end, whatever
 * becomes of the API server. It is ready once its caches have read all that was there; where the props say so, only while
 * each kind that a controller cannot do without can be listed and watched.
 */
export function createManagerHealth(
  props: ManagerHealthProps,
  runs: readonly Pick<ControllerRun, 'controller' | 'inWork' | 'unread' | 'outages'>[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Runnable {
  const { port, host, longestReconcile = 3_600_000, live = [], ready = [] } = props;
  const { isReadyInOutages = true } = props;
  const watches = isReadyInOutages ? [] : [createWatchesCheck(runs)];
  const stalled = (milliseconds: number): void =>
    log.warn('the event loop stood still', { milliseconds });
  const loop = new EventLoopMonitor({ clock, stalled });
  const reconciles = createStuckWorkCheck('reconciles', longestReconcile, () =>
    runs.flatMap(({ controller, inWork }) =>
      [...inWork].map(
        ([key, milliseconds]) => [`${controller.name}: ${key}`, milliseconds] as const,
      ),
    ),
  );
  const server = new HealthServer({
    port,
    host,
    live: [loop, reconciles, ...live],
    ready: [createCachesCheck(runs), ...watches, ...ready],
    clock,
    log,
  });
  return {
    name: server.name,
    run: async (signal) => void (await Promise.all([server.run(signal), loop.run(signal)])),
  };
}

type Reading = readonly Pick<ControllerRun, 'unread' | 'outages'>[];

function createCachesCheck(runs: Reading): HealthCheck {
  return {
    name: 'caches',
    check: () => failIfAny('not read yet', new Set(runs.flatMap(({ unread }) => unread))),
  };
}

/** An API server that is away for a moment makes no replica unready. */
function createWatchesCheck(runs: Reading): HealthCheck {
  return {
    name: 'watches',
    check: () => {
      const lasting = runs
        .flatMap(({ outages }) => outages)
        .filter(({ outage: { since, until } }) => until - since >= LONGEST_OUTAGE);
      const causes = lasting.map(({ resource, outage }) => `${resource} (${outage.cause})`);
      failIfAny('not listed or watched', new Set(causes));
    },
  };
}

function failIfAny(what: string, names: ReadonlySet<string>): void {
  if (names.size > 0) throw new PublicProblem(`${what}: ${[...names].toSorted().join(', ')}`);
}
