import { expect, test } from '@jest/globals';
import { allow } from '@tenantry/runtime/access/grant';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { done, type Result } from '@tenantry/runtime/controller/context';
import { ConfigMap, Namespace, Node } from '@tenantry/runtime/kinds/core';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { simulate, SimulationFailed } from '../../simulation/simulate.ts';
import type { SimulatedProgram, SimulateProps } from '../../simulation/simulate-props.ts';
import {
  countingController,
  forgetfulController,
  hastyController,
  namespace,
  restlessController,
  Shop,
  shop,
  soundController,
  staleController,
} from './broken-controllers.ts';

const names = ['bakery', 'bank'];

/** Simulates shops that open, change and close. */
const shops = (controllers: () => readonly Controller[]): SimulateProps => ({
  definitions: [shop],
  controllers,
  actions: {
    'a shop opens': ({ api, pick, whole }) => {
      const metadata = { name: pick(names), namespace };
      api.create(Shop, { metadata, spec: { size: whole(0, 3) } });
    },
    'a shop changes': ({ api, pick, whole }) => {
      api.patch(Shop, { name: pick(names), namespace }, { spec: { size: whole(0, 3) } });
    },
    'a shop closes': ({ api, pick }) => void api.delete(Shop, { name: pick(names), namespace }),
  },
});

async function failureOf(props: SimulateProps): Promise<SimulationFailed> {
  try {
    await simulate(props);
  } catch (error) {
    if (error instanceof SimulationFailed) return error;
    throw error;
  }
  throw new Error('it must fail, and held');
}

test('a correct controller survives every schedule', async () => {
  const report = await simulate({
    ...shops(() => [soundController()]),
    eventually: {
      'each shop has its shelves and reports them': ({ list }) =>
        list(Shop).every(({ metadata, spec, status }) => {
          const shelves = list(ConfigMap).filter(
            (one) => one.metadata.ownerReferences?.[0]?.uid === metadata.uid,
          );
          const wanted = spec?.size ?? 1;
          return shelves.length === wanted && status?.state === `${wanted} shelves`;
        }),
      'nothing is left of shops that closed': ({ list }) =>
        list(ConfigMap).every(({ metadata }) =>
          list(Shop).some((one) => one.metadata.uid === metadata.ownerReferences?.[0]?.uid),
        ),
    },
    schedules: runs(100).numRuns,
  });
  expect(report.schedules).toBe(runs(100).numRuns);
  expect(report.steps).toBeGreaterThan(100);
  expect(report.writes).toBeGreaterThan(100);
}, 1_800_000);

test('with several replicas only the leader writes, and all work is done', async () => {
  await simulate({
    ...shops(() => [soundController()]),
    eventually: {
      'each shop reports its number of shelves': ({ list }) =>
        list(Shop).every(({ spec, status }) => status?.state === `${spec?.size ?? 1} shelves`),
    },
    replicas: 2,
    schedules: runs(20).numRuns,
  });
}, 1_800_000);

/** Faulty controllers, each with the condition that exposes it and the maximal number of steps that this takes. */
const broken: readonly (readonly [
  sentence: string,
  controllers: () => Controller,
  must: Pick<SimulateProps, 'always' | 'eventually'>,
  steps: number,
])[] = [
  [
    'a controller that does not know its own writes',
    staleController,
    {
      always: {
        'a shop has no more shelves than it ever wanted': ({ list }) =>
          names.every((name) => {
            const labelSelector = `shop=${name}`;
            return list(ConfigMap, { labelSelector }).length <= 3;
          }),
      },
    },
    4,
  ],
  [
    'a controller without a finalizer',
    forgetfulController,
    {
      eventually: {
        'nothing is left of shops that closed': ({ get, list }) =>
          list(ConfigMap, { namespace: 'kube-public' }).every(
            ({ metadata: { name } }) => get(Shop, { name, namespace }) !== undefined,
          ),
      },
    },
    2,
  ],
  [
    'a controller that creates existing objects',
    hastyController,
    {
      eventually: {
        'each shop is open': ({ list }) =>
          list(Shop).every(({ status }) => status?.state === 'open'),
      },
    },
    2,
  ],
  [
    'a controller that counts the same event again',
    countingController,
    {
      always: {
        'a shop is not opened more often than it changed': ({ list }) =>
          list(Shop).every(
            ({ metadata, status }) => (status?.openings ?? 0) <= (metadata.generation ?? 0),
          ),
      },
    },
    2,
  ],
  ['a controller whose status triggers its next reconcile', restlessController, {}, 1],
];

test.each(broken)('the simulation exposes %s in few steps', async (_, made, must, steps) => {
  const props = { ...shops(() => [made()]), ...must, schedules: 300 };
  const failure = await failureOf(props);
  const replayed = failure.replay.split('/')[1]!.split(',');
  expect(replayed.length).toBeLessThanOrEqual(steps);
  const again = await failureOf({ ...props, replay: failure.replay });
  expect([again.what, again.lines]).toEqual([failure.what, failure.lines]);
});

