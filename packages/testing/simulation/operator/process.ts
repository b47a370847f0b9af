import type { VirtualClock } from '../../clock/virtual-clock.ts';
import { createSleep, type Clock } from '@tenantry/runtime/clock/clock';

/** A crash at a later write of the process. */
export interface PendingCrash {
  /** The number of writes until then; 1 is the next one. */
  writes: number;
  /** Whether that write takes effect. */
  readonly takesEffect: boolean;
}

/** One run of the operator's program, until it ends or is killed. */
export class SimulatedProcess {
  readonly name: string;
  readonly clock: ProcessClock;
  isAlive = true;
  crash: PendingCrash | undefined;

  constructor(name: string, time: VirtualClock, skew: number) {
    this.name = name;
    this.clock = new ProcessClock(time, { skew });
  }

  /** Ends the process at once: none of its code runs any more, and no answer arrives. */
  kill(): void {
    this.isAlive = false;
    this.clock.kill();
  }

  /** Returns the crash that is due at this write. */
  takeCrash(): PendingCrash | undefined {
    if (!this.crash) return undefined;
    this.crash.writes -= 1;
    return this.crash.writes <= 0 ? this.crash : undefined;
  }
}

export interface ProcessClockProps {
  /** Milliseconds that this clock counts for each true millisecond. @default 1 */
  readonly rate?: number;
  /** The error of its date, in milliseconds. @default 0 */
  readonly skew?: number;
}

/**
 * The clock of one process. It runs at its own rate, and its event loop can stall, also for ever. When
 * the loop wakes, it runs what became due meanwhile: timers first, then what arrived over the network.
 */
export class ProcessClock implements Clock {
  readonly #true: VirtualClock;
  readonly #rate: number;
  #skew: number;
  readonly #start: number;
  #stalls = 0;
  #suspended = 0;
  #timers: (() => void)[] = [];
  #arrivals: (() => void)[] = [];
  readonly sleep: Clock['sleep'] = createSleep((milliseconds, run) =>
    this.after(milliseconds, run),
  );

  constructor(time: VirtualClock, { rate = 1, skew = 0 }: ProcessClockProps = {}) {
    this.#true = time;
    this.#rate = rate;
    this.#skew = skew;
    this.#start = time.date().getTime() - time.now();
  }

  now(): number {
    return (this.#true.now() - this.#suspended) * this.#rate;
  }

  date(): Date {
    return new Date(this.#start + this.#true.now() * this.#rate + this.#skew);
  }

  after(milliseconds: number, run: () => void): () => void {
    const due = this.now() + milliseconds;
    let isCancelled = false;
    const fire = (): void => {
      if (isCancelled) return;
      const rest = due - this.now();
      if (!this.isAwake) this.#timers.push(fire);
      else if (rest > 0.001) cancel = this.#true.after(rest / this.#rate, fire);
      else run();
    };
    let cancel = this.#true.after(milliseconds / this.#rate, fire);
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Runs a callback for something that arrived over the network, now or when the event loop wakes. */
  runWhenAwake(run: () => void): void {
    if (this.isAwake) run();
    else this.#arrivals.push(run);
  }

  get isAwake(): boolean {
    return this.#stalls === 0;
  }

  /** Stalls the event loop for so many true milliseconds. */
  stall(milliseconds: number): void {
    this.#stalls += 1;
    this.#true.after(milliseconds, () => {
      this.#stalls -= 1;
      this.#wake();
    });
  }

  /** Suspends the machine for so many true milliseconds: only the date advances. */
  suspend(milliseconds: number): void {
    this.#true.after(milliseconds, () => (this.#suspended += milliseconds));
    this.stall(milliseconds);
  }

  /** Moves the date by so many milliseconds; the monotonic time is not affected. */
  jump(milliseconds: number): void {
    this.#skew += milliseconds;
  }

  /** Stalls the event loop for ever. */
  kill(): void {
    this.#stalls += 1;
  }

  #wake(): void {
    if (!this.isAwake) return;
    const [next] =
      this.#timers.length > 0 ? this.#timers.splice(0, 1) : this.#arrivals.splice(0, 1);
    if (!next) return;
    next();
    this.#true.after(0, () => this.#wake());
  }
}
