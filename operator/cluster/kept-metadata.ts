import { hash } from 'node:crypto';
import type { Live, ObjectMeta } from '../../runtime/kinds/kind.ts';

/** The most characters of an object's labels and annotations that are kept, keys included. */
export const MOST_KEPT = 4096;
/** The most characters of a value that is kept unchanged. */
const LONGEST_KEPT = 256;
/** The most owners and finalizers of an object that are kept. */
const MOST_LISTED = 8;

/** Keys that decide or report something. They are kept first. */
const first =
  /^(?:tenantry\.dev|policy\.tenantry\.dev|pod-security\.kubernetes\.io|argocd\.argoproj\.io|kustomize\.toolkit\.fluxcd\.io|eks\.amazonaws\.com|iam\.gke\.io|azure\.workload\.identity)\/|^app\.kubernetes\.io\/(?:instance|managed-by)$/;

type Words = Readonly<Record<string, string>>;

/**
 * Keeps the metadata of an object that the operator compares and reports. Tenants' users write most of it: hundreds of
 * objects with annotations of 256 KiB must not fill the operator's memory. If an object has more than `MOST_KEPT`
 * characters of labels and annotations, some are left out. A comparison of such an object reads it whole.
 */
export function keepMetadata({ metadata }: Live): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation } = metadata;
  const { creationTimestamp, deletionTimestamp, ownerReferences, finalizers } = metadata;
  const budget = { left: MOST_KEPT };
  const labels = metadata.labels && keepWords(metadata.labels, budget);
  const annotations = metadata.annotations && keepWords(metadata.annotations, budget);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion,
    ...(generation !== undefined && { generation }),
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(ownerReferences && { ownerReferences: ownerReferences.slice(0, MOST_LISTED) }),
    ...(finalizers && { finalizers: finalizers.slice(0, MOST_LISTED) }),
  };
}

function keepWords(words: Words, budget: { left: number }): Words {
  const kept: [string, string][] = [];
  for (const key of sorted(Object.keys(words))) {
    const value = keptValue(words[key]!);
    const size = key.length + value.length;
    if (size > budget.left) break;
    budget.left -= size;
    kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

/** Sorts keys in a stable order, so that writes of an object do not change which keys are left out. */
function sorted(keys: readonly string[]): readonly string[] {
  const rank = (key: string): string => `${first.test(key) ? 0 : 1}${key}`;
  return keys.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Returns the value to keep: its digest if it is long, so that two values can still be compared. */
export function keptValue(value: string): string {
  if (value.length <= LONGEST_KEPT) return value;
  return `sha256:${hash('sha256', value, 'base64url')}`;
}
