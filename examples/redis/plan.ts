import { isConditionTrue, type core, type Live } from '@tenantry/runtime';
import { indexOf, isOutdated, type Redis } from './pods.ts';

type Pods = readonly Live<typeof core.Pod>[];

/** The next step. Later steps depend on its result. */
export interface Plan {
  readonly remove: Pods;
  /** The indexes of the pods to create. */
  readonly create: readonly number[];
}

/**
 * Plans how to get from the current pods of a Redis to the declared ones:
 *
 * - Pods beyond `num` are deleted, the highest index first, and so are pods that have ended.
 * - A missing pod is created. If one of that name is still being deleted, the plan waits for it.
 * - Outdated pods are replaced one at a time, the next one when all others are ready. One that is not
 *   ready is replaced first, as nobody uses it.
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

/** Returns the outdated pod to replace now. */
function nextOutdated(redis: Live<typeof Redis>, pods: Pods): Live<typeof core.Pod> | undefined {
  const missed = pods.filter((pod) => !isReady(pod));
  const [next] = missed.length > 0 ? missed : pods.filter((pod) => isOutdated(redis, pod));
  const isBroken = missed.every((pod) => !isGoing(pod) && isOutdated(redis, pod));
  return isBroken ? next : undefined;
}

/** Whether the pod is being deleted. */
export function isGoing({ metadata }: Live<typeof core.Pod>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether the pod accepts connections and is not being deleted. */
export function isReady(pod: Live<typeof core.Pod>): boolean {
  return !isGoing(pod) && isConditionTrue(pod.status?.conditions, 'Ready');
}

/** Whether the pod has ended for good, for example because it was evicted. */
function isOver({ status }: Live<typeof core.Pod>): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}
