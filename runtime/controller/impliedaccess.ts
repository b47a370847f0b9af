import type { AccessRule, Verb } from '../../kube/access.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Controller } from './declaration.ts';
import { watchedKinds } from './watchedkinds.ts';

const reading: readonly Verb[] = ['get', 'list', 'watch'];

/**
 * What a controller may do because of what it declares: read what it watches; patch its objects where
 * it has a finalizer; and where it owns, update their `finalizers`, which API servers with the
 * admission plugin OwnerReferencesPermissionEnforcement (OpenShift's, for one) ask of whoever makes
 * an owner wait for what it owns.
 */
export function impliedAccess(controller: Omit<Controller, 'access'>): AccessRule[] {
  const { for: kind, selection, owns, finalizer } = controller;
  const rules = watchedKinds(controller).map(({ kind, selection }) =>
    ruleOf(kind, reading, selection.namespace),
  );
  if (finalizer) rules.push(ruleOf(kind, ['patch'], selection.namespace));
  if (owns.length > 0) rules.push(ruleOf(kind, ['update'], selection.namespace, '/finalizers'));
  return rules;
}

function ruleOf(
  { group, plural }: Kind,
  verbs: readonly Verb[],
  namespace: string | undefined,
  subresource = '',
): AccessRule {
  const resource = `${plural}${subresource}`;
  return { group, resource, verbs, ...(namespace !== undefined && { namespaces: [namespace] }) };
}
