import type { Client } from '../../runtime/client/client.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { keyOf, resourceOf } from '../../runtime/kinds/kind.ts';
import type { Kind, Live, ObjectName } from '../../runtime/kinds/kind.ts';
import { waitFor, type UntilOptions } from './until.ts';

/**
 * Reads an object again and again until it is there and as the predicate says, and gives it. Where it
 * takes too long it throws, with the sentence and the object as it was at last, as YAML.
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
 * Asks again and again until an object is not there. Where it takes too long it throws, with the object
 * as it was at last: its finalizers say who it waits for.
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
