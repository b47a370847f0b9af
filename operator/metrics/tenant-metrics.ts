import type { Controller, OwnMetrics } from '@tenantry/runtime/controller/declaration';
import type { Kind, Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import type { Counter, Histogram, Instruments } from '@tenantry/runtime/metrics/instruments';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { TenantStatus } from '../../crds/tenant-status.ts';
import type { HealedObject } from '../heal/heal-run.ts';
import { Tenant, wholeKinds, type namespaces, type quotas } from '../cluster/kinds.ts';
import { isStatusCurrent, computeState, states, registerTenantSeries } from './tenant-series.ts';
import { PendingChanges } from './pending-changes.ts';

type Own = OwnMetrics<typeof Tenant | typeof namespaces | typeof quotas>;
type Tenants = readonly Live<typeof Tenant>[];

/** Histogram buckets, in seconds. */
const delays = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Which metrics of tenants are exported. */
interface TenantMetricsProps {
  /**
   * Also export one series for each tenant that is not ready, and two for each resource of each tenant's quotas, up to
   * a limit.
   */
  readonly tenantSeries: boolean;
  /** Kinds of `resources` that are compared. @default - none */
  readonly others?: readonly Pick<Kind, 'kind'>[];
}

/**
 * Metrics of tenants, see docs/operator.md. They are computed from the statuses at each scrape, and only the leader
 * exports them.
 */
export class TenantMetrics {
  readonly #props: TenantMetricsProps;
  readonly #untold = new PendingChanges();
  /** The number of drifted fields, by tenant and kind: a status lists only the first ones. */
  readonly #fields = new Map<string, ReadonlyMap<string, number>>();
  /** Tenants whose last comparison failed. */
  readonly #failing = new Set<string>();
  /** Tenants whose last status write failed. */
  readonly #unreported = new Set<string>();
  /** The number of objects that could not be read, by tenant. */
  readonly #unread = new Map<string, number>();
  #heals: Counter<'type' | 'kind'> | undefined;
  #clock: Own['clock'] | undefined;
  #delay: Histogram<never> | undefined;

  constructor(props: TenantMetricsProps) {
    this.#props = props;
  }

  /** Returns the controller with its observations counted. */
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

  /** Records the current drift of a tenant. */
  recordDrift(tenant: string, drift: readonly { readonly kind: string }[]): void {
    this.#fields.set(tenant, countsByKind(drift));
  }

  /** Records that a tenant was compared, or why it cannot be. `unread` counts the objects that could not be read. */
  recordComparison(tenant: string, unread: number): void {
    this.#failing.delete(tenant);
    if (unread > 0) this.#unread.set(tenant, unread);
    else this.#unread.delete(tenant);
  }

  /** Records that the comparison of a tenant failed. */
  recordFailure(tenant: string): void {
    this.#failing.add(tenant);
  }

  /** Records whether a tenant's status is up to date. It is not if its last write failed. */
  recordReport(tenant: string, { isReported }: { readonly isReported: boolean }): void {
    if (isReported) this.#unreported.delete(tenant);
    else this.#unreported.add(tenant);
  }

  /** Records healed objects. */
  recordHealed(all: readonly HealedObject[]): void {
    for (const { type, object } of all) this.#heals?.inc({ type, kind: object.kind });
  }

  /** Records that a tenant's status was written. */
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
        help: 'Time from a watch event about a change to the write of the status that reflects it',
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
          for (const [kind, count] of this.#countFields(tenant)) gauge.inc({ kind }, count);
        }
      },
    );
    registerGauge(
      instruments,
      'tenantry_oldest_drift_age_seconds',
      'Age of the oldest drift; 0 if there is none',
      () => findOldest(tenants() ?? [], clock.date()),
    );
    registerGauge(
      instruments,
      'tenantry_undeclared_objects',
      "Undeclared objects in tenants' namespaces: role bindings, network policies, broad roles, limits, deciding keys and owners",
      () => tenants()?.reduce((sum, { status }) => sum + (status?.counts?.undeclared ?? 0), 0),
    );
    registerGauge(
      instruments,
      'tenantry_undeclared_access',
      "Undeclared objects and keys in tenants' namespaces that grant access which the tenants' users may not grant",
      () =>
        tenants()?.reduce((sum, { status }) => sum + (status?.counts?.undeclaredAccess ?? 0), 0),
    );
    registerGauge(
      instruments,
      'tenantry_objects_not_compared',
      'Declared objects that are not compared; the statuses list their kinds and the causes',
      () => tenants()?.reduce((sum, tenant) => sum + countNotCompared(tenant), 0),
    );
  }

  /** Exported only by the leader: a former leader's values are outdated. */
  #ofReporting(instruments: Instruments, tenants: () => Tenants | undefined): void {
    const whileLeading = (value: () => number) => () => (tenants() ? value() : undefined);
    registerGauge(
      instruments,
      'tenantry_tenants_not_compared',
      'Tenants whose last comparison failed',
      whileLeading(() => this.#failing.size),
    );
    registerGauge(
      instruments,
      'tenantry_statuses_refused',
      'Tenants whose last status write failed',
      whileLeading(() => this.#unreported.size),
    );
    registerGauge(
      instruments,
      'tenantry_objects_not_read',
      'Drifted or undeclared objects that could not be read, so their field managers are not known',
      whileLeading(() => this.#unread.values().reduce((sum, count) => sum + count, 0)),
    );
    registerGauge(
      instruments,
      'tenantry_tenants_unknown',
      'Tenants of which it is not known whether they are as declared; see the reasons of their conditions',
      () => tenants()?.filter(({ status }) => isUnknown(status)).length,
    );
  }

  #countFields({ metadata, status }: Live<typeof Tenant>): ReadonlyMap<string, number> {
    // Until this replica has compared the tenant, the previous leader's status counts.
    return this.#fields.get(metadata.name) ?? countsByKind(status?.drift ?? []);
  }
}

function registerStates(instruments: Instruments, tenants: () => Tenants | undefined): void {
  instruments.gauge(
    { name: 'tenantry_tenants', help: 'Tenants by state', labels: ['state'] },
    (gauge) => {
      gauge.reset();
      const there = tenants();
      if (!there) return;
      for (const state of Object.keys(states)) gauge.set({ state }, 0);
      for (const tenant of there) gauge.inc({ state: computeState(tenant) });
    },
  );
  registerGauge(
    instruments,
    'tenantry_stale_statuses',
    'Tenants whose status is not about their current generation',
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

/**
 * Registers a gauge with a single value. It is 0 where another replica leads, so that the sum over replicas is right.
 */
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
  const ready = findCondition(status?.conditions, 'Ready');
  return ready?.status === 'Unknown' && ready.reason !== 'Cordoned';
}

function countNotCompared({ status }: Live<typeof Tenant>): number {
  return (status?.notCompared ?? []).reduce((sum, { objects }) => sum + objects, 0);
}

/** Returns the age of the oldest drift, in seconds. */
function findOldest(tenants: Tenants, now: Date): number {
  const since = tenants.flatMap(({ status }) => status?.drift?.map((one) => one.since) ?? []);
  if (since.length === 0) return 0;
  const first = since.reduce((a, b) => (a < b ? a : b));
  return Math.max(0, (now.getTime() - Date.parse(first)) / 1000);
}