test('a failure reports the violated condition, the events, and how to run the schedule again', async () => {
  const failure = await failureOf({
    ...shops(() => [hastyController()]),
    eventually: {
      'each shop is open': ({ list }) => list(Shop).every(({ status }) => status?.state === 'open'),
    },
    schedules: 300,
  });
  expect(failure.message).toContain('it must hold that each shop is open\n');
  expect(failure.message).toContain(`replay: '${failure.replay}'`);
  expect(failure.lines).toContainEqual(
    expect.stringMatching(/^ +\d+\.\d{3} s {2}somebody +acts: a shop opens$/),
  );
  expect(failure.lines).toContainEqual(
    expect.stringMatching(/operator +creates configmaps default\/ba\w+: .*already exists/),
  );
});

test('the same seed tries the same schedules, and another seed tries others', async () => {
  const tried = async (seed: number) => {
    const { milliseconds: _, ...report } = await simulate({
      ...shops(() => [soundController()]),
      schedules: 10,
      seed,
    });
    return report;
  };
  const first = await tried(7);
  expect(await tried(7)).toEqual(first);
  expect(await tried(8)).not.toEqual(first);
});

test('a call that is not simulated fails the run, even if the controller catches the error', async () => {
  const curious = controller({
    name: 'curious',
    for: Shop,
    access: [allow(Node, 'get')],
    async reconcile({ client }) {
      await client.get(Node, { name: 'one' }).catch(() => undefined);
      return done;
    },
  });
  const failure = await failureOf({ ...shops(() => [curious]), schedules: 50 });
  expect(failure.message).toContain('the kind Node of the core group is not simulated');
});

test('a controller with another source of randomness gets a message about it', async () => {
  let turns = 0;
  const fickle = (): Controller =>
    controller({
      name: 'fickle',
      for: Shop,
      access: [allow(Shop, 'patch').subresource('status')],
      async reconcile({ object, client }) {
        turns += 1;
        if (turns > 1) return done;
        const status = { state: 'first' };
        await client.patch(Shop, object.metadata, { status }, { subresource: 'status' });
        return done;
      },
    });
  const failure = await failureOf({
    ...shops(() => [fickle()]),
    always: { 'nothing is first': ({ list }) => list(Shop).every(({ status }) => !status?.state) },
    schedules: 50,
  });
  expect(failure.message).toContain('did not fail again');
});

test('an action that throws an unexpected error fails the run, and so does a program that cannot start', async () => {
  const bad = await failureOf({
    ...shops(() => [soundController()]),
    actions: {
      'nobody can do it': () => {
        throw new Error('no hands');
      },
    },
  });
  expect(bad.message).toContain(
    "it must hold that the action 'nobody can do it' can be done\nno hands",
  );
  const twice = await failureOf(shops(() => [soundController(), soundController()]));
  expect(twice.message).toContain('must have names of their own');
});

test('a replay that no failure has printed is rejected', async () => {
  const props = shops(() => [soundController()]);
  for (const replay of ['', 'x', '12', '12/99', '12/0,']) {
    await expect(simulate({ ...props, replay })).rejects.toThrow(
      `replay must be the value that a failure printed, such as '482913/3,5', got '${replay}'`,
    );
  }
});

/** Runs an operator that calls a server outside the cluster; `meet` runs when that server handles a call. */
async function called(meet: (program: SimulatedProgram, run: number) => void) {
  const [did, answered]: [number[], number[]] = [[], []];
  let starts = 0;
  await simulate({
    controllers: (program) => {
      const run = (starts += 1);
      const { time, hear } = program;
      const reconcile = (): Promise<Result> =>
        new Promise((resolve) => {
          time.after(500, () => {
            did.push(run);
            meet(program, run);
            hear(() => {
              answered.push(run);
              resolve(done);
            });
          });
        });
      return [controller({ name: 'caller', for: Namespace, concurrency: 9, reconcile })];
    },
    schedules: 1,
    faults: [],
  });
  return { starts, did, answered };
}

test('calls in flight arrive after the operator has died, and their answers are lost', async () => {
  const { starts, did, answered } = await called(({ crash }, run) => {
    if (run === 1) crash();
  });
  expect(starts).toBe(2);
  const all = did.filter((run) => run === 2);
  expect(all.length).toBeGreaterThan(2);
  expect(did).toEqual([...all.map(() => 1), ...all]);
  expect(answered).toEqual(all);
});

test('an operator that is stopped receives pending answers, and then another run starts', async () => {
  const { starts, did, answered } = await called(({ restart }, run) => {
    if (run === 1) restart();
  });
  expect(starts).toBe(2);
  expect(answered).toEqual(did);
  expect(new Set(did)).toEqual(new Set([1, 2]));
});
