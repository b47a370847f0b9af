import { versionOf, type Definition, type Schemas } from '../../crds/definition.ts';
import type { Input, Static } from '../../schema/language.ts';
import type { Kind } from './kind.ts';

/** The fields of an object that are the kind's own. */
export type OwnFields<T> = {
  readonly [F in keyof T as Exclude<F, 'apiVersion' | 'kind' | 'metadata'>]: T[F];
};

/**
 * The kind of one version of a definition: what is read has the defaults of the schema, what is
 * written need not say them.
 *
 * @example
 * ```ts
 * import { kindOf, type Client, type Live } from 'tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * const redises = kindOf(redis, 'v1');
 * console.log(redises.group, redises.plural); // cache.example.com redises
 *
 * export async function imageOf(client: Client, name: string): Promise<string> {
 *   const sessions: Live<typeof redises> = await client.get(redises, { namespace: 'shop', name });
 *   return sessions.spec.image;
 * }
 * ```
 *
 * @throws {Error} where the definition has no such version, which the compiler does not know of one
 * from YAML
 */
export function kindOf<
  S extends Schemas,
  N extends keyof S & string,
  Group extends string,
  Name extends string,
>(
  definition: Definition<S, Group, Name>,
  version: N,
): Kind<OwnFields<Static<S[N]>>, Group, Name, OwnFields<Input<S[N]>>> {
  const { group, kind, plural, scope } = definition;
  return { group, version: versionOf(definition, version).name, kind, plural, scope };
}
