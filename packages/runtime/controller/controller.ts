import { allow, type Grant } from '../access/grant.ts';
import type { Kind } from '../kinds/kind.ts';
import { checkController } from './checks.ts';
import {
  listWatchedKinds,
  type Controller,
  type ControllerProps,
  type OwnedKinds,
  type Owns,
} from './declaration.ts';
import type { Selection } from '../client/client.ts';

/**
 * Declares a controller: the kind it reconciles, the kinds it owns and watches, its access, and one idempotent
 * function. A `Manager` runs it; its roles are derived from `access`.
 *
 * @example
 * ```ts
 * import { allow, controller, core, done, ifExists, kindOf } from '@tenantry/runtime';
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

/**
 * Returns the access that the declaration of a controller implies.
 *
 * - It lists and watches its kinds.
 * - It patches its objects if it has a finalizer.
 * - If it owns kinds, it updates the `finalizers` of its objects. API servers with the admission plugin
 *   OwnerReferencesPermissionEnforcement, such as OpenShift's, require that right for a blocking owner reference.
 *
 * A selection by name leads to a grant for that name.
 */
function computeImpliedAccess(controller: Omit<Controller, 'access'>): Grant[] {
  const { for: kind, selection, owns, finalizer } = controller;
  const grants = listWatchedKinds(controller).map(({ kind, selection }) =>
    restrictToSelection(selection, allow(kind, 'list', 'watch')),
  );
  if (finalizer) grants.push(restrictToSelection(selection, allow(kind, 'patch')));
  if (owns.length > 0) {
    grants.push(restrictToSelection(selection, allow(kind, 'update').subresource('finalizers')));
  }
  return grants;
}

function restrictToSelection({ namespace, fieldSelector = '' }: Selection, grant: Grant): Grant {
  const placed = namespace === undefined ? grant : grant.in(namespace);
  const name = /^metadata\.name=([^=!,\s]+)$/.exec(fieldSelector)?.[1];
  return name === undefined ? placed : placed.named(name);
}
