import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { Client } from '@tenantry/runtime/client/client';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import {
  keyOf,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
} from '@tenantry/runtime/kinds/kind';

/** How long and how often to poll. */
export interface UntilOptions {
  /**
   * Milliseconds of the machine's time until the timeout.
   * @default 30,000, or the value of TENANTRY_WITHIN in the environment
   */
  readonly within?: number | undefined;
  /** Milliseconds between two polls; 0 lets the event loop turn once. @default 25 */
  readonly every?: number | undefined;
  /**
   * A clock to advance while waiting: by `step` milliseconds after each poll without an answer.
   * @default - none
   */
  readonly clock?: VirtualClock | undefined;
  /** @default - `every` */
  readonly step?: number | undefined;
}

/**
 * Polls until there is an answer that is neither undefined, null nor false, and returns it. At the
 * timeout it throws an error with `what` and the last value. An error of `ask` counts as no answer; the
 * last one is the `cause`.
 *
 * States that pass between two polls are not observed.
 *
 * @example
 * ```ts
 * import { VirtualClock, until } from '@tenantry/testing';
 *
 * const clock = new VirtualClock();
 * let state = 'Pending';
 * clock.after(60_000, () => (state = 'Ready'));
 *
 * // A minute passes in no time.
 * await until('it is ready', () => state === 'Ready', { clock, step: 10_000 });
 * console.log(clock.now()); // 60000
 * ```
 *
 * @param what completes "waiting until ..."
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  return waitFor(what, async () => ({ seen: undefined, answer: await ask() }), options);
}

/** The result of one poll: its answer, and the value to print at the timeout. */
interface Observation<T> {
  readonly answer: T;
  readonly seen: unknown;
}

/** `until` for polls that print another value than they return. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<Observation<T>>,
  { within = readDefaultTimeout(), every = 25, clock, step = every }: UntilOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + within;
  for (;;) {
    let last = '';
    let cause: unknown;
    try {
      const { answer, seen } = await look();
      if (isAnswer(answer)) return answer;
      if (seen !== undefined) last = `; last seen:\n${formatSeen(seen)}`;
    } catch (error) {
      cause = error;
      last = `; the last attempt failed: ${error instanceof Error ? error.message : formatSeen(error)}`;
    }
    if (performance.now() > deadline) {
      const time = within < 1000 ? `${within} ms` : `${within / 1000} s`;
      throw new Error(`timed out after ${time} waiting until ${what}${last}`, { cause });
    }
    await clock?.advance(step);
    await (every === 0 ? turn() : pause(every));
  }
}

/** Returns the default timeout. The environment can raise it for a slow or busy machine. */
function readDefaultTimeout(): number {
  const setting = process.env['TENANTRY_WITHIN'] ?? '30000';
  if (/^[1-9]\d*$/.test(setting)) return Number(setting);
  throw new Error(`TENANTRY_WITHIN must be milliseconds such as 120000, got '${setting}'`);
}

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}

/** Formats a value for an error: YAML for an object of Kubernetes, without managedFields. */
function formatSeen(seen: unknown): string {
  if (typeof seen !== 'object' || seen === null || !('metadata' in seen)) return inspect(seen);
  const { managedFields: _, ...metadata } = seen.metadata as Record<string, unknown>;
  try {
    return emitYaml([{ ...seen, metadata }]).trimEnd();
  } catch {
    // An integer beyond 2^53 does not survive a round trip through YAML.
    return inspect({ ...seen, metadata }, { depth: null });
  }
}

/**
 * Polls an object until it exists and satisfies the predicate, and returns it. At the timeout it throws
 * an error with `what` and with the last state of the object as YAML.
 *
 * @example
 * ```ts
 * import { apps, type Client } from '@tenantry/runtime';
 * import { untilObject } from '@tenantry/testing';
 *
 * export async function untilReady(client: Client): Promise<void> {
 *   const web = { namespace: 'shop', name: 'web' };
 *   await untilObject('both replicas are ready', client, apps.Deployment, web, ({ status }) => {
 *     return status?.readyReplicas === 2;
 *   });
 * }
 * ```
 *
 * @param what completes "waiting until ..."
 */
export function untilObject<K extends Kind>(
  what: string,
  client: Pick<Client, 'get'>,
  kind: K,
  name: ObjectName,
  isSo: (object: Live<K>) => boolean,
  options: UntilOptions = {},
): Promise<Live<K>> {
  const look = async () => {
    const object = await client.get(kind, name).catch(ifGone);
    const seen = object ?? `no ${nameOf(kind, name)}`;
    return { answer: object && isSo(object) && { object }, seen };
  };
  return waitFor(what, look, options).then(({ object }) => object);
}

/**
 * Polls until an object does not exist. At the timeout it throws an error with the last state of the
 * object, whose finalizers show what the object waits for.
 *
 * @example
 * ```ts
 * import { core, type Client } from '@tenantry/runtime';
 * import { untilGone } from '@tenantry/testing';
 *
 * export async function without(client: Client, name: string): Promise<void> {
 *   await client.delete(core.Namespace, { name });
 *   await untilGone(client, core.Namespace, { name }, { within: 60_000 });
 * }
 * ```
 */
export async function untilGone(
  client: Pick<Client, 'get'>,
  kind: Kind,
  name: ObjectName,
  options: UntilOptions = {},
): Promise<void> {
  const look = async () => {
    const seen = await client.get(kind, name).catch(ifGone);
    return { answer: seen === undefined, seen };
  };
  await waitFor(`${nameOf(kind, name)} is gone`, look, options);
}

const nameOf = (kind: Kind, name: ObjectName): string => `${resourceOf(kind)} ${keyOf(name)}`;
