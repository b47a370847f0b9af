import type { Clock } from '../clock/clock.ts';
import type { QueueObserver } from '../queue/work-queue.ts';
import type { Counter, Gauge, Histogram, Instruments } from './instruments.ts';

/** How a reconcile ended. */
type Outcome = 'done' | 'requeue-after' | 'paused' | 'gone' | 'conflict' | 'error' | 'aborted';

/**
 * The results of controller-runtime. A conflict causes another reconcile and is not an error; an aborted reconcile has
 * no result.
 */
const results = {
  done: 'success',
  'requeue-after': 'requeue_after',
  paused: 'success',
  gone: 'success',
  conflict: 'requeue',
  error: 'error',
  aborted: undefined,
} as const satisfies Record<Outcome, string | undefined>;

/** Seconds, as in controller-runtime. */
const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

const labels = ['controller'] as const;

/** The controller_runtime_* metrics of controller-runtime, and those of its queues. */
export class ControllerMetrics {
  readonly #queues: QueueMetrics;
  readonly #total: Counter<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #time: Histogram<'controller'>;
  readonly #active: Gauge<'controller'>;
  readonly #most: Gauge<'controller'>;
  readonly #paused: Gauge<'controller'>;
  readonly #failedHandlers: Counter<'controller'>;
  readonly #pausedObjects = new Map<string, Set<string>>();

  constructor(instruments: Instruments, clock: Clock) {
    this.#queues = new QueueMetrics(instruments, clock);
    const counter = (name: string, help: string) => instruments.counter({ name, help, labels });
    const gauge = (name: string, help: string) => instruments.gauge({ name, help, labels });
    this.#total = instruments.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Reconciles, by their result',
      labels: ['controller', 'result'],
    });
    this.#errors = counter('controller_runtime_reconcile_errors_total', 'Reconciles that failed');
    this.#time = instruments.histogram(
      {
        name: 'controller_runtime_reconcile_time_seconds',
        help: 'How long reconciles took',
        labels,
      },
      buckets,
    );
    this.#active = gauge('controller_runtime_active_workers', 'Running reconciles');
    this.#most = gauge(
      'controller_runtime_max_concurrent_reconciles',
      'The most reconciles that may run concurrently',
    );
    this.#paused = gauge('tenantry_controller_paused_objects', 'Paused objects');
    this.#failedHandlers = counter(
      'tenantry_controller_handler_errors_total',
      'Predicates and mappings that threw',
    );
  }

  /** Creates all series of a controller, with the value 0. */
  declare(controller: string, concurrency: number): void {
    for (const result of Object.values(results)) {
      if (result !== undefined) this.#total.inc({ controller, result }, 0);
    }
    this.#errors.inc({ controller }, 0);
    this.#failedHandlers.inc({ controller }, 0);
    this.#active.set({ controller }, 0);
    this.#paused.set({ controller }, 0);
    this.#most.set({ controller }, concurrency);
  }

  /** Returns the observer of a new queue. It resets what an earlier queue left: waiting keys and paused objects. */
  queue(controller: string): QueueObserver {
    this.#pausedObjects.set(controller, new Set());
    this.#paused.set({ controller }, 0);
    return this.#queues.createObserver(controller);
  }

  began(controller: string): void {
    this.#active.inc({ controller });
  }

  ended(controller: string, outcome: Outcome, milliseconds: number): void {
    this.#active.dec({ controller });
    const result = results[outcome];
    if (result === undefined) return;
    this.#total.inc({ controller, result });
    if (outcome === 'error') this.#errors.inc({ controller });
    this.#time.observe({ controller }, milliseconds / 1000);
  }

  paused(controller: string, object: string): void {
    this.#countPaused(controller, this.#pausedIn(controller).add(object));
  }

  resumed(controller: string, object: string): void {
    const objects = this.#pausedIn(controller);
    objects.delete(object);
    this.#countPaused(controller, objects);
  }

  handlerFailed(controller: string): void {
    this.#failedHandlers.inc({ controller });
  }

  #pausedIn(controller: string): Set<string> {
    const objects = this.#pausedObjects.get(controller) ?? new Set();
    this.#pausedObjects.set(controller, objects);
    return objects;
  }

  #countPaused(controller: string, objects: ReadonlySet<string>): void {
    this.#paused.set({ controller }, objects.size);
  }
}

/** Both are the name of the controller, as in controller-runtime. */
type QueueLabel = 'name' | 'controller';

const queueLabels = ['name', 'controller'] as const;

/** Seconds: 10 ns and eleven further powers of ten, as in client-go. */
const queueBuckets = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** The workqueue_* metrics of controller-runtime. */
class QueueMetrics {
  readonly #clock: Clock;
  readonly #depth: Gauge<QueueLabel>;
  readonly #adds: Counter<QueueLabel>;
  readonly #waited: Histogram<QueueLabel>;
  readonly #worked: Histogram<QueueLabel>;
  readonly #retries: Counter<QueueLabel>;
  /** Since when keys are worked on, by controller. */
  readonly #inWork = new Map<string, Map<string, number>>();

  constructor(instruments: Instruments, clock: Clock) {
    this.#clock = clock;
    const metric = (name: string, help: string) => ({ name, help, labels: queueLabels });
    this.#depth = instruments.gauge(
      metric('workqueue_depth', 'Objects that wait to be reconciled'),
    );
    this.#adds = instruments.counter(
      metric('workqueue_adds_total', 'Objects that were queued to be reconciled'),
    );
    this.#waited = instruments.histogram(
      metric('workqueue_queue_duration_seconds', 'How long an object waited to be reconciled'),
      queueBuckets,
    );
    this.#worked = instruments.histogram(
      metric('workqueue_work_duration_seconds', 'How long the reconcile of an object took'),
      queueBuckets,
    );
    this.#retries = instruments.counter(
      metric('workqueue_retries_total', 'Objects that are reconciled again after a failure'),
    );
    instruments.gauge(
      metric('workqueue_unfinished_work_seconds', 'The total duration of running reconciles'),
      (gauge) => this.#set(gauge, (ages) => ages.reduce((sum, age) => sum + age, 0)),
    );
    instruments.gauge(
      metric(
        'workqueue_longest_running_processor_seconds',
        'The duration of the longest running reconcile',
      ),
      (gauge) => this.#set(gauge, (ages) => Math.max(0, ...ages)),
    );
  }

  createObserver(controller: string): QueueObserver {
    const queue = { name: controller, controller };
    const inWork = new Map<string, number>();
    this.#inWork.set(controller, inWork);
    this.#depth.set(queue, 0);
    this.#adds.inc(queue, 0);
    this.#retries.inc(queue, 0);
    return {
      added: () => {
        this.#adds.inc(queue);
        this.#depth.inc(queue);
      },
      taken: (key, waited) => {
        this.#depth.dec(queue);
        this.#waited.observe(queue, waited / 1000);
        inWork.set(key, this.#clock.now());
      },
      finished: (key, worked) => {
        this.#worked.observe(queue, worked / 1000);
        inWork.delete(key);
      },
      retried: () => this.#retries.inc(queue),
      dropped: (keys) => this.#depth.dec(queue, keys),
    };
  }

  #set(gauge: Gauge<QueueLabel>, summary: (ages: readonly number[]) => number): void {
    const now = this.#clock.now();
    for (const [controller, inWork] of this.#inWork) {
      const ages = [...inWork.values()].map((began) => (now - began) / 1000);
      gauge.set({ name: controller, controller }, summary(ages));
    }
  }
}
