import { expect, test } from '@jest/globals';
import type { Fleet } from '../../../model/fleet.ts';
import type { TenantStatus } from '../../../crds/tenant-status.ts';
import type { TenantSpec } from '../../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { KeptLive } from '../../../operator/cluster/tenant-objects.ts';
import { declaredDigest, expected } from '../../../operator/drift/expected.ts';
import { Rollouts } from '../../../operator/tenant/rollouts.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { declaredOf, fleetOf, liveTenant } from '../given.ts';

const minutes = 60_000;
const deadline = 10 * minutes;
const pods = (most: number): TenantSpec => ({ quota: { hard: { pods: most } } });
const fleet = fleetOf();
const counts = { namespaces: 1, objects: 9, driftedObjects: 0, driftedFields: 0, undeclared: 0 };
/** A status that an operator without declared digests wrote. */
const seen = (generation: number): TenantStatus => ({ observedGeneration: generation, counts });
/** A status that was written when this number of pods was declared. */
const comparedAt = (most: number, by: Fleet = fleet): TenantStatus => ({
  ...seen(1),
  declaredDigest: declaredDigest(objectsOf(by, pods(most))),
});

/** The rollouts of a cluster, and the questions of the operator about a tenant's quota in the cluster. */
class Course {
  readonly clock = new VirtualClock();
  readonly rollouts = new Rollouts('eu', deadline);
  #generation = 0;
  #spec: TenantSpec = {};

  /** Returns the course of a tenant that was observed as declared. */
  static settledAt(most: number): Course {
    const course = new Course();
    course.declare(pods(most), { status: seen(1) });
    course.rollouts.markComplete('acme');
    return course;
  }

  declare(spec: TenantSpec, of: Parameters<typeof liveTenant>[1] = {}, by: Fleet = fleet) {
    this.#generation += 1;
    this.#spec = spec;
    return this.look(of, by);
  }

