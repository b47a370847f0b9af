import type { Selection } from '../client/client.ts';
import type { Clock, Random } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { ReflectorEvent } from './reflector-event.ts';
import type { ListStreams } from './list-streams.ts';

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
  /** Ends the reflection. */
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
  readonly quiet?: number | undefined;
  /** What other reflectors know about the server's ability to stream lists. @default - nothing */
  readonly streams?: ListStreams | undefined;
  /** Called with errors of the sink; the reflection continues. @default - it ends, and rejects with the error */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** @default - nothing is called */
  readonly observe?: ((happening: ReflectorEvent) => void) | undefined;
}
