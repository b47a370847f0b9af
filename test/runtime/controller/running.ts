import { VirtualClock } from '../../../testing/clock/virtualclock.ts';
import { allow } from '../../../runtime/access/grant.ts';
import { controller } from '../../../runtime/controller/controller.ts';
import { ControllerRun } from '../../../runtime/controller/controllerrun.ts';
import type { Controller } from '../../../runtime/controller/declaration.ts';
import type { ControllerObserver, Outcome } from '../../../runtime/controller/observer.ts';
import { done, type Result } from '../../../runtime/controller/result.ts';
import { ifExists } from '../../../runtime/errors/expected.ts';
import type { Kind, Live } from '../../../runtime/kinds/kind.ts';
import { jsonLog } from '../../../runtime/log/log.ts';
import { MemoryCluster } from './memorycluster.ts';

interface Fields<Spec> {
  readonly spec?: Spec;
  readonly status?: { readonly seen?: number };
}

const kindIn =
  <Spec>() =>
  <const G extends string, const N extends string>(
    group: G,
    kind: N,
    scope: Kind['scope'] = 'Namespaced',
  ): Kind<Fields<Spec>, G, N> => ({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope,
  });

export const Shop = kindIn<{ readonly size?: number; readonly isClosed?: boolean }>()(
  'example.com',
  'Shop',
);
export const Country = kindIn<object>()('example.com', 'Country', 'Cluster');
export const ConfigMap = kindIn<object>()('', 'ConfigMap');
export const Secret = kindIn<{ readonly shop?: string }>()('', 'Secret');
export const Namespace = kindIn<object>()('', 'Namespace', 'Cluster');

export const inMall = (name: string, namespace = 'mall') => ({ name, namespace });

/** What most controllers of tests have in common. */
export const shops = { name: 'shops', for: Shop } as const;

/** Notes the names of objects, and does nothing for them. */
export const noting =
  (seen: string[]) =>
  async ({ object }: { readonly object: Pick<Live, 'metadata'> }): Promise<Result> => {
    seen.push(object.metadata.name);
    return done;
  };

/** Makes a ConfigMap of each shop's name. */
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
  readonly cluster?: MemoryCluster;
  readonly observer?: Omit<ControllerObserver, 'ended'>;
}

/** A controller that runs on a cluster in memory until `stop` is called. */
export class Running implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly cluster: MemoryCluster;
  readonly run: ControllerRun;
  readonly lines: { readonly [field: string]: unknown }[] = [];
  readonly stopping = new AbortController();
  readonly cutting = new AbortController();
  /** How its turns ended, in order. */
  readonly outcomes: Outcome[] = [];
  ended: Promise<void> | undefined;

  constructor(
    controller: Controller,
    { cluster = new MemoryCluster(), observer }: RunningProps = {},
  ) {
    this.cluster = cluster;
    const { clock, lines } = this;
    const log = jsonLog({ clock, level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    const ended = (_: string, outcome: Outcome): void => void this.outcomes.push(outcome);
    const deps = { client: cluster, caches: cluster, clock, random: () => 0, log };
    this.run = new ControllerRun(controller, { ...deps, observer: { ...observer, ended } });
  }

  /** Starts it, and lets everything happen that takes no time. */
  async start(): Promise<this> {
    this.ended = this.run.run({ stop: this.stopping.signal, cut: this.cutting.signal });
    await this.pass();
    return this;
  }

  /** Lets everything happen that happens within so many milliseconds. */
  async pass(milliseconds = 0): Promise<void> {
    await this.clock.advance(milliseconds);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
    this.run.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** The lines of what failed. */
  get errors(): { readonly [field: string]: unknown }[] {
    return this.lines.filter(({ level }) => level === 'error');
  }

  /** The sentences that were logged. */
  get said(): unknown[] {
    return this.lines.map(({ msg }) => msg);
  }
}
