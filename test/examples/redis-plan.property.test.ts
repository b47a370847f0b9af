import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isReady, planOf } from '../../examples/redis/plan.ts';
import { isOutdated, podOf, type Redis } from '../../examples/redis/pods.ts';
import type { Pod } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { runs } from '@tenantry/kube/test/yaml/runs';

const creationTimestamp = '2026-01-01T00:00:00Z';

function redisOf(num: number, port: number): Live<typeof Redis> {
  return {
    apiVersion: 'myapp.demo.kubebuilder.io/v1',
    kind: 'Redis',
    metadata: { name: 'a-1', namespace: 'a', uid: 'u', resourceVersion: '1', creationTimestamp },
    spec: { num, port },
  };
}

/** `new`: exists but is not ready. `over`: evicted. `ended`: has finished. `going`: is being deleted. */
type State = 'new' | 'ready' | 'over' | 'ended' | 'going';

const phases = {
  new: 'Pending',
  ready: 'Running',
  over: 'Failed',
  ended: 'Succeeded',
  going: 'Running',
} as const;

function podIn(state: State, redis: Live<typeof Redis>, index: number): Live<typeof Pod> {
  const { metadata, spec } = podOf(redis, index);
  const phase = phases[state];
  const status = state === 'ready' || state === 'going' ? 'True' : 'False';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      uid: `${metadata.name}-${state}`,
      resourceVersion: '1',
      creationTimestamp,
      ...(state === 'going' && { deletionTimestamp: creationTimestamp }),
    },
    spec,
    status: { phase, conditions: [{ type: 'Ready', status }] },
  };
}

const anyRedis = fc.record({ num: fc.nat(12), port: fc.constantFrom(6370, 6380) });
const anyPods = fc.uniqueArray(
  fc.record({
    index: fc.nat(12),
    state: fc.constantFrom<State>('new', 'ready', 'ready', 'over', 'ended', 'going'),
    port: fc.constantFrom(6370, 6380),
  }),
  { selector: ({ index }) => index, maxLength: 13 },
);
const anyWorld = fc
  .record({ redis: anyRedis, pods: anyPods })
  .map(({ redis: { num, port }, pods }) => ({
    redis: redisOf(num, port),
    pods: pods.map(({ index, state, port }) => podIn(state, redisOf(num, port), index)),
  }));

const namesOf = (pods: readonly Live<typeof Pod>[]): string[] =>
  pods.map(({ metadata }) => metadata.name);
const nameOf = (index: number): string => `a-1-${index}`;
const wantedNames = (redis: Live<typeof Redis>): string[] =>
  Array.from({ length: redis.spec.num }, (_, index) => nameOf(index));

/** Returns the pods after a plan, when everything that it started has finished. */
function after(redis: Live<typeof Redis>, pods: readonly Live<typeof Pod>[]): Live<typeof Pod>[] {
  const { remove, create } = planOf(redis, pods);
  const staying = pods
    .filter((pod) => !remove.includes(pod) && pod.metadata.deletionTimestamp === undefined)
    .map((pod) => {
      const status = { phase: phases.ready, conditions: [{ type: 'Ready', status: 'True' }] };
      return pod.status?.phase === 'Pending' ? { ...pod, status } : pod;
    });
  return [...staying, ...create.map((index) => podIn('ready', redis, index))];
}

test('any set of pods converges to the desired pods and stays there', () => {
  fc.assert(
    fc.property(anyWorld, ({ redis, pods }) => {
      let now = pods;
      for (let i = 0; i < 40; i += 1) now = after(redis, now);
      expect(namesOf(now).toSorted()).toEqual(wantedNames(redis).toSorted());
      expect(now.filter((pod) => !isReady(pod) || isOutdated(redis, pod))).toEqual([]);
      expect(planOf(redis, now)).toEqual({ remove: [], create: [] });
    }),
    runs(500),
  );
});

test('a ready desired pod is deleted only if all desired pods are ready', () => {
  fc.assert(
    fc.property(anyWorld, ({ redis, pods }) => {
      const wanted = new Set(wantedNames(redis));
      const served = pods.filter((pod) => isReady(pod) && wanted.has(pod.metadata.name));
      const { remove } = planOf(redis, pods);
      const lost = served.filter((pod) => remove.includes(pod));
      expect(lost.length).toBeLessThanOrEqual(served.length === redis.spec.num ? 1 : 0);
    }),
    runs(500),
  );
});

test('pods beyond num are deleted together, the highest index first', () => {
  fc.assert(
    fc.property(anyWorld, ({ redis, pods }) => {
      const there = new Set(
        namesOf(pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)),
      );
      const beyond = Array.from({ length: 13 }, (_, i) => 12 - i)
        .filter((index) => index >= redis.spec.num)
        .map(nameOf)
        .filter((name) => there.has(name));
      const { remove } = planOf(redis, pods);
      expect(namesOf(remove).slice(0, beyond.length)).toEqual(beyond);
    }),
    runs(500),
  );
});

test('no pod is created with a taken name, and none is deleted twice', () => {
  fc.assert(
    fc.property(anyWorld, ({ redis, pods }) => {
      const { remove, create } = planOf(redis, pods);
      const taken = namesOf(pods);
      expect(create.map(nameOf).filter((name) => taken.includes(name))).toEqual([]);
      expect(new Set(remove).size).toBe(remove.length);
      expect(remove.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
    }),
    runs(500),
  );
});

test('an outdated pod that never becomes ready does not block the others', () => {
  const old = redisOf(2, 6370);
  const broken = podIn('new', old, 0);
  const redis = redisOf(2, 6380);
  expect(planOf(redis, [broken, podIn('ready', old, 1)]).remove).toEqual([broken]);
});

test('a pod that is not ready yet is awaited before the next one is deleted', () => {
  const redis = redisOf(2, 6380);
  const pods = [podIn('ready', redisOf(2, 6370), 0), podIn('new', redis, 1)];
  expect(planOf(redis, pods)).toEqual({ remove: [], create: [] });
});

test('a pod with a foreign name is one too many', () => {
  const redis = redisOf(1, 6380);
  const pod = podIn('ready', redis, 0);
  const others = ['a-1', 'a-1-00', 'a-1-x', 'a-1-0-0', 'b-0'].map((name) => ({
    ...pod,
    metadata: { ...pod.metadata, name },
  }));
  expect(namesOf(planOf(redis, [pod, ...others]).remove).toSorted()).toEqual(
    namesOf(others).toSorted(),
  );
});
