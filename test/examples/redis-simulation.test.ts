import { expect, test } from '@jest/globals';
import { redisController } from '../../examples/redis/controller.ts';
import { redis } from '../../examples/redis/definition.ts';
import { isGoing, isReady } from '../../examples/redis/plan.ts';
import { indexOf, isOutdated, Redis, selectorOf } from '../../examples/redis/pods.ts';
import { Pod } from '@tenantry/runtime/kinds/core';
import { type Live, scaleOf } from '@tenantry/runtime/kinds/kind';
import { allFaults, type FaultName } from '@tenantry/testing/simulation/schedule/step';
import { someSchedules } from './schedules.ts';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import type { ClusterView, SeenChange } from '@tenantry/testing/simulation/server/cluster-view';

const sample = { name: 'sample', namespace: 'default' };
const containers = [{ name: 'other', image: 'other:1' }];

const given: Pick<SimulateProps, 'controllers' | 'definitions' | 'world'> = {
  controllers: () => [redisController],
  definitions: [redis],
  world: (api) => void api.create(Redis, { metadata: sample, spec: { num: 3 } }),
};

const besides = (...faults: readonly FaultName[]): FaultName[] =>
  allFaults.filter((name) => !faults.includes(name));

/** Returns the pods of the Redis by their indexes. */
function podsOf({ get, list }: ClusterView): ReadonlyMap<number, Live<typeof Pod>> {
  const object = get(Redis, sample);
  if (!object) return new Map();
  const own = list(Pod).filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid),
  );
  return new Map(own.map((pod) => [indexOf(object, pod) ?? -1, pod]));
}

/** Returns the pod that the operator deletes by this change. */
function deletedBy({ who, of }: SeenChange): Live<typeof Pod> | undefined {
  const change = of(Pod);
  if (!who.startsWith('operator') || !change?.before || isGoing(change.before)) return undefined;
  return !change.after || isGoing(change.after) ? change.before : undefined;
}

const scaled: SimulateProps['actions'] = {
  'it is scaled': ({ api, whole }) => {
    api.patch(scaleOf(Redis), sample, { spec: { replicas: whole(0, 5) } });
  },
};
const newPort: SimulateProps['actions'] = {
  'it gets another port': ({ api, whole }) => {
    api.patch(Redis, sample, { spec: { port: whole(6370, 6373) } });
  },
};

test('in the end exactly the declared pods exist', async () => {
  const { writes } = await simulate({
    ...given,
    actions: {
      ...scaled,
      ...newPort,
      'a pod is evicted': ({ api, pick }) => {
        const pod = pick(api.list(Pod).items);
        const status = { phase: 'Failed' } as const;
        api.patch(Pod, pod.metadata, { status }, { subresource: 'status' });
      },
      'somebody takes the name of a pod': ({ api, whole }) => {
        const metadata = { name: `sample-${whole(0, 4)}`, namespace: 'default' };
        api.create(Pod, { metadata, spec: { containers } });
      },
      'it is deleted': ({ api }) => void api.delete(Redis, sample),
      'it is created again': ({ api, whole }) => {
        api.create(Redis, { metadata: sample, spec: { num: whole(0, 3) } });
      },
    },
    always: {
      'the operator deletes no foreign pod': (_, change) => {
        const pod = deletedBy(change);
        return !pod || pod.metadata.ownerReferences?.[0]?.kind === 'Redis';
      },
      'a Redis is only deleted after its pods': ({ list }, { type, of }) => {
        const gone = type === 'deleted' ? of(Redis)?.before : undefined;
        return !list(Pod).some(
          ({ metadata }) => gone && metadata.ownerReferences?.[0]?.uid === gone.metadata.uid,
        );
      },
    },
    eventually: {
      'there is a ready pod for each of num, on its port, unless its name is taken': (view) => {
        const object = view.get(Redis, sample);
        if (!object) return view.list(Pod).every(({ metadata }) => !metadata.ownerReferences);
        const pods = podsOf(view);
        const wanted = Array.from({ length: object.spec.num }, (_, index) => index);
        const free = wanted.filter((index) => {
          const found = view.get(Pod, { ...sample, name: `sample-${index}` });
          return !found || found.metadata.ownerReferences;
        });
        expect([...pods.keys()].toSorted()).toEqual(free);
        // A pod whose name is taken is awaited, and so is the next one to be replaced.
        const isWhole = free.length === wanted.length;
        const bad = [...pods].filter(
          ([, pod]) => !isReady(pod) || (isWhole && isOutdated(object, pod)),
        );
        expect(bad.map(([index]) => index)).toEqual([]);
      },
      'its status reports it': (view) => {
        const object = view.get(Redis, sample);
        const { size } = podsOf(view);
        if (!object) return;
        const selector = selectorOf('sample');
        expect(object.status).toEqual({ replicas: size, ready: size, selector });
      },
    },
    // The operator retries every ten seconds while the name is taken.
    rests: false,
    ...someSchedules(30),
  });
  expect(writes).toBeGreaterThan(400);
}, 1_800_000);

test('while a new port reaches the pods, at most one pod is not ready', async () => {
  await simulate({
    ...given,
    actions: newPort,
    // When two are missing because another client deleted one, that is no rolling update.
    faults: besides('deleted objects'),
    always: {
      'a ready pod is only deleted when all others are ready': (view, change) => {
        const pod = deletedBy(change);
        if (!pod || !isReady(pod)) return;
        const others = [...podsOf(view).values()].filter(
          ({ metadata }) => metadata.uid !== pod.metadata.uid,
        );
        return others.length === 2 && others.every(isReady);
      },
    },
    ...someSchedules(30),
  });
}, 1_800_000);

test('scaling down deletes the highest pods first', async () => {
  await simulate({
    ...given,
    actions: scaled,
    // A pod that was requested long ago may appear after others have been deleted.
    faults: besides('slow calls'),
    always: {
      'no pod goes while a higher one stays': (view, change) => {
        const pod = deletedBy(change);
        if (!pod) return;
        const number = Number(pod.metadata.name.slice('sample-'.length));
        return [...podsOf(view)].every(([index, other]) => index <= number || isGoing(other));
      },
    },
    ...someSchedules(30),
  });
}, 1_800_000);

test('of two replicas one works, and the pods become those that are declared', async () => {
  await simulate({
    ...given,
    actions: { ...scaled, ...newPort },
    replicas: 2,
    eventually: {
      'there is a ready pod for each of num': (view) => {
        const pods = [...podsOf(view).values()];
        return pods.length === view.get(Redis, sample)?.spec.num && pods.every(isReady);
      },
    },
    ...someSchedules(8),
  });
}, 1_800_000);
