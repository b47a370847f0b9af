import type { Clock } from '../clock/clock.ts';
import type { ControllerRun } from '../controller/controller-run.ts';
import {
  createStuckWorkCheck,
  PublicProblem,
  EventLoopMonitor,
  type HealthCheck,
} from '../health/check.ts';
import { HealthServer } from '../health/health-server.ts';
import type { Log } from '../log/log.ts';
import type { Runnable } from './tasks.ts';

/** Milliseconds for which lists and watches of a kind may fail before the replica is not ready. */
const MAX_OUTAGE = 60_000;

/** How probes are answered. */
export interface ManagerHealthProps {
  /** @default 8081 */
  readonly port?: number | undefined;
  /** @default - all addresses of the machine, including IPv6 */
  readonly host?: string | undefined;
  /** Milliseconds after which a reconcile counts as stuck. @default 3,600,000 */
  readonly longestReconcile?: number | undefined;
  /**
   * Whether a replica stays ready while a required kind cannot be listed or watched. With false, the check `watches` of
   * /readyz fails after a minute of that. Use false only for operators without webhooks, which an outage would make
   * unavailable too.
   * @default true
   */
  readonly isReadyInOutages?: boolean | undefined;
  /** Checks of /livez in addition to `event-loop` and `reconciles`. @default - none */
  readonly live?: readonly HealthCheck[] | undefined;
  /** Checks of /readyz in addition to `caches`. @default - none */
  readonly ready?: readonly HealthCheck[] | undefined;
}

/**
 * Creates the probes of a manager. It is alive while its event loop progresses and its reconciles end, whatever the
 * state of the API server. It is ready once its caches have read all existing objects; with `isReadyInOutages: false`,
 * only while each required kind can be listed and watched.
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
    log.warn('the event loop was blocked', { milliseconds });
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

/** A short outage of the API server makes no replica unready. */
function createWatchesCheck(runs: Reading): HealthCheck {
  return {
    name: 'watches',
    check: () => {
      const lasting = runs
        .flatMap(({ outages }) => outages)
        .filter(({ outage: { since, until } }) => until - since >= MAX_OUTAGE);
      const causes = lasting.map(({ resource, outage }) => `${resource} (${outage.cause})`);
      failIfAny('not listed or watched', new Set(causes));
    },
  };
}

function failIfAny(what: string, names: ReadonlySet<string>): void {
  if (names.size > 0) throw new PublicProblem(`${what}: ${[...names].toSorted().join(', ')}`);
}
