import type { Clock } from '../clock/clock.ts';
import type { QueueObserver } from '../queue/work-queue.ts';
import type { Counter, Gauge, Histogram, Instruments } from './instruments.ts';

/** Both are the name of the controller, as in controller-runtime. */
type QueueLabel = 'name' | 'controller';

const labels = ['name', 'controller'] as const;

/** Seconds: 10 ns and eleven further powers of ten, as in client-go. */
const buckets = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** The workqueue_* metrics of controller-runtime. */
export class QueueMetrics {
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
    this.#depth = instruments.gauge({
      name: 'workqueue_depth',
      help: 'Objects that wait to be reconciled',
      labels,
    });
    this.#adds = instruments.counter({
      name: 'workqueue_adds_total',
      help: 'Objects that were queued to be reconciled',
      labels,
    });
    this.#waited = instruments.histogram(
      {
        name: 'workqueue_queue_duration_seconds',
        help: 'How long an object waited to be reconciled',
        labels,
      },
      buckets,
    );
    this.#worked = instruments.histogram(
      {
        name: 'workqueue_work_duration_seconds',
        help: 'How long the reconcile of an object took',
        labels,
      },
      buckets,
    );
    this.#retries = instruments.counter({
      name: 'workqueue_retries_total',
      help: 'Objects that are reconciled again after a failure',
      labels,
    });
    instruments.gauge(
      {
        name: 'workqueue_unfinished_work_seconds',
        help: 'The total duration of running reconciles',
        labels,
      },
      (gauge) => this.#set(gauge, (ages) => ages.reduce((sum, age) => sum + age, 0)),
    );
    instruments.gauge(
      {
        name: 'workqueue_longest_running_processor_seconds',
        help: 'The duration of the longest running reconcile',
        labels,
      },
      (gauge) => this.#set(gauge, (ages) => Math.max(0, ...ages)),
    );
  }

  /** Returns the observer of a controller's new, empty queue. */
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
