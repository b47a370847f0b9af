import type { Definition } from '../../../crds/definition.ts';
import type { Client } from '../../../runtime/client/client.ts';
import type { Clock, Random } from '../../../runtime/clock/clock.ts';
import { seededRandom } from '../../clock/seeded-random.ts';
import { Api, namespaces } from './api.ts';
import { ObjectStore } from './object-store.ts';
import { Paginator } from './pages.ts';
import { ServedKinds } from './served-kinds.ts';
import { ServerWatch } from './server-watch.ts';
import { SimulatedClient } from './simulated-client.ts';
import type { StoredObject, StoredChange } from './stored.ts';
import { directWire, type Wire } from './wire.ts';

/** What a simulated API server is made of. */
export interface SimulatedApiServerProps {
  /** Its time: that of bookmarks and timestamps. */
  readonly clock: Clock;
  /** Custom resources that it serves: defaulted and validated by their schemas. @default - none */
  readonly definitions?: readonly Definition[] | undefined;
  /** Where uids and generated names come from. @default - the same ones each time */
  readonly random?: Random | undefined;
}

/**
 * A simulated API server: an API server in memory, for tests that a real one is too slow for. It has
 * what a controller can notice: versions, conflicts, generations, finalizers, preconditions, selectors,
 * pages, watches that resume and expire, merge patches, server-side apply, scale, defaults and
 * validation. One suite of tests runs against it and against a real API server; what it does not
 * know it refuses with `NotSimulated`.
 *
 * It has no controllers: nothing is garbage-collected and no pod becomes ready, unless `simulate` runs it.
 *
 * @example
 * ```ts
 * import { core, ifExists } from 'tenantry/runtime';
 * import { SimulatedApiServer, VirtualClock } from 'tenantry/testing';
 *
 * const client = new SimulatedApiServer({ clock: new VirtualClock() }).client();
 * await client.create(core.Namespace, { metadata: { name: 'shop' } });
 * await client.create(core.Namespace, { metadata: { name: 'shop' } }).catch(ifExists);
 * const { status } = await client.get(core.Namespace, { name: 'shop' });
 * console.log(status?.phase); // Active
 * ```
 */
export class SimulatedApiServer {
  readonly #props: SimulatedApiServerProps;
  readonly #random: Random;
  readonly #store = new ObjectStore();
  readonly #pages = new Paginator(this.#store);
  readonly #kinds: ServedKinds;

  /** @throws {Error} for definitions whose versions a webhook converts */
  constructor(props: SimulatedApiServerProps) {
    this.#props = props;
    this.#random = props.random ?? seededRandom(1);
    this.#kinds = new ServedKinds(props.definitions ?? []);
    const own = this.api('kube-apiserver');
    for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
      own.create(namespaces, { metadata: { name } });
    }
  }

  /** What is served, with where it lies. @internal */
  get kinds(): ServedKinds {
    return this.#kinds;
  }

  /** What is stored. @internal */
  get store(): ObjectStore {
    return this.#store;
  }

  /** A client of somebody, who is also the manager of the fields that it writes. */
  client(who = 'tenantry'): Client {
    return this.clientOver(who, directWire);
  }

  /** One whose calls take another way to the server and back. @internal */
  clientOver(who: string, wire: Wire): Client {
    const { clock } = this.#props;
    const store = this.#store;
    return new SimulatedClient(
      this.api(who),
      (kind, options, hearer) =>
        new ServerWatch(kind, this.#kinds.get(kind), options, { store, clock, hearer }),
      wire,
    );
  }

  /** The same without waiting: each call is done when it returns. @internal */
  api(who: string): Api {
    const { clock } = this.#props;
    const [store, kinds, pages, random] = [this.#store, this.#kinds, this.#pages, this.#random];
    return new Api(who, { store, kinds, pages, clock, random });
  }

  /** History up to now is forgotten: who resumes a watch from before lists anew (410). */
  compact(): void {
    this.#store.compact();
  }

  /** Told of every change as it is made, until what it returns is called. @internal */
  follow(listener: (change: StoredChange) => void): () => void {
    return this.#store.follow(listener);
  }

  /** All objects, of all kinds. @internal */
  *objects(): Generator<StoredObject> {
    for (const [, object] of this.#store.entries()) yield object;
  }
}
