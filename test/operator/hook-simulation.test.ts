import { expect, test } from '@jest/globals';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { allFaults } from '@tenantry/testing/simulation/schedule/step';
import { simulate } from '@tenantry/testing/simulation/simulate';
import { runPlan } from '@tenantry/testing/simulation/simulated-run';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import { someSchedules } from '../examples/schedules.ts';
import { cluster } from './hooks/simulation/hook-platform.ts';
import { HookWorld, setReadyCondition } from './hooks/simulation/hook-world.ts';
import type { Trouble } from './hooks/simulation/receivers.ts';
import { planOf, type Crash } from './plans.ts';

const definitions = [tenant, tenantClass];
/** Clock jumps have their own test. */
const faults = allFaults.filter((one) => one !== 'clock jumps' && one !== 'deleted objects');

test('in every schedule hooks are called once for each selected tenant, before it is deleted', async () => {
  const world = new HookWorld({ tenants: ['acme', 'bolt'] });
  const { simulated, actions } = world;
  const { schedules } = await simulate({
    ...simulated,
    definitions,
    actions,
    faults,
    steps: 30,
    ...someSchedules(60),
  });
  const { tally } = world;
  // A schedule in which nothing happens proves little.
  expect(tally.onboarded).toBeGreaterThan(schedules);
  expect(tally.offboarded).toBeGreaterThan(schedules / 2);
  expect(tally.failed).toBeGreaterThan(schedules / 2);
  expect(tally.takenUp).toBeGreaterThan(schedules / 10);
}, 1_800_000);

test('no call is made for a tenant that is gone because nothing kept it', async () => {
  // The only hooks are for onboarding, and those do not keep a tenant.
  const edits = { deaf: true, mute: true };
  const { simulated, actions } = new HookWorld({ edits, tenants: ['acme', 'bolt'] });
  const few = new Set(['the platform edits a hook', 'a tenant is edited']);
  const chosen = Object.fromEntries(Object.entries(actions).filter(([name]) => !few.has(name)));
  const given = { ...simulated, definitions, actions: chosen, faults };
  await simulate({ ...given, calm: 600_000, rests: false, eventually: {}, ...someSchedules(120) });
}, 1_800_000);

test('the same holds with two replicas, of which one leads', async () => {
  const { simulated, actions } = new HookWorld();
  const schedules = someSchedules(4);
  await simulate({ ...simulated, definitions, actions, faults, replicas: 2, ...schedules });
}, 1_800_000);

test('a changed clock causes no second call', async () => {
  const { simulated, actions } = new HookWorld({ skew: 7_200_000 });
  await simulate({ ...simulated, definitions, actions, ...someSchedules(60) });
}, 1_800_000);

/** A tenant that is created and deleted. */
const story: NonNullable<SimulateProps['actions']> = {
  'a tenant comes': ({ api }) => {
    api.create(Tenant, { metadata: { name: 'acme' }, spec: { className: 'strict' } });
    setReadyCondition(api, 'acme', 'AsDeclared');
  },
  'it goes': ({ api }) => void api.delete(Tenant, { name: 'acme' }),
};

const A_MINUTE = 60_000;

/** Runs the story with a fault at one request, and returns the violation. */
async function runStory(trouble: Trouble | undefined, skip: number, crash?: Crash, calm = 600_000) {
  const world = new HookWorld({
    armed: () => (trouble ? [{ trouble, skip, until: Infinity }] : []),
  });
  const { simulated } = world;
  const { failure, writes } = await runPlan(planOf(story, { every: A_MINUTE, crash }), {
    ...simulated,
    definitions,
    actions: story,
    calm,
  });
  return { failure, writes, requests: world.requests, tally: world.tally };
}

const troubles: readonly Trouble[] = [
  { how: 'sent, and the operator dies', milliseconds: 0 },
  { how: 'sent, and the operator dies', milliseconds: 8000 },
  { how: 'done, and the operator dies' },
  { how: 'answered, and the operator dies' },
  { how: 'done, and silent' },
  { how: 'done, and torn' },
  { how: 'done, and answered otherwise', status: 504 },
  { how: 'refused', status: 429, retryAfter: 30 },
  { how: 'refused', status: 500 },
  { how: 'refused', status: 401 },
  { how: 'lost' },
  { how: 'slow', milliseconds: 8000 },
];

test('each hook is called once, whichever request fails', async () => {
  const undisturbed = await runStory(undefined, 0);
  expect(undisturbed.failure).toBeUndefined();
  // Onboarding: CMDB, job and channel. Offboarding: CMDB, channel and auditors.
  expect(undisturbed.tally).toMatchObject({ onboarded: 3, offboarded: 3, failed: 0 });
  for (const trouble of troubles) {
    for (let skip = 0; skip < undisturbed.requests; skip += 1) {
      const { failure, tally } = await runStory(trouble, skip);
      const about = [trouble, skip];
      expect([about, failure]).toEqual([about, undefined]);
      expect([about, tally.onboarded, tally.offboarded]).toEqual([about, 3, 3]);
    }
  }
}, 1_800_000);

test('a permanent refusal delays a deletion for an hour, and is not retried', async () => {
  const { requests } = await runStory(undefined, 0);
  const gone = { how: 'refused' as const, status: 410 };
  const givenUp: number[] = [];
  for (let skip = 0; skip < requests; skip += 1) {
    const { failure, tally } = await runStory(gone, skip, undefined, 7_200_000);
    expect([skip, failure, tally.failed]).toEqual([skip, undefined, 1]);
    expect([skip, tally.onboarded + tally.offboarded + tally.failed]).toEqual([skip, 6]);
    givenUp.push(tally.givenUp);
  }
  // Nothing waits for a hook that was never called at onboarding.
  expect(givenUp.toSorted()).toEqual(givenUp);
  expect([givenUp[0], givenUp.at(-1)]).toEqual([0, 1]);
}, 1_800_000);

test('each hook is called once, whichever write the operator is killed at, before or after it', async () => {
  const { writes: most } = await runStory(undefined, 0);
  expect(most).toBeGreaterThan(12);
  for (let writes = 1; writes <= most; writes += 1) {
    for (const takesEffect of [true, false]) {
      const crash = { do: 'crashes' as const, replica: 0, writes, takesEffect };
      const { failure, tally } = await runStory(undefined, 0, crash);
      const about = [writes, takesEffect];
      expect([about, failure, tally.onboarded, tally.offboarded]).toEqual([about, undefined, 3, 3]);
    }
  }
}, 1_800_000);

test('beside the controller that heals tenants, finalizers and statuses are kept separate', async () => {
  const world = new HookWorld({
    driftPolicy: 'Heal',
    isAlone: false,
    others: (platform) => [tenantController({ platform, cluster, rolloutDeadline: 60_000 })],
  });
  const { simulated, actions } = world;
  await simulate({ ...simulated, definitions, actions, faults, ...someSchedules(60) });
  expect(world.tally.onboarded).toBeGreaterThan(10);
}, 1_800_000);
