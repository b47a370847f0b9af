import type { Clock } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Instruments } from '../metrics/instruments.ts';
import type { CacheView } from './caches.ts';

/** What a controller needs for its own metrics. */
export interface OwnMetrics<Watched extends Kind = Kind> {
  /** Registers metrics beside those of the runtime. */
  readonly instruments: Instruments;
  /**
   * The watched kinds, while the controller runs. Undefined before its caches have read all existing objects, and on
   * replicas that do not lead, so that sums over replicas are right.
   */
  cache(): CacheView<Watched> | undefined;
  readonly clock: Clock;
}
