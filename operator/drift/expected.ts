import { identityOf } from '../../kube/identity.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { KeptLive } from '../cluster/tenant-objects.ts';
import { keptValue } from '../cluster/kept-metadata.ts';
import { normalizeContent } from '../stored/content.ts';
import { digestOf } from '../stored/digest.ts';
import { diffMetadata } from './metadata.ts';

/** A declared object, prepared for comparison with what is kept of a live one. */
export interface Expected {
  readonly object: KubeObject;
  /** `group/Kind namespace/name`. */
  readonly key: string;
  /** The digest of its content; undefined for a kind that is not compared. */
  readonly digest: string | undefined;
}

/** What is kept of a live object. */
export interface KeptObject {
  readonly digest: string;
  readonly metadata: Pick<KubeObject['metadata'], 'labels' | 'annotations'> & {
    readonly deletionTimestamp?: string | undefined;
  };
}

/** Healing, comparing and waiting all need this value. It is computed once for each object and never changes. */
const known = new WeakMap<KubeObject, Expected>();

export function expected(object: KubeObject): Expected {
  const before = known.get(object);
  if (before) return before;
  const content = normalizeContent(object);
  const made = { object, key: identityOf(object), digest: content && digestOf(content) };
  known.set(object, made);
  return made;
}

/** Orders objects oldest first, so that new objects do not displace reported ones. */
export function byAge(a: KeptLive, b: KeptLive): number {
  const [one, other] = [a, b].map(
    (live) => `${live.metadata.creationTimestamp} ${identityOf(live as KubeObject)}`,
  ) as [string, string];
  return one < other ? -1 : 1;
}

/** Returns metadata with annotations as they are kept of most live objects. Labels are never long enough to need it. */
function asKept({ labels, annotations = {} }: KeptObject['metadata']): KeptObject['metadata'] {
  const kept = Object.entries(annotations).map(([key, value]) => [key, keptValue(value)] as const);
  return { ...(labels && { labels }), annotations: Object.fromEntries(kept) };
}

/** Whether a live object is as declared and will stay. An object that is being deleted will not, even if it matches. */
export function isAsExpected({ object, digest }: Expected, live: KeptObject): boolean {
  if (digest !== live.digest) return false;
  // Blockers of a Namespace's deletion are reported apart from its drift.
  if (object.kind !== 'Namespace' && live.metadata.deletionTimestamp !== undefined) return false;
  return diffMetadata(asKept(object.metadata), asKept(live.metadata)).length === 0;
}
