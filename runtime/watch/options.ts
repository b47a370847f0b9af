import type { Selection } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { ReflectorEvent } from './reflector-event.ts';
import type { ListStreams } from './list-streams.ts';

/** What is reflected. */
export interface Reflected<K extends Kind> {
  readonly kind: K;
  /** @default - all objects */
  readonly selection?: Selection | undefined;
  /** Only apiVersion, kind and metadata of each. @default false */
  readonly metadataOnly?: boolean | undefined;
}

/** How it is reflected. */
export interface ReflectOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
  /** Objects a page, where the server cannot stream lists. @default 500 */
  readonly pageSize?: number | undefined;
  /**
   * Milliseconds without an event or a bookmark after which a watch counts as dead. API servers send
   * a bookmark a minute, the first within two.
   * @default 150,000
   */
  readonly quiet?: number | undefined;
  /** What is known of the server by others who reflect it. @default - nothing */
  readonly streams?: ListStreams | undefined;
  /** What the sink threw; the reflection goes on. @default - it ends, and rejects with the error */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @default - nobody is told */
  readonly observe?: ((happening: ReflectorEvent) => void) | undefined;
}
