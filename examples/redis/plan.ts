import { isConditionTrue, type core, type Live } from '../../runtime.ts';
import { indexOf, isOutdated, type Redis } from './pods.ts';

type Pods = readonly Live<typeof core.Pod>[];

/** What is to be done now. What comes after depends on what becomes of that. */
export interface Plan {
  readonly remove: Pods;
  /** Indexes of pods. */
  readonly create: readonly number[];
}

/**
 * What turns these pods of a Redis into those that it should have:
 *
 * - Pods beyond `num` go, the highest index first; so do those that came to an end.
 * - Where there is no pod, one is made; while one of that name still goes, it is waited for.
 * - Outdated pods are replaced one at a time, the next when all others are ready. One that is not
 *   ready is the first to be replaced: nobody loses anything by that.
 */
export function planOf(redis: Live<typeof Redis>, pods: Pods): Plan {
  const { num } = redis.spec;
  const indexed = pods.map((pod) => ({ pod, index: indexOf(redis, pod) ?? Infinity }));
  const fromTop = indexed.toSorted((one, other) => other.index - one.index);
  const staying = fromTop.filter(({ pod }) => !isGoing(pod));
  const over = staying.filter(({ pod, index }) => index >= num || isOver(pod));
  const taken = new Set(indexed.map(({ index }) => index));
  const create = Array.from({ length: num }, (_, index) => index).filter((i) => !taken.has(i));
  const remove = over.map(({ pod }) => pod);
  const wanted = fromTop.filter(({ index }) => index < num).map(({ pod }) => pod);
  if (create.length > 0) return { remove, create };
  const next = nextOutdated(redis, wanted);
  return { remove: next && !remove.includes(next) ? [...remove, next] : remove, create };
}

/** Of all pods that there should be, the one to be replaced now. */
function nextOutdated(redis: Live<typeof Redis>, pods: Pods): Live<typeof core.Pod> | undefined {
  const missed = pods.filter((pod) => !isReady(pod));
  const [next] = missed.length > 0 ? missed : pods.filter((pod) => isOutdated(redis, pod));
  const isBroken = missed.every((pod) => !isGoing(pod) && isOutdated(redis, pod));
  return isBroken ? next : undefined;
}

/** It is to be deleted, and has not gone yet. */
export function isGoing({ metadata }: Live<typeof core.Pod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** It takes connections, and goes on doing so. */
export function isReady(pod: Live<typeof core.Pod>): boolean {
  return !isGoing(pod) && isConditionTrue(pod.status?.conditions, 'Ready');
}

/** It never runs again: it was evicted, for one. */
function isOver({ status }: Live<typeof core.Pod>): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}
