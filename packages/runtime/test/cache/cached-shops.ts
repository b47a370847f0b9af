import type { Reader } from '../../client/client.ts';
import { Cache, type CacheDeclaration, type CacheDeps } from '../../cache/cache.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { shops, SimulatedServer, type Shop } from '../watch/simulated-server.ts';

/** A cache of a simulated server, whose watch can be held back. */
export class CachedShops {
  readonly clock = new VirtualClock();
  readonly server = new SimulatedServer(this.clock);
  readonly errors: unknown[] = [];
  readonly cache: Cache<typeof shops, Shop>;
  readonly #stop = new AbortController();
  #isHeld = false;
  #release = (): void => undefined;
  #run: Promise<void> | undefined;

  constructor(
    declaration: Partial<CacheDeclaration<typeof shops, Shop>> = {},
    surroundings: Partial<CacheDeps> = {},
  ) {
    this.cache = new Cache(
      { kind: shops, project: (shop) => shop, ...declaration },
      {
        reader: this.reader,
        clock: this.clock,
        random: () => 0,
        onError: (error) => this.errors.push(error),
        freeze: true,
        ...surroundings,
      },
    );
  }

  /** The server as a reader, without the events that are held back. */
  get reader(): Reader {
    const { server } = this;
    const held = (): Promise<void> => this.#held();
    return {
      list: (kind, options) => server.list(kind, options),
      async *watch(kind, options) {
        for await (const event of server.watch(kind, options)) {
          await held();
          yield event;
        }
      },
    };
  }

  async start(): Promise<void> {
    this.#run = this.cache.run(this.#stop.signal);
    await this.clock.advance(0);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#run;
  }

  /** Holds back all watch events until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): Promise<void> {
    this.#isHeld = false;
    this.#release();
    return this.clock.advance(0);
  }

  /** The objects that reads see, sorted, such as `shop=3`. */
  get seen(): string[] {
    return this.cache.list().map(nameAndSize).toSorted();
  }

  async #held(): Promise<void> {
    while (this.#isHeld) await new Promise<void>((resolve) => (this.#release = resolve));
  }
}

export const nameAndSize = ({ metadata: { namespace, name }, spec }: Shop): string =>
  `${namespace === undefined ? '' : `${namespace}/`}${name}=${spec.size}`;
