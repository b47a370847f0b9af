import type { Clock } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Instruments } from '../metrics/instruments.ts';
import type { CacheView } from './caches.ts';

/** With what a controller makes metrics of its own. */
export interface OwnMetrics<Watched extends Kind = Kind> {
  /** Makes them beside those of the runtime. */
  readonly instruments: Instruments;
  /**
   * The kinds that it watches, while it runs. Undefined before its caches have read all that was there, and
   * where another replica leads: what each replica told would be added up.
   */
  cache(): CacheView<Watched> | undefined;
  readonly clock: Clock;
}
