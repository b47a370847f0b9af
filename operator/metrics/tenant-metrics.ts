import type { Controller } from '../../runtime/controller/declaration.ts';
import type { OwnMetrics } from '../../runtime/controller/own-metrics.ts';
import type { Kind, Live, ObjectName } from '../../runtime/kinds/kind.ts';
import type { Counter, Histogram, Instruments } from '../../runtime/metrics/instruments.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { TenantStatus } from '../../crds/tenantry/tenant-status.ts';
import type { HealedObject } from '../heal/heal-run.ts';
import { Tenant, wholeKinds, type namespaces, type quotas } from '../cluster/kinds.ts';
import { isStatusCurrent, stateOf, states } from './state.ts';
import { registerTenantSeries } from './tenant-series.ts';
import { PendingChanges } from './pending-changes.ts';

type Own = OwnMetrics<typeof Tenant | typeof namespaces | typeof quotas>;
type Tenants = readonly Live<typeof Tenant>[];

/** Seconds. */
const delays = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** What metrics are made of tenants. */
export interface TenantMetricsProps {
  /**
   * Also one series for each tenant that is not ready, and two for each resource of each quota of a tenant, up to
   * a bound.
   */
  readonly tenantSeries: boolean;
  /** Kinds of `resources` that are compared. @default - none */
  readonly others?: readonly Pick<Kind, 'kind'>[];
}

/**
 * Metrics of tenants, see docs/operator.md. They are read from the statuses when they are asked for, and told by
 * the replica that leads alone.
 */
export class TenantMetrics {
  readonly #props: TenantMetricsProps;
  readonly #untold = new PendingChanges();
  /** Fields that differ, by tenant and kind: a status lists only the first. */
  readonly #fields = new Map<string, ReadonlyMap<string, number>>();
  /** Tenants that could not be compared when that was tried last. */
  readonly #failing = new Set<string>();
  /** Tenants whose status could not be written when that was tried last. */
  readonly #unreported = new Set<string>();
  /** Objects that could not be read, by tenant. */
  readonly #unread = new Map<string, number>();
  #heals: Counter<'type' | 'kind'> | undefined;
  #clock: Own['clock'] | undefined;
  #delay: Histogram<never> | undefined;

  constructor(props: TenantMetricsProps) {
    this.#props = props;
  }

  /** The controller, with what it sees counted. */
  instrument(controller: Controller): Controller {
    const { watches, predicate, reconcile, onGone } = controller;
    return {
      ...controller,
      metrics: this.#make,
      watches: watches.map((watch) => ({
        ...watch,
        map: (object, cache) => this.#changed(watch.map(object, cache)),
      })),
      predicate: (change) => {
        const isNews = predicate?.(change) ?? true;
        if (isNews) this.#changed([change.object.metadata]);
        return isNews;
      },
      reconcile: async (context) => {
        const { name } = context.object.metadata;
        this.#untold.begin(name);
        const result = await reconcile(context);
        this.#untold.end(name);
        return result;
      },
      onGone: async (context) => {
        this.#untold.forget(context.name.name);
        this.#forget(context.name.name);
        await onGone?.(context);
      },
    };
  }

  /** What differs of a tenant now. */
  recordDrift(tenant: string, drift: readonly { readonly kind: string }[]): void {
    this.#fields.set(tenant, countsByKind(drift));
  }

  /** A tenant was compared, or it is known why it cannot be. `unread`: objects that could not be read. */
  recordComparison(tenant: string, unread: number): void {
    this.#failing.delete(tenant);
    if (unread > 0) this.#unread.set(tenant, unread);
    else this.#unread.delete(tenant);
  }

  /** A tenant could not be compared. */
  recordFailure(tenant: string): void {
    this.#failing.add(tenant);
  }

  /** The status of a tenant was written, or needs no write; or it could not be written. */
  recordReport(tenant: string, isReported: boolean): void {
    if (isReported) this.#unreported.delete(tenant);
    else this.#unreported.add(tenant);
  }

  /** What was done about differences. */
  recordHealed(all: readonly HealedObject[]): void {
    for (const { type, object } of all) this.#heals?.inc({ type, kind: object.kind });
  }

