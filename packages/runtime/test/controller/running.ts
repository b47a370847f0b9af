import type { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { define } from '@tenantry/crd/define';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { ControllerRun } from '../../controller/controller-run.ts';
import type { Caches } from '../../controller/caches.ts';
import type { Controller } from '../../controller/declaration.ts';
import type { ControllerObserver, Outcome } from '../../controller/observer.ts';
import { done, type Result } from '../../controller/context.ts';
import { ifExists } from '../../errors/reaction.ts';
import { ConfigMap } from '../../kinds/core.ts';
import { kindOf, type Live } from '../../kinds/kind.ts';
import { jsonLog } from '../../log/log.ts';
import { createCluster, type OpenCluster } from '../../manager/open-cluster.ts';
import { boolean, integer, object, string } from '@tenantry/crd/schema/language';
import { ObservedCluster } from '../observed-cluster.ts';

const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A shop.', {
        spec: object('What it should be.', {
          size: integer('How large.'),
          isClosed: boolean('Nobody is served.'),
        }),
        status: object('What is the case.', { seen: integer('How many came.') }),
      }),
      subresources: {
        scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.seen' },
      },
    },
  },
});

const country = define({
  group: 'example.com',
  kind: 'Country',
  plural: 'countries',
  scope: 'Cluster',
  versions: {
    v1: {
      schema: object('A country.', {
        spec: object('What it should be.', { capital: string('The shop of its king.') }),
      }),
    },
  },
});

export const Shop = kindOf(shop, 'v1');
export const Country = kindOf(country, 'v1');
export { ConfigMap, Namespace, Secret } from '../../kinds/core.ts';

/** Creates a cluster with the namespaces `mall` and `street`, in which shops can exist. */
export const town = (): ObservedCluster =>
  new ObservedCluster({ definitions: [shop, country], namespaces: ['mall', 'street'] });

export const inMall = (name: string, namespace = 'mall') => ({ name, namespace });

/** The common part of most controllers of tests. */
export const shops = { name: 'shops', for: Shop } as const;

/** Records the names of objects, and does nothing for them. */
export const noting =
  (seen: string[]) =>
  async ({ object }: { readonly object: Pick<Live, 'metadata'> }): Promise<Result> => {
    seen.push(object.metadata.name);
    return done;
  };

/** Creates a ConfigMap with the name of each shop. */
export const stocking = controller({
  ...shops,
  owns: [ConfigMap],
  access: [allow(ConfigMap, 'create')],
  reconcile: async ({ object, client, cache, owned }) => {
    const { name, namespace } = object.metadata;
    if (!cache.get(ConfigMap, { name, namespace })) {
      await client.create(ConfigMap, owned({ metadata: { name } })).catch(ifExists);
    }
    return done;
  },
});

export interface RunningProps {
  readonly cluster?: ObservedCluster;
  readonly observer?: Omit<ControllerObserver, 'ended'>;
}

/** A controller that runs on a simulated cluster until `stop` is called. */
export class Running implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly cluster: ObservedCluster;
  readonly caches: Caches;
  readonly run: ControllerRun;
  readonly lines: { readonly [field: string]: unknown }[] = [];
  readonly stopping = new AbortController();
  readonly cutting = new AbortController();
  /** The outcomes of its reconciles, in order. */
  readonly outcomes: Outcome[] = [];
  ended: Promise<void> | undefined;
  readonly #opened: OpenCluster;
  readonly #emptying = new AbortController();
  #filled: Promise<void> | undefined;

  constructor(controller: Controller, { cluster = town(), observer }: RunningProps = {}) {
    this.cluster = cluster;
    this.clock = cluster.clock;
    const { clock, lines } = this;
    const { client } = cluster;
    const log = jsonLog({ clock, level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    const ended = (_: string, outcome: Outcome): void => void this.outcomes.push(outcome);
    const common = { clock, random: () => 0, log };
    this.#opened = createCluster(client, { ...common, metrics: undefined });
    this.caches = this.#opened.caches;
    const deps = { ...common, client, caches: this.caches };
    this.run = new ControllerRun(controller, { ...deps, observer: { ...observer, ended } });
  }

  /** Starts it, and lets everything run that takes no time. */
  async start(): Promise<this> {
    this.#filled ??= this.#opened.run(this.#emptying.signal);
    this.ended = this.run.run({ stop: this.stopping.signal, cut: this.cutting.signal });
    await this.pass();
    return this;
  }

  /** Advances the clock, and lets everything run that happens in that time. */
  async pass(milliseconds = 0): Promise<void> {
    await this.clock.advance(milliseconds);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
    this.run.close();
    this.#emptying.abort();
    await this.#filled;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The log lines of errors. */
  get errors(): { readonly [field: string]: unknown }[] {
    return this.lines.filter(({ level }) => level === 'error');
  }

  /** The logged messages. */
  get messages(): unknown[] {
    return this.lines.map(({ msg }) => msg);
  }
}
