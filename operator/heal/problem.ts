import type { KubeObject } from '@tenantry/kube/object';
import type { ApiError } from '@tenantry/runtime/errors/api-error';
import { formatObjectName, identifyObject } from '../drift/object-drift.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

/** Why an object is not healed, as a reason of a condition. */
type HealReason =
  | 'HealRefused'
  | 'MayNotBind'
  | 'ChangedOnWrite'
  | 'Fought'
  | 'NamespaceNotOurs'
  | 'QuotaWaits'
  | 'AccessRemains';

/** Something that the operator would heal, and does not. */
export interface Problem {
  readonly reason: HealReason;
  /** Includes the name of the object. */
  readonly message: string;
}

/** The most characters of a refusal that are reported. */
const MAX_MESSAGE_LENGTH = 400;

/** Builds the problem of a write that the API server refused, with the server's message. */
export function buildRefusalProblem(object: KubeObject, { reason, message }: ApiError): Problem {
  const words = message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return {
    reason: 'HealRefused',
    message: `${formatObjectName(identifyObject(object))}: ${reason}: ${words}`,
  };
}

/** The operator lacks a right that a class has allowed since the operator's role was rendered. */
export function buildMayNotBindProblem(object: KubeObject, role: string): Problem {
  const message = `${formatObjectName(identifyObject(object))}: the operator may not bind ClusterRole ${role}, which a class has allowed since its rights were rendered: render and apply the operator again`;
  return { reason: 'MayNotBind', message };
}

/**
 * Returns the problem of an object that is being deleted: it cannot be deleted again, nor replaced before it is gone.
 */
export function findDeletionProblem(live: KubeObject): Problem | undefined {
  const { deletionTimestamp, finalizers = [] } = (live as KubeObject & Live).metadata;
  if (deletionTimestamp === undefined) return undefined;
  const message = `${formatObjectName(identifyObject(live))} is being deleted, and waits for ${finalizers.join(', ')}`;
  return { reason: 'HealRefused', message };
}

/** Something, such as a webhook, changes the object as the operator writes it. */
export function buildChangedOnWriteProblem(object: KubeObject): Problem {
  const message = `${formatObjectName(identifyObject(object))} is changed as it is written, by a webhook for one`;
  return { reason: 'ChangedOnWrite', message };
}

/** k8s.io/kubernetes pkg/registry/rbac/validation, ConfirmNoEscalation */
const ESCALATES = 'is attempting to grant RBAC permissions not currently held';

/**
 * Returns the ClusterRole that the operator may not bind, if that is why a binding was refused. A class has allowed the
 * role since the operator's role was rendered. Without `bind`, the API server checks whether the role grants more than
 * the operator holds, and reports a missing role as not found.
 */
export function unboundRole(object: KubeObject, error: ApiError): string | undefined {
  const { kind, roleRef } = object as KubeObject & {
    readonly roleRef?: { readonly kind: string; readonly name: string };
  };
  if (kind !== 'RoleBinding' || roleRef?.kind !== 'ClusterRole') return undefined;
  // The error reports the RoleBinding's name as not found when the role is meant.
  const isMissing = error.isNotFound && error.details.name === roleRef.name;
  const isMore = error.isForbidden && error.message.includes(ESCALATES);
  return isMissing || isMore ? roleRef.name : undefined;
}
