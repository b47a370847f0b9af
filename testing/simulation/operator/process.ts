import { ProcessClock } from '../../clock/process-clock.ts';
import type { VirtualClock } from '../../clock/virtual-clock.ts';

/** A crash that waits for a write of the process. */
export interface PendingCrash {
  /** 1 is the next one. */
  writes: number;
  /** Whether that write is still done. */
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

  /** It ends at once: nothing of it runs any more, and nothing it waits for arrives. */
  kill(): void {
    this.isAlive = false;
    this.clock.kill();
  }

  /** Whether it crashes at this write. */
  takeCrash(): PendingCrash | undefined {
    if (!this.crash) return undefined;
    this.crash.writes -= 1;
    return this.crash.writes <= 0 ? this.crash : undefined;
  }
}
