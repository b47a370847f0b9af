import type { Client } from '../../runtime/client/client.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import {
  keyOf,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
} from '../../runtime/kinds/kind.ts';
import { waitFor, type UntilOptions } from './until.ts';

/**
 * Polls an object until it exists and satisfies the predicate, and returns it. At the timeout it throws
 * an error with `what` and with the last state of the object as YAML.
 *
 * @example
 * ```ts
 * import { apps, type Client } from 'tenantry/runtime';
 * import { untilObject } from 'tenantry/testing';
 *
 * export async function untilReady(client: Client): Promise<void> {
 *   const web = { namespace: 'shop', name: 'web' };
 *   await untilObject('both replicas are ready', client, apps.Deployment, web, ({ status }) => {
 *     return status?.readyReplicas === 2;
 *   });
 * }
 * ```
 *
 * @param what completes "it must be so that ..."
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
 * import { core, type Client } from 'tenantry/runtime';
 * import { untilGone } from 'tenantry/testing';
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
