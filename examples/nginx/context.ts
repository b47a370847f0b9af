import { allow, apps, eventAccess, ifGone, type ContextOf } from '@tenantry/runtime';
import { MANAGED, type Wanted } from './deployment.ts';
import { wantedOf, type NginxKind } from './kinds.ts';

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

/** The context of a reconcile whose object has all fields of its version. */
export type ConvertedContext = NginxContext & {
  readonly wanted: Wanted;
};

/**
 * Reads what the object declares. Returns undefined while no webhook converts the object, as then its
 * fields are not visible. In that case nothing is written, neither its Deployment nor its status. An
 * event, which is another object, informs users.
 *
 * An object that was not converted when the operator observed it is read again from the API server: the
 * start of the conversion does not change the object, so it causes no watch event.
 */
export async function readConverted(
  ctx: NginxContext,
  kind: NginxKind,
): Promise<ConvertedContext | undefined> {
  const seen = wantedOf(ctx.object);
  if (seen) return { ...ctx, wanted: seen };
  const { name, namespace, uid } = ctx.object.metadata;
  const object = await ctx.client.get(kind, { name, namespace }).catch(ifGone);
  if (object?.metadata.uid !== uid) return undefined;
  const wanted = wantedOf(object);
  if (wanted) return { ...ctx, object, wanted };
  const note = 'its definition does not convert it at present; nothing is changed until it does';
  ctx.event({ type: 'Warning', reason: 'NotConverted', note });
  return undefined;
}
