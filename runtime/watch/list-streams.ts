import type { Clock } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';

/** Milliseconds for which others wait at the longest for what the first one hears. */
const probeTimeout = 1000;

/** One question to a server, until it is answered. */
interface PendingProbe {
  readonly answered: Promise<void>;
  readonly answer: () => void;
}

/**
 * Which lists can be streamed (WatchList), known to all who reflect one server: the first asks, and others
 * wait a moment for what it hears. Kinds of groups without a domain are those of Kubernetes' own
 * server, which can for all of them or for none, custom resources included; another group may be served by
 * another server (aggregation), so what is refused for it, is for it alone. A `CacheSet` has one by itself.
 *
 * @example
 * ```ts
 * import { core, ListStreams, reflect, type Client, type Sink } from 'tenantry/runtime';
 *
 * type Pods = Sink<typeof core.Pod>;
 * type Nodes = Sink<typeof core.Node>;
 *
 * export async function follow(client: Client, pods: Pods, nodes: Nodes): Promise<void> {
 *   const { signal } = new AbortController();
 *   const options = { signal, streams: new ListStreams() };
 *   await Promise.all([
 *     reflect(client, { kind: core.Pod }, pods, options),
 *     reflect(client, { kind: core.Node }, nodes, options),
 *   ]);
 * }
 * ```
 */
export class ListStreams {
  readonly #asked = new Map<string, PendingProbe>();
  readonly #refused = new Set<string>();

  /** Whether a list of the kind may be asked for in a stream, as far as is known. */
  canStream(kind: Kind): boolean {
    return !this.#refused.has(coreServer) && !this.#refused.has(resolveServer(kind));
  }

  /** Resolves when it is known, or when the caller is the first to ask: it then says what it hears. */
  async waitForProbe(kind: Kind, clock: Clock, signal: AbortSignal): Promise<void> {
    const asked = this.#asked.get(resolveServer(kind));
    if (!asked) {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      this.#asked.set(resolveServer(kind), { answered, answer });
      return;
    }
    const enough = new AbortController();
    const over = clock
      .sleep(probeTimeout, AbortSignal.any([signal, enough.signal]))
      .catch(() => {});
    await Promise.race([asked.answered, over]);
    enough.abort();
  }

  /** The server said something, be it that it failed. */
  recordAnswer(kind: Kind): void {
    this.#asked.get(resolveServer(kind))?.answer();
  }

  /** The server does not know lists in streams. */
  recordRefusal(kind: Kind): void {
    this.#refused.add(resolveServer(kind));
    this.recordAnswer(kind);
  }
}

const coreServer = '';

function resolveServer({ group }: Kind): string {
  return group.includes('.') ? group : coreServer;
}
