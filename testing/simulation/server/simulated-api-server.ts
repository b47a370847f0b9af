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

/** The properties of a `SimulatedApiServer`. */
export interface SimulatedApiServerProps {
  /** The clock for bookmarks and timestamps. */
  readonly clock: Clock;
  /** Custom resources that it serves. Their schemas default and validate them. @default - none */
  readonly definitions?: readonly Definition[] | undefined;
  /** The source of UIDs and generated names. @default - the same ones each time */
  readonly random?: Random | undefined;
}

/**
 * An API server in memory, for tests that a real one is too slow for. It has what a controller can
 * observe:
 *
 * - versions, conflicts, generations, finalizers and preconditions,
 * - selectors, pages, and watches that resume and expire,
 * - merge patches, server-side apply, scale, defaults and validation.
 *
 * The same test suite runs against it and against a real API server. It throws `NotSimulated` for
 * requests that it cannot answer.
 *
 * It has no controllers: nothing is garbage-collected and no pod becomes ready, unless `simulate` runs
 * it.
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

  /** The served kinds with their paths. @internal */
  get kinds(): ServedKinds {
    return this.#kinds;
  }

  /** The stored objects. @internal */
  get store(): ObjectStore {
    return this.#store;
  }

  /** Returns a client of a user, whose name is also the field manager of its writes. */
  client(who = 'tenantry'): Client {
    return this.clientOver(who, directWire);
  }

  /** Returns a client with its own connection to the server. @internal */
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

  /** Returns the API of a user without waiting: each call is complete when it returns. @internal */
  api(who: string): Api {
    const { clock } = this.#props;
    const [store, kinds, pages, random] = [this.#store, this.#kinds, this.#pages, this.#random];
    return new Api(who, { store, kinds, pages, clock, random });
  }

  /** Drops the history up to now: a client that resumes an older watch gets 410 and must list again. */
  compact(): void {
    this.#store.compact();
  }

  /** Calls the listener for every change as it is made, until the returned function is called. @internal */
  follow(listener: (change: StoredChange) => void): () => void {
    return this.#store.follow(listener);
  }

  /** Yields all objects, of all kinds. @internal */
  *objects(): Generator<StoredObject> {
    for (const [, object] of this.#store.entries()) yield object;
  }
}
