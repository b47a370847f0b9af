import { allow, type Grant } from '../access/grant.ts';
import type { Controller } from './declaration.ts';
import { watchedKinds } from './watchedkinds.ts';

/**
 * What a controller may do because of what it declares: list and watch what it watches; patch its objects where
 * it has a finalizer; and where it owns, update their `finalizers`, which API servers with the
 * admission plugin OwnerReferencesPermissionEnforcement (OpenShift's, for one) ask of whoever makes
 * an owner wait for what it owns.
 */
export function impliedAccess(controller: Omit<Controller, 'access'>): Grant[] {
  const { for: kind, selection, owns, finalizer } = controller;
  const grants = watchedKinds(controller).map(({ kind, selection }) =>
    within(selection.namespace, allow(kind, 'list', 'watch')),
  );
  if (finalizer) grants.push(within(selection.namespace, allow(kind, 'patch')));
  if (owns.length > 0) {
    grants.push(within(selection.namespace, allow(kind, 'update').subresource('finalizers')));
  }
  return grants;
}

function within(namespace: string | undefined, grant: Grant): Grant {
  return namespace === undefined ? grant : grant.in(namespace);
}
