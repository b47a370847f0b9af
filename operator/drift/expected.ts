import { hash } from 'node:crypto';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { KeptLive } from '../cluster/tenant-objects.ts';
import { keptValue } from '../cluster/kinds.ts';
import { normalizeContent, digestContent } from '../stored/content.ts';
import { isAddedLabel } from '../stored/controller-writes.ts';
import type { FieldDiff } from './difference.ts';
import { formatCanonicalJson } from '@tenantry/kube/json';

/** A declared object, prepared for comparison with what is kept of a live one. */
export interface Expected {
  readonly object: KubeObject;
  /** `group/Kind namespace/name`. */
  readonly key: string;
  /** The digest of its content; undefined for a kind that is not compared. */
  readonly digest: string | undefined;
}

/** What is kept of a live object. */
interface KeptObject {
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
  const made = { object, key: identityOf(object), digest: content && digestContent(content) };
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

type Words = Readonly<Record<string, string>>;
type Metadata = Pick<KubeObject['metadata'], 'labels' | 'annotations'>;

/**
 * Keys by which a cluster or Tenantry decides something, so that undeclared ones matter. All other undeclared keys are
 * ignored: controllers, Argo CD and kubectl write them.
 */
const deciding = {
  labels: [
    /^pod-security\.kubernetes\.io\//,
    /^policy\.tenantry\.dev\//,
    /^tenantry\.dev\/(?!adopt-by$)/,
  ],
  annotations: [/^policy\.tenantry\.dev\//, /^scheduler\.alpha\.kubernetes\.io\//],
};

/** Returns the labels and annotations that differ from the declaration. */
export function diffMetadata(desired: Metadata, live: Metadata): readonly FieldDiff[] {
  return (['labels', 'annotations'] as const).flatMap((field) =>
    wordDifferences(field, desired[field] ?? {}, live[field] ?? {}),
  );
}

function wordDifferences(
  field: 'labels' | 'annotations',
  desired: Words,
  live: Words,
): readonly FieldDiff[] {
  const differs = Object.keys(desired).filter((key) => own(live, key) !== desired[key]);
  const isAdded = (key: string): boolean => field === 'labels' && isAddedLabel(key, live[key]!);
  const extra = Object.keys(live).filter(
    (key) =>
      !Object.hasOwn(desired, key) && deciding[field].some((one) => one.test(key)) && !isAdded(key),
  );
  return [...differs, ...extra].map((key) => {
    const [wanted, there] = [own(desired, key), own(live, key)];
    return {
      path: ['metadata', field, key],
      ...(wanted !== undefined && { desired: wanted }),
      ...(there !== undefined && { live: there }),
    };
  });
}

function own(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/**
 * Returns a digest of all objects that a tenant declares for a cluster. It changes if an object changes in meaning, in
 * a label or an annotation, or is added or removed. The order does not matter. For kinds that Tenantry does not render,
 * the notation matters.
 */
export function declaredDigest(objects: readonly KubeObject[]): string {
  const texts = objects.map((object) => {
    const { key, digest } = expected(object);
    const { labels, annotations } = object.metadata;
    return formatCanonicalJson([key, digest ?? object, labels ?? {}, annotations ?? {}]);
  });
  return hash('sha256', texts.toSorted().join('\n'), 'base64url').slice(0, 22);
}

/** An object that differs from its declaration. */
interface DifferingObject {
  readonly key: string;
  /** Undefined if it does not exist. */
  readonly live?: KeptLive;
  /** Whether it matches an earlier declaration. @default - compares what is kept of it */
  readonly isAs?: (before: KubeObject) => boolean;
}

/** Whether an object that differs from its declaration still matches a recent one. */
export type IsRollingOut = (differing: DifferingObject) => boolean;

/** For tenants without a recent change of their declaration. */
export const nothingRollsOut: IsRollingOut = () => false;
