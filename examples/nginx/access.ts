import { allow, apps, eventAccess, type ContextOf } from '../../runtime.ts';
import { MANAGED } from './deployment.ts';
import type { NginxKind } from './kinds.ts';

/** The operator watches only its own Deployments. */
export const owns = [{ kind: apps.Deployment, selection: { labelSelector: MANAGED } }] as const;

export const accessTo = (kind: NginxKind) =>
  [
    // `get` finds a Deployment that the operator does not watch: another one may have the name.
    allow(apps.Deployment, 'get', 'create', 'patch'),
    // `get` reads an object again that was not converted when the operator observed it.
    allow(kind, 'get'),
    allow(kind, 'patch').subresource('status'),
    ...eventAccess,
  ] as const;

/** The context of a reconcile of an NginxOperator. */
export type NginxContext = ContextOf<NginxKind, typeof owns, [], ReturnType<typeof accessTo>>;
