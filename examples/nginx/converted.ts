import { ifGone } from '../../runtime.ts';
import type { NginxContext } from './access.ts';
import type { Wanted } from './deployment.ts';
import { wantedOf, type NginxKind } from './kinds.ts';

/** What a reconcile gets, with an object that is whole. */
export type ConvertedContext = NginxContext & {
  readonly wanted: Wanted;
};

/**
 * Undefined where nobody converts the object at present, so that it cannot be seen what it says: then nothing is
 * written, neither what it owns nor its status, and people are told by an event, which is another object.
 *
 * The API server is asked again for one that was not converted when the operator heard of it: that it is by now is no
 * change of the object, and nobody tells.
 */
export async function converted(
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