  /** Observes the tenant again, with the same declaration. */
  look(of: Parameters<typeof liveTenant>[1] = {}, by: Fleet = fleet) {
    const tenant = liveTenant(this.#spec, { generation: this.#generation, ...of });
    return this.rollouts.track(tenant, by, this.clock);
  }

  /** Returns whether a quota of this number of pods counts as rolling out; undefined means a missing quota. */
  isFollowing(
    most: number | undefined,
    by: Fleet = fleet,
    of: Parameters<typeof liveTenant>[1] = {},
  ) {
    const { isFollowing } = this.look(of, by);
    const object = quotaOf(most ?? 1);
    const { key, digest } = expected(object);
    const live = { ...object, digest } as unknown as KeptLive;
    return isFollowing({ key, ...(most !== undefined && { live }) });
  }
}

const objectsOf = (by: Fleet, spec: TenantSpec): readonly KubeObject[] =>
  by.desired({ name: 'acme', spec }).namespaces.flatMap(({ objects }) => objects);

const quotaOf = (most: number): KubeObject => declaredOf(fleet, pods(most), 'ResourceQuota');

test('after a change the previous state is rolling out, and any third state is drift', () => {
  const course = Course.settledAt(1);
  expect(course.isFollowing(1)).toBe(false);
  expect(course.declare(pods(2)).left).toBe(deadline);
  expect([course.isFollowing(1), course.isFollowing(9), course.isFollowing(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('ten minutes after the change, a state that has not followed is drift', async () => {
  const course = Course.settledAt(1);
  course.declare(pods(2));
  await course.clock.advance(deadline - 1);
  expect([course.isFollowing(1), course.look().left]).toEqual([true, 1]);
  await course.clock.advance(1);
  expect([course.isFollowing(1), course.look().left]).toEqual([false, undefined]);
});

test('a missing object that was not declared before is rolling out', () => {
  const course = new Course();
  const nothing = { namespaces: [{ name: 'other' }] };
  course.declare(nothing, { status: seen(1) });
  course.rollouts.markComplete('acme');
  course.declare(pods(1));
  expect(course.isFollowing(undefined)).toBe(true);
});

test('once the cluster has followed, every difference is drift, including the previous state', () => {
  const course = Course.settledAt(1);
  course.declare(pods(2));
  course.rollouts.markComplete('acme');
  expect([course.isFollowing(1), course.look().left]).toEqual([false, undefined]);
});

test('after two quick changes, the states before the first and before the second are rolling out', async () => {
  const course = Course.settledAt(1);
  course.declare(pods(2));
  await course.clock.advance(4 * minutes);
  course.declare(pods(3));
  expect([1, 2, 9].map((most) => course.isFollowing(most))).toEqual([true, true, false]);
  expect(course.look().left).toBe(6 * minutes);
  await course.clock.advance(6 * minutes);
  expect([1, 2].map((most) => course.isFollowing(most))).toEqual([false, true]);
  await course.clock.advance(4 * minutes);
  expect([1, 2].map((most) => course.isFollowing(most))).toEqual([false, false]);
});

test('repeated changes do not extend the deadline', async () => {
  const course = Course.settledAt(1);
  for (let most = 2; most < 30; most += 1) {
    course.declare(pods(most));
    await course.clock.advance(minutes);
  }
  expect([1, 5, 28].map((most) => course.isFollowing(most))).toEqual([false, false, true]);
});

test('of fifty changes in a second, the first state and the last but one are rolling out', () => {
  const course = Course.settledAt(1);
  for (let most = 2; most < 52; most += 1) course.declare(pods(most));
  expect([1, 50, 20].map((most) => course.isFollowing(most))).toEqual([true, true, false]);
});

test('a changed class is a change of each of its tenants, and each of them follows separately', () => {
  const course = new Course();
  const look = (name: string, by: Fleet) =>
    course.rollouts.track(liveTenant({}, { name, status: seen(1) }), by, course.clock).left;
  const names = ['acme', 'bolt', 'coda'];
  expect(names.map((name) => look(name, fleet))).toEqual([undefined, undefined, undefined]);
  const changed = fleetOf();
  expect(names.map((name) => look(name, changed))).toEqual([deadline, deadline, deadline]);
  course.rollouts.markComplete('acme');
  expect(names.map((name) => look(name, changed))).toEqual([undefined, deadline, deadline]);
});

test('after a change of the class, the state under the previous class is rolling out', () => {
  const [one, other] = [1, 2].map((most) =>
    fleetOf({ defaults: { quota: { hard: { pods: most } } } }),
  );
  const course = new Course();
  course.declare({}, { status: seen(1) }, one);
  const before = declaredOf(one!, {}, 'ResourceQuota');
  const { key, digest } = expected(before);
  const { isFollowing, left } = course.look({}, other);
  expect(left).toBe(deadline);
  expect(isFollowing({ key, live: { ...before, digest } as unknown as KeptLive })).toBe(true);
  expect(isFollowing({ key, live: { ...before, digest: 'else' } as unknown as KeptLive })).toBe(
    false,
  );
});

test('of a new tenant, a missing object is rolling out, and an existing one must match', async () => {
  const course = new Course();
  expect(course.declare(pods(1)).left).toBe(deadline);
  expect([course.isFollowing(undefined), course.isFollowing(9)]).toEqual([true, false]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(undefined)).toBe(false);
});

test('a tenant that was deleted and created again is a new one', () => {
  for (const forgets of [true, false]) {
    const course = Course.settledAt(1);
    if (forgets) course.rollouts.forget('acme');
    expect(course.declare(pods(1), { uid: 'u2', generation: 1 }).left).toBe(deadline);
    expect(course.isFollowing(undefined, fleet, { uid: 'u2', generation: 1 })).toBe(true);
  }
});

test('after a restart, a tenant with a current status has followed', () => {
  const course = new Course();
  expect(course.declare(pods(1), { status: seen(1) }).left).toBeUndefined();
});

test('after a restart, any state of a tenant that changed meanwhile is rolling out', async () => {
  const course = new Course();
  const of = { generation: 2, status: seen(1) };
  expect(course.declare(pods(2), of).left).toBe(deadline);
  expect([9, undefined].map((most) => course.isFollowing(most, fleet, of))).toEqual([true, true]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(9, fleet, of)).toBe(false);
});

test('a restart during a rollout keeps its deadline and does not excuse earlier drift', async () => {
  const course = new Course();
  const since = course.clock
    .date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
  await course.clock.advance(4 * minutes);
  const quota = {
    type: 'Changed',
    kind: 'ResourceQuota',
    namespace: 'acme',
    name: 'tenant-quota',
  } as const;
  const progressing = { type: 'Progressing', reason: 'RollingOut', message: '' } as const;
  const status = (state: 'True' | 'False', drift?: TenantStatus['drift']): TenantStatus => ({
    ...seen(1),
    conditions: [{ ...progressing, status: state, lastTransitionTime: since }],
    ...(drift && { drift }),
  });
  const { left } = course.declare(pods(2), { status: status('True') });
  expect(left).toBeGreaterThan(5.9 * minutes);
  expect(left).toBeLessThanOrEqual(6.1 * minutes);
  expect(course.isFollowing(1)).toBe(true);
  course.rollouts.forget('acme');
  const drifted = { status: status('True', [{ ...quota, since }]) };
  expect(course.isFollowing(1, fleet, drifted)).toBe(false);
  course.rollouts.forget('acme');
  expect(course.isFollowing(1, fleet, { status: status('False') })).toBe(false);
});

test('a refused declaration reaches no cluster: after its correction the state before it is rolling out', async () => {
  const course = Course.settledAt(1);
  course.declare(pods(-5));
  course.rollouts.markRefused('acme');
  await course.clock.advance(180 * minutes);
  course.look();
  course.rollouts.markRefused('acme');
  expect(course.declare(pods(3)).left).toBe(deadline);
  expect([1, 9].map((most) => course.isFollowing(most))).toEqual([true, false]);
});

test('a refusal that ends without a change of the tenant starts a rollout at that moment', async () => {
  const course = new Course();
  course.declare(pods(1));
  course.rollouts.markRefused('acme');
  await course.clock.advance(180 * minutes);
  expect(course.look().left).toBe(deadline);
  expect([course.isFollowing(undefined), course.isFollowing(9)]).toEqual([true, false]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(undefined)).toBe(false);
});

test('the state before is unknown for a tenant that was refused when the operator started', () => {
  const course = new Course();
  course.declare(pods(-5), { status: seen(1) });
  course.rollouts.markRefused('acme');
  course.declare(pods(3), { status: seen(1) });
  expect(course.isFollowing(9)).toBe(true);
});

test('after a class was edited during downtime, differences are rolling out, and after the deadline drift', async () => {
  const before = fleetOf({ defaults: { network: { egress: 'Open' } } });
  for (const [by, isOnItsWay] of [
    [before, false],
    [fleetOf({ defaults: { podSecurity: { enforce: 'restricted' } } }), true],
  ] as const) {
    const course = new Course();
    const of = { status: comparedAt(1, before) };
    course.declare(pods(1), of, by);
    expect([course.isFollowing(9, by, of), course.isFollowing(undefined, by, of)]).toEqual([
      isOnItsWay,
      isOnItsWay,
    ]);
    await course.clock.advance(deadline);
    expect(course.isFollowing(9, by, of)).toBe(false);
  }
});

test('a Tenant that was edited during downtime without a changed declaration excuses nothing', () => {
  const course = new Course();
  const of = { generation: 2, status: comparedAt(1) };
  course.declare(pods(1), of);
  expect(course.isFollowing(9, fleet, of)).toBe(false);
});

test('drift in the status stays drift, whatever was declared meanwhile', () => {
  const course = new Course();
  const drift = [
    {
      type: 'Changed',
      kind: 'ResourceQuota',
      namespace: 'acme',
      name: 'tenant-quota',
      since: '2026-01-01T00:00:00Z',
    } as const,
  ];
  const of = { status: { ...comparedAt(1), drift } };
  course.declare(pods(2), of);
  expect(course.isFollowing(1, fleet, of)).toBe(false);
});

test('the state before is unknown if the status was written without a comparison', () => {
  const course = new Course();
  const of = { status: { observedGeneration: 1 } };
  expect(course.declare(pods(1), of).left).toBe(deadline);
  expect(course.isFollowing(9, fleet, of)).toBe(true);
});
