import { Registry } from 'prom-client';
import { listOperatorAccess } from '../../model/operator/access.ts';
import { Fleet } from '../../model/fleet.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { openClient } from '@tenantry/runtime/client/open-client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { type Connection, connectionTo } from '@tenantry/runtime/connection/connection';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf } from '../examples/operator.ts';
import type { SeriesByMinute } from '../operator/faults/firing.ts';
import { platform } from '../operator/given.ts';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { samplesOf } from '@tenantry/runtime/test/metrics/scraped';
import { Account } from './accounts.ts';
import { serve } from './crds.ts';

const standard = { defaults: { quota: { hard: { pods: 10 } } } };
const spec = { access: { admins: { groups: ['team'] } } };
const home = 'tenantry-system';
const quota = { namespace: 'acme', name: 'tenant-quota' };
const isolation = { namespace: 'acme', name: 'tenant-isolation' };

type Page = ReadonlyMap<string, number>;

/** Serves the Tenant kind, and creates the tenant `acme`. */
export async function declareTenant({ admin }: ClusterAccess): Promise<void> {
  await serve(admin, crdManifest(tenant));
  const client = clientOf(admin);
  await until('a Tenant can be created', () =>
    client.create(Tenant, { metadata: { name: 'acme' }, spec }),
  );
}

/**
 * The tenant operator with exactly its installed rights, the declared tenant `acme`, and the metrics of the operator.
 * Its clock jumps ahead, so that minutes of a fault pass at once.
 */
export class BlindedOperator implements AsyncDisposable {
  readonly admin: Client;
  readonly account: Account;
  readonly clock: UnsteadyClock;
  readonly proxy: FaultyProxy;
  readonly #registry = new Registry();
  readonly #log: string[] = [];
  readonly #client: Client & { close(): void };
  readonly #end = new AbortController();
  readonly #ended: Promise<void>;
  #well: Page = new Map();

  private constructor(
    cluster: ClusterAccess,
    account: Account,
    clock: UnsteadyClock,
    proxy: FaultyProxy,
    connection: Connection,
  ) {
    this.admin = clientOf(cluster.admin);
    this.account = account;
    this.clock = clock;
    this.proxy = proxy;
    this.#client = openClient(connection, { qps: Infinity, clock });
    const manager = new Manager({
      client: this.#client,
      clock,
      controllers: [tenantController({ platform, cluster: 'eu', rolloutDeadline: 1 })],
      metrics: { registry: this.#registry, port: 0, host: '127.0.0.1', ofProcess: false },
      log: jsonLog({ clock, write: (line) => void this.#log.push(line) }),
    });
    this.#ended = manager.run(this.#end.signal);
    this.#ended.catch(() => undefined);
  }

  /**
   * Starts the operator, and waits until the tenant is as declared.
   * @param tokenFile the file with the operator's token. With it, the operator connects without the proxy.
   */
  static async start(
    cluster: ClusterAccess,
    tokenFile?: (token: string) => string,
  ): Promise<BlindedOperator> {
    const admin = clientOf(cluster.admin);
    await serve(cluster.admin, crdManifest(tenantClass));
    await admin.create(TenantClass, { metadata: { name: 'standard' }, spec: standard });
    await admin.create(Namespace, { metadata: { name: home } });
    await declareTenant(cluster);
    const fleet = new Fleet(platform);
    fleet.classes.add({ name: 'standard', spec: standard });
    for (const { objects } of fleet.desired({ name: 'acme', spec }).namespaces) {
      for (const object of objects) {
        const { status, body } = await cluster.admin.apply(object, {
          fieldManager: 'argocd-controller',
        });
        if (status > 201) throw new Error(body.message);
      }
    }
    const access = listOperatorAccess(home, { policy: 'Observe', clusterRoles: [] });
    const account = await Account.make(cluster, home, access);
    const clock = new UnsteadyClock();
    const { server, ca, token = '' } = account.client.credentials;
    const proxy = await FaultyProxy.start(connectionOfUser(account.client));
    const connection = tokenFile
      ? connectionTo({ server, ca, token: { file: tokenFile(token) } }, clock)
      : proxy.connection;
    const given = new BlindedOperator(cluster, account, clock, proxy, connection);
    await given.waitForReady('True AsDeclared');
    given.#well = await given.#scrape();
    return given;
  }

  /** Waits until `Ready` of the tenant has this status and reason, and returns its message. */
  async waitForReady(words: string): Promise<string | undefined> {
    let last = '';
    return until(`Ready of the tenant is ${words}`, async () => {
      const { status } = await this.admin.get(Tenant, { name: 'acme' });
      const ready = findCondition(status?.conditions, 'Ready');
      last = `${ready?.status} ${ready?.reason}`;
      return last === words && (ready?.message ?? '');
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${last}\n${this.#log.slice(-12).join('\n')}`);
    });
  }

  /** Waits until a series exceeds this value. */
  async exceeds(series: string, value: number): Promise<void> {
    let page: Page = new Map();
    await until(`${series} is above ${value}`, async () => {
      page = await this.#scrape();
      return [...page].some(([name, is]) => name.startsWith(series) && is > value);
    }).catch((error: unknown) => {
      const all = [...page].filter(([, is]) => is !== 0).map((one) => one.join(' '));
      throw new Error([String(error), ...all, ...this.#log.slice(-12)].join('\n'));
    });
  }

  /** Returns the samples as Prometheus would have them: ten minutes from before the fault, and forty scraped now. */
  async seriesUnderFault(): Promise<SeriesByMinute> {
    const now = await this.#scrape();
    const names = [...new Set([...this.#well.keys(), ...now.keys()])];
    return new Map(
      names.map((name) => [
        name,
        [...Array(10).fill(this.#well.get(name)), ...Array(40).fill(now.get(name))],
      ]),
    );
  }

  /** Keeps only our own metrics: queue depths are those of a moment. */
  async #scrape(): Promise<Page> {
    const page = samplesOf(await this.#registry.metrics());
    return new Map([...page].filter(([name]) => name.startsWith('tenantry_')));
  }

  /** Adds a policy that lets in all traffic. */
  open(): Promise<unknown> {
    const by = { fieldManager: 'kubectl-edit' };
    return this.admin.patch(NetworkPolicy, isolation, { spec: { ingress: [{}] } } as never, by);
  }

  /** Returns the status code of the API server when the account updates a status. Nothing is stored. */
  async tryStatus(): Promise<number> {
    const reference = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', name: 'acme' };
    const options = { dryRun: true, subresource: 'status' } as const;
    return (await this.account.client.patch(reference, { status: {} }, options)).status;
  }

  changeQuota(pods: number): Promise<unknown> {
    return this.admin.patch(ResourceQuota, quota, { spec: { hard: { pods: `${pods}` } } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new Error('the test is over'));
    await this.#ended;
    this.#client.close();
    await this.proxy.stop();
  }
}
