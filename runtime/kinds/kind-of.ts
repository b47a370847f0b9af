import { versionOf, type Definition, type Schemas } from '../../crds/definition.ts';
import type { Input, Static } from '../../schema/language.ts';
import type { Kind } from './kind.ts';

/** The fields of an object except those that all kinds have. */
export type OwnFields<T> = {
  readonly [F in keyof T as Exclude<F, 'apiVersion' | 'kind' | 'metadata'>]: T[F];
};

/**
 * Returns the kind of one version of a definition. Objects that are read have the defaults of the schema; written ones
 * may omit them.
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
 * @throws {Error} if the definition has no such version, which the compiler cannot check for a definition from YAML
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
