import { allow, type Grant } from '../access/grant.ts';
import type { Selection } from '../client/client.ts';
import type { Controller } from './declaration.ts';
import { listWatchedKinds } from './watched-kinds.ts';

/**
 * What a controller may do because of what it declares: list and watch what it watches; patch its objects where
 * it has a finalizer; and where it owns, update their `finalizers`, which API servers with the
 * admission plugin OwnerReferencesPermissionEnforcement (OpenShift's, for one) ask of whoever makes
 * an owner wait for what it owns. What is selected by its name is granted by that name.
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
