import { isDeepStrictEqual } from 'node:util';
import { allow } from '../../runtime/access/grant.ts';
import { controller } from '../../runtime/controller/controller.ts';
import type { ContextOf } from '../../runtime/controller/declaration.ts';
import { generationChanged } from '../../runtime/controller/predicate.ts';
import { done, requeueAfter } from '../../runtime/controller/result.ts';
import { ifExists, ifGone } from '../../runtime/errors/expected.ts';
import { Pod } from '../../runtime/kinds/core.ts';
import { Event } from '../../runtime/kinds/events.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { eventOf } from './events.ts';
import { isGoing, isReady, planOf } from './plan.ts';
import { podOf, Redis, selectorOf } from './pods.ts';

const access = [
  allow(Pod, 'create', 'delete'),
  allow(Redis, 'patch').subresource('status'),
  allow(Event, 'create'),
] as const;

type Ctx = ContextOf<typeof Redis, [typeof Pod], [], typeof access>;

export const redisController = controller({
  name: 'redis',
  for: Redis,
  owns: [Pod],
  predicate: generationChanged,
  concurrency: 4,
  access,
  finalizer: {
    name: 'myapp.demo.kubebuilder.io/pods',
    /** The Redis is there as long as one of its pods is. */
    async cleanUp(ctx) {
      const pods = ctx.children(Pod);
      for (const pod of pods) if (!isGoing(pod)) await remove(ctx, pod);
      return pods.length === 0 ? done : requeueAfter(10_000);
    },
  },
  async reconcile(ctx) {
    const { object, client, children, owned, log } = ctx;
    const plan = planOf(object, children(Pod));
    for (const pod of plan.remove) await remove(ctx, pod);
    const taken: string[] = [];
    for (const index of plan.create) {
      const pod = owned(podOf(object, index));
      const isNew = await client.create(Pod, pod).catch(ifExists);
      if (isNew) await tell(ctx, 'CreatePod', `created pod ${pod.metadata.name}`);
      else taken.push(pod.metadata.name);
    }
    const { name, namespace } = object.metadata;
    const pods = children(Pod).filter((pod) => !isGoing(pod));
    const ready = pods.filter(isReady).length;
    const status = { replicas: pods.length, ready, selector: selectorOf(name) };
    if (!isDeepStrictEqual(object.status, status)) {
      const part = { subresource: 'status' } as const;
      await client.patch(Redis, { name, namespace }, { status }, part).catch(ifGone);
    }
    if (taken.length === 0) return done;
    log.warn('names of pods are taken by others, and waited for', { taken });
    return requeueAfter(10_000);
  },
});

async function remove(ctx: Ctx, { metadata }: Live<typeof Pod>): Promise<void> {
  const { uid, name } = metadata;
  await ctx.client.delete(Pod, metadata, { preconditions: { uid } }).catch(ifGone);
  await tell(ctx, 'DeletePod', `deleted pod ${name}`);
}

/** That nobody could be told of it is no reason to do it again. */
async function tell(
  { object, client, clock, log }: Ctx,
  reason: 'CreatePod' | 'DeletePod',
  note: string,
): Promise<void> {
  const event = eventOf(object, reason, note, clock.date());
  await client.create(Event, event).catch((error: unknown) => {
    log.warn('an event could not be written', { reason, note, error });
  });
}
