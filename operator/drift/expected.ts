import { identityOf } from '../../kube/identity.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { KeptLive } from '../cluster/tenant-objects.ts';
import { keptValue } from '../cluster/kept-metadata.ts';
import { normalizeContent } from '../stored/content.ts';
import { digestOf } from '../stored/digest.ts';
import { diffMetadata } from './metadata.ts';

/** An object that is declared, ready to be held to what is kept of a live one. */
export interface Expected {
  readonly object: KubeObject;
  /** `group/Kind namespace/name`. */
  readonly key: string;
  /** Of what it says. Undefined: of a kind that is not compared. */
  readonly digest: string | undefined;
}

/** What is kept of a live object. */
export interface KeptObject {
  readonly digest: string;
  readonly metadata: Pick<KubeObject['metadata'], 'labels' | 'annotations'> & {
    readonly deletionTimestamp?: string | undefined;
  };
}

/** What is declared is asked for by whoever heals, compares and waits; it is computed once, and never changed. */
const known = new WeakMap<KubeObject, Expected>();

export function expected(object: KubeObject): Expected {
  const before = known.get(object);
  if (before) return before;
  const content = normalizeContent(object);
  const made = { object, key: identityOf(object), digest: content && digestOf(content) };
  known.set(object, made);
  return made;
}

/** The oldest first: what comes later takes no place of what is already told. */
export function byAge(a: KeptLive, b: KeptLive): number {
  const [one, other] = [a, b].map(
    (live) => `${live.metadata.creationTimestamp} ${identityOf(live as KubeObject)}`,
  ) as [string, string];
  return one < other ? -1 : 1;
}

/** The annotations as they are kept of most live objects; no label is long. */
function asKept({ labels, annotations = {} }: KeptObject['metadata']): KeptObject['metadata'] {
  const kept = Object.entries(annotations).map(([key, value]) => [key, keptValue(value)] as const);
  return { ...(labels && { labels }), annotations: Object.fromEntries(kept) };
}

/** Whether a live object is as it is declared, and stays so: one that is being deleted goes when nobody keeps it. */
export function isAsExpected({ object, digest }: Expected, live: KeptObject): boolean {
  if (digest !== live.digest) return false;
  // What keeps a Namespace is reported apart from what differs in it.
  if (object.kind !== 'Namespace' && live.metadata.deletionTimestamp !== undefined) return false;
  return diffMetadata(asKept(object.metadata), asKept(live.metadata)).length === 0;
}
