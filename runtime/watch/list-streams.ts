import type { Clock } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';

/** The most milliseconds for which others wait for the result of the first probe. */
const probeTimeout = 1000;

/** A probe of a server, until its answer. */
interface PendingProbe {
  readonly answered: Promise<void>;
  readonly answer: () => void;
}

/**
 * Remembers which lists can be streamed (WatchList), for all reflectors of a server. The first one probes, and others
 * wait a moment for the result. Groups without a domain are built-in kinds. Their server streams all of them or none,
 * custom resources included. Another group may have its own server (aggregation), so a refusal for it applies to that
 * group only. A `CacheSet` has its own.
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

  /** Whether a list of the kind may be streamed, as far as is known. */
  canStream(kind: Kind): boolean {
    return !this.#refused.has(coreServer) && !this.#refused.has(resolveServer(kind));
  }

  /** Resolves when the result is known, or when the caller is the first: it must then record the answer. */
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

  /** Records that the server answered, even with an error. */
  recordAnswer(kind: Kind): void {
    this.#asked.get(resolveServer(kind))?.answer();
  }

  /** Records that the server cannot stream lists. */
  recordRefusal(kind: Kind): void {
    this.#refused.add(resolveServer(kind));
    this.recordAnswer(kind);
  }
}

const coreServer = '';

function resolveServer({ group }: Kind): string {
  return group.includes('.') ? group : coreServer;
}
