import type { Grant } from '../access/grant.ts';
import type { Kind } from '../kinds/kind.ts';
import { checkController } from './checks.ts';
import type { Controller, ControllerProps, OwnedKinds, Owns } from './declaration.ts';
import { computeImpliedAccess } from './implied-access.ts';

/**
 * Declares a controller: the kind it reconciles, the kinds it owns and watches, its access, and one idempotent
 * function. A `Manager` runs it; its roles are derived from `access`.
 *
 * @example
 * ```ts
 * import { allow, controller, core, done, ifExists, kindOf } from 'tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * // Every Redis has a Service of its name.
 * export const redises = controller({
 *   name: 'redises',
 *   for: kindOf(redis, 'v1'),
 *   owns: [core.Service],
 *   access: [allow(core.Service, 'create')],
 *   async reconcile({ object, cache, client, owned }) {
 *     const { name, namespace } = object.metadata;
 *     if (cache.get(core.Service, { name, namespace })) return done;
 *     const spec = { selector: { app: name }, ports: [{ port: 6379 }] };
 *     await client.create(core.Service, owned({ metadata: { name }, spec })).catch(ifExists);
 *     return done;
 *   },
 * });
 * ```
 *
 * @throws {Error} that lists all contradictions in the declaration
 */
export function controller<
  const K extends Kind,
  const Owned extends OwnedKinds = [],
  const Others extends readonly Kind[] = [],
  const Access extends readonly Grant[] = [],
>(props: ControllerProps<K, Owned, Others, Access>): Controller {
  // The context is built from this declaration, so its types are right.
  const { access, selection, owns, watches, concurrency, ...rest } = props as ControllerProps<
    Kind,
    OwnedKinds,
    readonly Kind[],
    readonly Grant[]
  >;
  const declared: Omit<Controller, 'access'> = {
    ...rest,
    selection: selection ?? {},
    owns: owns?.map(normalizeOwns) ?? [],
    watches: watches ?? [],
    concurrency: concurrency ?? 1,
  };
  checkController(declared);
  return { ...declared, access: [...computeImpliedAccess(declared), ...(access ?? [])] };
}

function normalizeOwns(one: Kind | Owns): Owns {
  return 'plural' in one ? { kind: one } : one;
}
