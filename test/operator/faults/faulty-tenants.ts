import { Registry } from 'prom-client';
import type { Platform } from '../../../model/declaration.ts';
import { Fleet } from '../../../model/fleet.ts';
import { accessRequest } from '../../../crds/access-request.ts';
import { tenant } from '../../../crds/tenant.ts';
import { tenantClass } from '../../../crds/tenant-class.ts';
import type { TenantSpec } from '../../../crds/types.ts';
import { Tenant, TenantClass, wholeKinds } from '../../../operator/cluster/kinds.ts';
import { requestController } from '../../../operator/break-glass/request-controller.ts';
import { tenantController } from '../../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Event } from '@tenantry/runtime/kinds/events';
import type { Kind, Live, Written } from '@tenantry/runtime/kinds/kind';
import type { ManagerProps } from '@tenantry/runtime/manager/manager';
import { Managed } from '@tenantry/runtime/test/manager/managed';
import { ObservedCluster, refused } from '@tenantry/runtime/test/observed-cluster';
import { samplesOf } from '@tenantry/runtime/test/metrics/scraped';
import { platform as observing } from '../given.ts';

const admins = { access: { admins: { groups: ['team'] } } } satisfies TenantSpec;

export interface FaultyTenantsProps extends Pick<ManagerProps, 'health'> {
  /** @default - an observe-only one */
  readonly platform?: Platform;
  readonly spec?: TenantSpec;
  /** Faults that exist from the start. */
  readonly before?: (given: FaultyTenants) => void;
}

/** The tenant operator on a simulated cluster with the tenant `acme`, with its metrics scraped once a minute. */
export class FaultyTenants implements AsyncDisposable {
  readonly cluster = new ObservedCluster({ definitions: [accessRequest, tenant, tenantClass] });
  registry = new Registry();
  /** Values of each series, one per minute; undefined if there was none. */
  readonly series = new Map<string, (number | undefined)[]>();
  managed: Managed;
  readonly #platform: Platform;
  readonly #health: ManagerProps['health'];
  readonly #denied = new Map<string, Error>();
  readonly #unread = new Map<string, Error>();
  #minutes = 0;

  private constructor({ platform = observing, health }: FaultyTenantsProps) {
    this.#platform = platform;
    this.#health = health;
    this.managed = this.#manage();
    this.cluster.before = (call) => {
      for (const [begin, error] of this.#denied) if (call.startsWith(begin)) throw error;
    };
    this.cluster.beforeRead = (resource) => {
      const error = this.#unread.get(resource) ?? this.#unread.get('*');
      if (error) throw error;
    };
  }

  /** Returns a new process of the operator, without the memory of a previous one. */
  #manage(): Managed {
    const platform = this.#platform;
    const requests =
      platform.driftPolicy === 'Heal' ? [requestController({ platform, cluster: 'eu' })] : [];
    const tenants = tenantController({ platform, cluster: 'eu', rolloutDeadline: 60_000 });
    return new Managed(
      {
        controllers: [tenants, ...requests],
        metrics: { registry: this.registry, port: 0, host: '127.0.0.1', ofProcess: false },
        health: this.#health,
      },
      { cluster: this.cluster },
    );
  }

  /** Stops the operator and starts another process of it. */
  async restart(): Promise<void> {
    await this.managed.stop();
    this.registry = new Registry();
    this.managed = this.#manage();
    await this.managed.start();
  }

  static async begin(props: FaultyTenantsProps = {}): Promise<FaultyTenants> {
    const given = new FaultyTenants(props);
    given.declare('acme', props.spec);
    props.before?.(given);
    await given.managed.start();
    await given.pass(1);
    return given;
  }

  get api() {
    return this.cluster.api;
  }

  /** Creates a Tenant and its declared objects, as Argo CD does. */
  declare(name: string, spec: TenantSpec = admins): void {
    const standard = { defaults: { quota: { hard: { pods: 10 } } } };
    if (!this.cluster.peek(TenantClass, { name: 'standard' })) {
      this.api.create(TenantClass, { metadata: { name: 'standard' }, spec: standard });
    }
    this.api.create(Tenant, { metadata: { name }, spec });
    const fleet = new Fleet(this.#platform);
    fleet.classes.add({ name: 'standard', spec: standard });
    for (const { objects } of fleet.desired({ name, spec }).namespaces) {
      for (const object of objects) {
        const kind: Kind | undefined = wholeKinds.find((one) => one.kind === object.kind);
        if (kind) this.api.apply(kind, object as Written, { fieldManager: 'argocd-controller' });
      }
    }
  }

  /** Refuses calls with this prefix, such as `get networkpolicies`, until the returned function is called. */
  deny(begin: string, error: Error = refused(403, 'Forbidden', `${begin} is denied`)): () => void {
    this.#denied.set(begin, error);
    return () => void this.#denied.delete(begin);
  }

  /** Makes lists and watches of a resource, or of `*`, fail once its watch ends. */
  hide(resource: string, error: Error = refused(403, 'Forbidden')): () => void {
    this.#unread.set(resource, error);
    return () => void this.#unread.delete(resource);
  }

  /** Advances by this number of minutes, and scrapes after each. */
  async pass(minutes: number, each: () => void = () => undefined): Promise<void> {
    for (let left = minutes; left > 0; left -= 1) {
      each();
      await this.managed.pass(60_000);
      await this.#scrape();
    }
  }

  async #scrape(): Promise<void> {
    const page = samplesOf(await this.registry.metrics());
    for (const [series, value] of page) {
      const known = this.series.get(series) ?? Array<undefined>(this.#minutes).fill(undefined);
      known.push(value);
      this.series.set(series, known);
    }
    this.#minutes += 1;
    for (const values of this.series.values()) {
      if (values.length < this.#minutes) values.push(undefined);
    }
  }

  /** `False Drifted`. */
  get ready(): string {
    const ready = findCondition(this.status?.conditions, 'Ready');
    return `${ready?.status} ${ready?.reason}`;
  }

  get message(): string | undefined {
    return findCondition(this.status?.conditions, 'Ready')?.message;
  }

  get status(): Live<typeof Tenant>['status'] {
    return this.cluster.peek(Tenant, { name: 'acme' })?.status;
  }

  /** `Warning UndeclaredAccess: note` of each event. */
  get events(): readonly string[] {
    return this.api
      .list(Event)
      .items.map((one) => one as Live & { type?: string; reason?: string; note?: string })
      .map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
  }

  /** Returns the current value of a series. */
  value(series: string): number | undefined {
    return this.series.get(series)?.at(-1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.managed.stop();
    // An operator that does not stop cleanly is abandoned after its stop timeout.
    await this.managed.pass(40_000);
  }
}
