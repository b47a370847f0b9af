import { isDeepStrictEqual } from 'node:util';
import {
  allow,
  controller,
  core,
  done,
  eventAccess,
  ifExists,
  ifGone,
  predicates,
  requeueAfter,
  type ContextOf,
  type Live,
} from '@tenantry/runtime';
import { isGoing, isReady, planOf } from './plan.ts';
import { PODS, podOf, Redis, redisNamedBy, selectorOf } from './pods.ts';

const access = [
  allow(core.Pod, 'create', 'delete'),
  allow(Redis, 'patch').subresource('status'),
  ...eventAccess,
] as const;

const owns = [{ kind: core.Pod, selection: { labelSelector: PODS } }] as const;
// Also reconcile for pods of another owner, or of none, which may have the names that this operator
// needs.
const watches = [{ ...owns[0], map: redisNamedBy }];

type Ctx = ContextOf<typeof Redis, typeof owns, [typeof core.Pod], typeof access>;

export const redisController = controller({
  name: 'redis',
  for: Redis,
  owns,
  watches,
  predicate: predicates.generationChanged,
  concurrency: 4,
  access,
  finalizer: {
    name: 'myapp.demo.kubebuilder.io/pods',
    /** Deletes the pods. The Redis exists until the last of its pods is gone. */
    async cleanUp(ctx) {
      const pods = ctx.children(core.Pod);
      for (const pod of pods) if (!isGoing(pod)) await remove(ctx, pod);
      return pods.length === 0 ? done : requeueAfter(10_000);
    },
  },
  async reconcile(ctx) {
    const { object, client, cache, children, owned, event, log } = ctx;
    const plan = planOf(object, children(core.Pod));
    for (const pod of plan.remove) await remove(ctx, pod);
    const taken: string[] = [];
    for (const index of plan.create) {
      const pod = owned(podOf(object, index));
      const isNew = await client.create(core.Pod, pod).catch(ifExists);
      if (isNew) event({ reason: 'CreatePod', note: `created pod ${pod.metadata.name}` });
      else taken.push(pod.metadata.name);
    }
    const { name, namespace, resourceVersion } = object.metadata;
    const pods = children(core.Pod).filter((pod) => !isGoing(pod));
    const ready = pods.filter(isReady).length;
    const status = { replicas: pods.length, ready, selector: selectorOf(name) };
    if (!isDeepStrictEqual(object.status, status)) {
      const part = { subresource: 'status' } as const;
      // With the resource version, a patch that arrives late is refused.
      const patch = { metadata: { resourceVersion }, status };
      await client.patch(Redis, { name, namespace }, patch, part).catch(ifGone);
    }
    if (taken.length === 0) return done;
    log.warn('names of pods are taken by others, and waited for', { taken });
    // The operator gets an event when a watched pod is deleted. For other pods it has to poll.
    const isRead = (pod: string): boolean =>
      cache.get(core.Pod, { namespace, name: pod }) !== undefined;
    return taken.every(isRead) ? done : requeueAfter(10_000);
  },
});

async function remove(ctx: Ctx, { metadata }: Live<typeof core.Pod>): Promise<void> {
  const { uid, resourceVersion, name } = metadata;
  // With the preconditions, a pod that became ready meanwhile is not deleted.
  const preconditions = { uid, resourceVersion };
  await ctx.client.delete(core.Pod, metadata, { preconditions }).catch(ifGone);
  ctx.event({ reason: 'DeletePod', note: `deleted pod ${name}` });
}
