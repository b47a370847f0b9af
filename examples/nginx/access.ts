import { allow, apps, eventAccess, type ContextOf } from '../../runtime.ts';
import { MANAGED } from './deployment.ts';
import type { NginxKind } from './kinds.ts';

/** Of all Deployments, those of the operator. */
export const owns = [{ kind: apps.Deployment, selection: { labelSelector: MANAGED } }] as const;

export const accessTo = (kind: NginxKind) =>
  [
    // To get one that the operator does not hear of: whether somebody else has one of the name.
    allow(apps.Deployment, 'get', 'create', 'patch'),
    // To get one that was not converted when the operator heard of it.
    allow(kind, 'get'),
    allow(kind, 'patch').subresource('status'),
    ...eventAccess,
  ] as const;

/** What a reconcile of an NginxOperator gets. */
export type NginxContext = ContextOf<NginxKind, typeof owns, [], ReturnType<typeof accessTo>>;
