import type { Counter, Gauge, Instruments } from '../metrics/instruments.ts';

/** The metrics of migrations; `resource` is `redises.cache.example.com`. */
export interface MigrationMetrics {
  readonly objects: Counter<'resource' | 'result'>;
  readonly pending: Gauge<'resource'>;
}

/** Several controllers of one manager, one for each definition, share these metrics. */
const metricsByInstruments = new WeakMap<Instruments, MigrationMetrics>();

export function migrationMetrics(instruments: Instruments): MigrationMetrics {
  const found = metricsByInstruments.get(instruments);
  if (found) return found;
  const metrics: MigrationMetrics = {
    objects: instruments.counter({
      name: 'tenantry_storage_migration_objects_total',
      help: 'Objects written once without a change, to be stored in the storage version, by result',
      labels: ['resource', 'result'],
    }),
    pending: instruments.gauge({
      name: 'tenantry_storage_migration_pending',
      help: 'Whether objects may be stored in another version than the storage version: 1 or 0',
      labels: ['resource'],
    }),
  };
  metricsByInstruments.set(instruments, metrics);
  return metrics;
}
