import type { Reader } from '../client/client.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Reflected, ReflectOptions } from './options.ts';
import { Reflector } from './reflection.ts';
import type { Sink } from './sink.ts';
import { SinkFailure } from './sink-writer.ts';

/**
 * Keeps a sink the same as the server, until the signal aborts: then it resolves, and nothing is
 * opened or told any more.
 *
 * Of each object the sink is told states in their order, none twice; states in between may be left
 * out. Whatever breaks, it goes on: where the watch ended if the server still knows that version, else
 * by a list of all objects, by which the sink is told what differs from what it holds. What the server
 * refuses, and a kind that is not there, is tried again after delays of 0.5 s to 30 s, for ever; a server that
 * is away or overloaded, after 4 s at the most. A watch that hangs is closed and opened anew.
 *
 * Rejects only with what trying again does not change: `AccessDenied`, or the sink's error where
 * nobody takes it.
 *
 * For a sink in memory that others read, `CacheSet` is at hand.
 *
 * @example
 * ```ts
 * import { core, reflect, type Client, type ObjectMeta, type Sink } from 'tenantry/runtime';
 *
 * // Prints the namespaces that come and go, and keeps nothing but their versions.
 * export async function printNamespaces(client: Client, signal: AbortSignal): Promise<void> {
 *   const held = new Map<string, ObjectMeta>();
 *   const sink: Sink<typeof core.Namespace> = {
 *     held: (key) => held.get(key),
 *     keys: () => held.keys(),
 *     put(key, { metadata }) {
 *       if (!held.has(key)) console.log('there is', key);
 *       held.set(key, metadata);
 *     },
 *     drop(key) {
 *       held.delete(key);
 *       console.log('gone is', key);
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
