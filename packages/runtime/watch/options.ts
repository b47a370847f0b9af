import type { Selection, UnreadableObject } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { Kind, Live, ObjectMeta } from '../kinds/kind.ts';
import type { FailureCause, Outage } from './failures.ts';
import type { TooDeep } from '../errors/client-errors.ts';

/** The objects to reflect. */
export interface Reflected<K extends Kind> {
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: Selection | undefined;
  /** Only apiVersion, kind and metadata of each object. @default false */
  readonly metadataOnly?: boolean | undefined;
}

/** How to reflect. */
export interface ReflectOptions {
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
  /** Objects per page, if the server cannot stream lists. @default 500 */
  readonly pageSize?: number | undefined;
  /**
   * Milliseconds without an event or a bookmark after which a watch counts as dead. API servers send a bookmark every
   * minute, the first within two.
   * @default 150,000
   */
  readonly idleTimeout?: number | undefined;
  /** What other reflectors know about the server's ability to stream lists. @default - nothing */
  readonly streams?: ListStreams | undefined;
  /** Called with errors of the sink; the reflection continues. @default - it ends, and rejects with the error */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @default - nothing is called */
  readonly observe?: ((event: ReflectorEvent) => void) | undefined;
}

/**
 * The destination of a reflection. It has the only copy of the objects, by which the reflection determines what it
 * has delivered.
 */
export interface Sink<K extends Kind> {
  /** Returns the metadata of the last object that was put under this key (`keyOf`) and not dropped since. */
  getMetadata(key: string): Pick<ObjectMeta, 'uid' | 'resourceVersion'> | undefined;
  /** Returns the keys of all stored objects. */
  keys(): Iterable<string>;
  /** Adds an object, or replaces it by a newer state. No state comes twice. */
  put(key: string, object: Live<K>): void;
  /**
   * Reports an object whose newest state cannot be read. A stored state of it stays. The object is put once it can be
   * read, and dropped once it is gone. Until then `getMetadata` and `keys` include it.
   * @default - only the observer is notified
   */
  unreadable?(key: string, object: UnreadableObject): void;
  /**
   * Removes an object that is gone. An object that was deleted and created again under the same name is dropped before
   * the new one is put. `resourceVersion` is the version of the deletion event, if there was one.
   */
  drop(key: string, resourceVersion?: string): void;
  /** A list of all objects begins. It shows everything that was on the server before this call. */
  listing(): void;
  /** The list is complete: the stored objects are those of this version. */
  listed(resourceVersion: string): void;
  /** All changes up to this version have been delivered. */
  reached(resourceVersion: string): void;
}

/** An event of a list or a watch, for logs and metrics. */
export type ReflectorEvent =
  /** All objects have been delivered. */
  | {
      readonly type: 'listed';
      readonly by: 'stream' | 'pages';
      readonly objects: number;
      readonly resourceVersion: string;
      readonly milliseconds: number;
    }
  /** An object is nested too deep to be read. Its last readable state stays. */
  | { readonly type: 'unreadable'; readonly key: string; readonly error: TooDeep }
  /** The server ended a watch, as it does after some minutes. It is resumed where it ended. */
  | { readonly type: 'ended'; readonly events: number; readonly milliseconds: number }
  /** The server cannot stream lists (WatchList): this kind is listed in pages from now on. */
  | { readonly type: 'paging'; readonly error: unknown }
  | {
      readonly type: 'failed';
      readonly during: 'list' | 'watch';
      readonly cause: FailureCause;
      readonly error: unknown;
      /** Milliseconds until the next attempt. */
      readonly retryIn: number;
      /** The number of the failed attempt, counted from 1. */
      readonly attempt: number;
      /** Whether all objects are listed again. */
      readonly relists: boolean;
      /** The outage of the kind that this failure begins or extends. */
      readonly outage: Outage;
    }
  /** The kind is read again after failures. */
  | { readonly type: 'recovered'; readonly outage: Outage };

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
 * import { core, ListStreams, reflect, type Client, type Sink } from '@tenantry/runtime';
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
  readonly #probes = new Map<string, PendingProbe>();
  readonly #refused = new Set<string>();

  /** Whether a list of the kind may be streamed, as far as is known. */
  canStream(kind: Kind): boolean {
    return !this.#refused.has(coreServer) && !this.#refused.has(resolveServer(kind));
  }

  /** Resolves when the result is known, or when the caller is the first: it must then record the answer. */
  async waitForProbe(kind: Kind, clock: Clock, signal: AbortSignal): Promise<void> {
    const probe = this.#probes.get(resolveServer(kind));
    if (!probe) {
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      this.#probes.set(resolveServer(kind), { answered, answer });
      return;
    }
    const enough = new AbortController();
    const over = clock
      .sleep(probeTimeout, AbortSignal.any([signal, enough.signal]))
      .catch(() => {});
    await Promise.race([probe.answered, over]);
    enough.abort();
  }

  /** Records that the server answered, even with an error. */
  recordAnswer(kind: Kind): void {
    this.#probes.get(resolveServer(kind))?.answer();
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
