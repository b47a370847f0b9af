import type { Reader } from '../client/client.ts';
import { systemClock } from '../clock/clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Reflected, ReflectOptions, Sink } from './options.ts';
import { Reflector } from './reflector.ts';
import { SinkFailure } from './sink-writer.ts';

/**
 * Keeps a sink in sync with the server until the signal aborts; then it resolves, and neither opens watches nor calls
 * the sink any more.
 *
 * The sink receives the states of each object in order and none twice; intermediate states may be omitted. After any
 * failure it continues where the watch ended, if the server still has that version. Otherwise it lists all objects, and
 * the sink receives the differences to what it holds. A refusal by the server and a missing kind are retried forever,
 * after 0.5 s to 30 s. A server that is down or overloaded is retried after 4 s at most. A hanging watch is closed and
 * opened again.
 *
 * Rejects only with errors that a retry cannot change: `AccessDenied`, or the sink's error if there is no `onError`.
 *
 * For a sink in memory that others read, use `CacheSet`.
 *
 * @example
 * ```ts
 * import { core, reflect, type Client, type ObjectMeta, type Sink } from '@tenantry/runtime';
 *
 * // Prints added and deleted namespaces, and keeps only their versions.
 * export async function printNamespaces(client: Client, signal: AbortSignal): Promise<void> {
 *   const held = new Map<string, ObjectMeta>();
 *   const sink: Sink<typeof core.Namespace> = {
 *     held: (key) => held.get(key),
 *     keys: () => held.keys(),
 *     put(key, { metadata }) {
 *       if (!held.has(key)) console.log('added', key);
 *       held.set(key, metadata);
 *     },
 *     drop(key) {
 *       held.delete(key);
 *       console.log('deleted', key);
 *     },
 *     listing: () => undefined,
 *     listed: () => undefined,
 *     reached: () => undefined,
 *   };
 *   await reflect(client, { kind: core.Namespace, metadataOnly: true }, sink, { signal });
 * }
 * ```
 */
export async function reflect<K extends Kind>(
  reader: Reader,
  reflected: Reflected<K>,
  sink: Sink<K>,
  options: ReflectOptions,
): Promise<void> {
  const { clock = systemClock, random = Math.random } = options;
  try {
    await new Reflector(reader, reflected, sink, { ...options, clock, random }).run();
  } catch (error) {
    if (error instanceof SinkFailure) throw error.cause;
    if (!options.signal.aborted || error !== options.signal.reason) throw error;
  }
}
