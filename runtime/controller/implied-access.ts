import { allow, type Grant } from '../access/grant.ts';
import type { Selection } from '../client/client.ts';
import type { Controller } from './declaration.ts';
import { listWatchedKinds } from './watched-kinds.ts';

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
export function computeImpliedAccess(controller: Omit<Controller, 'access'>): Grant[] {
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
