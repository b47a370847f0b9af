import { ProcessClock } from '../../clock/process-clock.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';

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