  /** Its status was written. */
  recordStatusDelay(tenant: string): void {
    const since = this.#untold.since(tenant);
    if (since === undefined || !this.#clock) return;
    this.#delay?.observe({}, (this.#clock.now() - since) / 1000);
  }

  readonly #make = ({ instruments, cache, clock }: Own): void => {
    this.#clock = clock;
    this.#delay = instruments.histogram(
      {
        name: 'tenantry_status_delay_seconds',
        help: 'From when a watch told of a change until the status that tells it was written',
        labels: [],
      },
      delays,
    );
    const tenants = (): Tenants | undefined => cache()?.list(Tenant);
    registerStates(instruments, tenants);
    this.#ofDrift(instruments, tenants, clock);
    registerQuotas(instruments, tenants);
    this.#ofReporting(instruments, tenants);
    this.#heals = instruments.counter({
      name: 'tenantry_heals_total',
      help: 'Objects that the operator created, restored or replaced, and role bindings that it revoked',
      labels: ['type', 'kind'],
    });
    if (this.#props.tenantSeries) registerTenantSeries(instruments, cache);
  };

  #forget(tenant: string): void {
    for (const known of [this.#fields, this.#failing, this.#unreported, this.#unread]) {
      known.delete(tenant);
    }
  }

  #changed(names: readonly ObjectName[]): readonly ObjectName[] {
    const now = this.#clock?.now();
    if (now !== undefined) for (const { name } of names) this.#untold.record(name, now);
    return names;
  }

  #ofDrift(
    instruments: Instruments,
    tenants: () => Tenants | undefined,
    clock: Own['clock'],
  ): void {
    const fields = { name: 'tenantry_drifted_fields', labels: ['kind'] as const };
    instruments.gauge(
      { ...fields, help: 'Fields that differ from what is declared; a missing object is one' },
      (gauge) => {
        gauge.reset();
        const there = tenants();
        if (!there) return;
        const { others = [] } = this.#props;
        for (const { kind } of [...wholeKinds, ...others]) gauge.set({ kind }, 0);
        for (const tenant of there) {
          for (const [kind, count] of this.#fieldsOf(tenant)) gauge.inc({ kind }, count);
        }
      },
    );
    registerGauge(
      instruments,
      'tenantry_oldest_drift_age_seconds',
      'For how long what has differed the longest has; 0 where nothing differs',
      () => oldestOf(tenants() ?? [], clock.date()),
    );
    registerGauge(
      instruments,
      'tenantry_undeclared_objects',
      "What nobody declared in tenants' namespaces: role bindings, network policies, broad roles, limits, deciding keys and owners",
      () => tenants()?.reduce((sum, { status }) => sum + (status?.counts?.undeclared ?? 0), 0),
    );
    registerGauge(
      instruments,
      'tenantry_undeclared_access',
      "Undeclared objects and keys in tenants' namespaces that give access which the tenants' users may not give",
      () =>
        tenants()?.reduce((sum, { status }) => sum + (status?.counts?.undeclaredAccess ?? 0), 0),
    );
    registerGauge(
      instruments,
      'tenantry_objects_not_compared',
      'Declared objects that are not compared; the statuses say of which kinds, and why not',
      () => tenants()?.reduce((sum, tenant) => sum + notComparedOf(tenant), 0),
    );
  }

  /** Counted where this replica leads: of a time before, nothing is known any more. */
  #ofReporting(instruments: Instruments, tenants: () => Tenants | undefined): void {
    const whileLeading = (value: () => number) => () => (tenants() ? value() : undefined);
    registerGauge(
      instruments,
      'tenantry_tenants_not_compared',
      'Tenants that could not be compared when that was tried last',
      whileLeading(() => this.#failing.size),
    );
    registerGauge(
      instruments,
      'tenantry_statuses_refused',
      'Tenants whose status could not be written when that was tried last',
      whileLeading(() => this.#unreported.size),
    );
    registerGauge(
      instruments,
      'tenantry_objects_not_read',
      'Objects that differ or that nobody declared, and that could not be read: who wrote them is not known',
      whileLeading(() => this.#unread.values().reduce((sum, count) => sum + count, 0)),
    );
    registerGauge(
      instruments,
      'tenantry_tenants_unknown',
      'Tenants of which it is not known whether they are as declared; the reasons of their conditions say why',
      () => tenants()?.filter(({ status }) => isUnknown(status)).length,
    );
  }

  #fieldsOf({ metadata, status }: Live<typeof Tenant>): ReadonlyMap<string, number> {
    // Before it is looked at for the first time, what the replica before wrote holds.
    return this.#fields.get(metadata.name) ?? countsByKind(status?.drift ?? []);
  }
}

function registerStates(instruments: Instruments, tenants: () => Tenants | undefined): void {
  instruments.gauge(
    { name: 'tenantry_tenants', help: 'Tenants, by how they stand', labels: ['state'] },
    (gauge) => {
      gauge.reset();
      const there = tenants();
      if (!there) return;
      for (const state of Object.keys(states)) gauge.set({ state }, 0);
      for (const tenant of there) gauge.inc({ state: stateOf(tenant) });
    },
  );
  registerGauge(
    instruments,
    'tenantry_stale_statuses',
    'Tenants whose status does not speak of what they are declared to be now',
    () => tenants()?.filter((tenant) => !isStatusCurrent(tenant)).length,
  );
}

function registerQuotas(instruments: Instruments, tenants: () => Tenants | undefined): void {
  registerGauge(
    instruments,
    'tenantry_tenants_short_of_quota',
    'Tenants that have used nine tenths or more of a resource of a quota',
    () => tenants()?.filter(({ status }) => status?.quotaPressure !== undefined).length,
  );
}

/** One number; 0 where another replica leads, so that the sum over replicas is right. */
function registerGauge(
  instruments: Instruments,
  name: string,
  help: string,
  value: () => number | undefined,
): void {
  instruments.gauge({ name, help, labels: [] }, (gauge) => gauge.set({}, value() ?? 0));
}

function countsByKind(drift: readonly { readonly kind: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of drift) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function isUnknown(status: TenantStatus | undefined): boolean {
  const ready = conditionOf(status?.conditions, 'Ready');
  return ready?.status === 'Unknown' && ready.reason !== 'Cordoned';
}

function notComparedOf({ status }: Live<typeof Tenant>): number {
  return (status?.notCompared ?? []).reduce((sum, { objects }) => sum + objects, 0);
}

/** Seconds. */
function oldestOf(tenants: Tenants, now: Date): number {
  const since = tenants.flatMap(({ status }) => status?.drift?.map((one) => one.since) ?? []);
  if (since.length === 0) return 0;
  const first = since.reduce((a, b) => (a < b ? a : b));
  return Math.max(0, (now.getTime() - Date.parse(first)) / 1000);
}
