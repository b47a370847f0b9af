import { expect, test } from '@jest/globals';
import type { Fleet } from '../../../constructs/tenant/fleet.ts';
import type { TenantStatus } from '../../../crds/tenantry/tenant-status.ts';
import type { TenantSpec } from '../../../crds/tenantry/types.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { KeptLive } from '../../../operator/cluster/tenant-objects.ts';
import { declaredDigest } from '../../../operator/drift/declared-digest.ts';
import { expected } from '../../../operator/drift/expected.ts';
import { Rollouts } from '../../../operator/tenant/rollouts.ts';
import { VirtualClock } from '../../../testing/clock/virtual-clock.ts';
import { declaredOf, fleetOf, liveTenant } from '../given.ts';

const minutes = 60_000;
const deadline = 10 * minutes;
const pods = (most: number): TenantSpec => ({ quota: { hard: { pods: most } } });
const fleet = fleetOf();
const counts = { namespaces: 1, objects: 9, driftedObjects: 0, driftedFields: 0, undeclared: 0 };
/** What an operator wrote that noted no digest. */
const seen = (generation: number): TenantStatus => ({ observedGeneration: generation, counts });
/** What was written when so many pods were declared. */
const comparedAt = (most: number, by: Fleet = fleet): TenantStatus => ({
  ...seen(1),
  declaredDigest: declaredDigest(objectsOf(by, pods(most))),
});

/** The rollouts of a cluster, and what the operator asks of the quota of a tenant, as it is on the cluster. */
class Course {
  readonly clock = new VirtualClock();
  readonly rollouts = new Rollouts('eu', deadline);
  #generation = 0;
  #spec: TenantSpec = {};

  /** A tenant that was seen as it is declared, and is all well. */
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

  /** Looks at it once more, with the same declaration. */
  look(of: Parameters<typeof liveTenant>[1] = {}, by: Fleet = fleet) {
    const tenant = liveTenant(this.#spec, { generation: this.#generation, ...of });
    return this.rollouts.track(tenant, by, this.clock);
  }

  /** Whether a quota of so many pods is on its way; undefined: one that is not there. */
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

test('after a change, what is as before is on its way, and what is as neither is drift', () => {
  const course = Course.settledAt(1);
  expect(course.isFollowing(1)).toBe(false);
  expect(course.declare(pods(2)).left).toBe(deadline);
  expect([course.isFollowing(1), course.isFollowing(9), course.isFollowing(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('ten minutes after the change, what has not followed is drift', async () => {
  const course = Course.settledAt(1);
  course.declare(pods(2));
  await course.clock.advance(deadline - 1);
  expect([course.isFollowing(1), course.look().left]).toEqual([true, 1]);
  await course.clock.advance(1);
  expect([course.isFollowing(1), course.look().left]).toEqual([false, undefined]);
});

test('what was not declared before and is not there yet is on its way', () => {
  const course = new Course();
  const nothing = { namespaces: [{ name: 'other' }] };
  course.declare(nothing, { status: seen(1) });
  course.rollouts.markComplete('acme');
  course.declare(pods(1));
  expect(course.isFollowing(undefined)).toBe(true);
});

test('once the cluster has followed, all that differs is drift, the old state too', () => {
  const course = Course.settledAt(1);
  course.declare(pods(2));
  course.rollouts.markComplete('acme');
  expect([course.isFollowing(1), course.look().left]).toEqual([false, undefined]);
});

test('of two changes in a row, the cluster may be as before the first or as before the second', async () => {
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

test('nobody puts the end off with one change after the other', async () => {
  const course = Course.settledAt(1);
  for (let most = 2; most < 30; most += 1) {
    course.declare(pods(most));
    await course.clock.advance(minutes);
  }
  expect([1, 5, 28].map((most) => course.isFollowing(most))).toEqual([false, false, true]);
});

test('of fifty changes in a second, the first state and the last but one are on their way', () => {
  const course = Course.settledAt(1);
  for (let most = 2; most < 52; most += 1) course.declare(pods(most));
  expect([1, 50, 20].map((most) => course.isFollowing(most))).toEqual([true, true, false]);
});

test('a changed class is a change of each of its tenants, and each of them follows by itself', () => {
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

test('with a changed class, what is as the former one had it is on its way', () => {
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

test('of a new tenant, what is missing is on its way, and what is there must be right', async () => {
  const course = new Course();
  expect(course.declare(pods(1)).left).toBe(deadline);
  expect([course.isFollowing(undefined), course.isFollowing(9)]).toEqual([true, false]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(undefined)).toBe(false);
});

test('a tenant that was deleted and made again is a new one', () => {
  for (const forgets of [true, false]) {
    const course = Course.settledAt(1);
    if (forgets) course.rollouts.forget('acme');
    expect(course.declare(pods(1), { uid: 'u2', generation: 1 }).left).toBe(deadline);
    expect(course.isFollowing(undefined, fleet, { uid: 'u2', generation: 1 })).toBe(true);
  }
});

test('after a restart, a tenant of which the status is up to date has followed', () => {
  const course = new Course();
  expect(course.declare(pods(1), { status: seen(1) }).left).toBeUndefined();
});

test('after a restart, what was changed meanwhile is on its way, whatever it was', async () => {
  const course = new Course();
  const of = { generation: 2, status: seen(1) };
  expect(course.declare(pods(2), of).left).toBe(deadline);
  expect([9, undefined].map((most) => course.isFollowing(most, fleet, of))).toEqual([true, true]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(9, fleet, of)).toBe(false);
});

test('a restart while the cluster follows leaves it the rest of the time, and excuses no drift of before', async () => {
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

test('what is refused reaches no cluster: once mended, what was before it is on its way', async () => {
  const course = Course.settledAt(1);
  course.declare(pods(-5));
  course.rollouts.markRefused('acme');
  await course.clock.advance(180 * minutes);
  course.look();
  course.rollouts.markRefused('acme');
  expect(course.declare(pods(3)).left).toBe(deadline);
  expect([1, 9].map((most) => course.isFollowing(most))).toEqual([true, false]);
});

test('what was refused, and is no more without a change of it, has its time from then on', async () => {
  const course = new Course();
  course.declare(pods(1));
  course.rollouts.markRefused('acme');
  await course.clock.advance(180 * minutes);
  expect(course.look().left).toBe(deadline);
  expect([course.isFollowing(undefined), course.isFollowing(9)]).toEqual([true, false]);
  await course.clock.advance(deadline);
  expect(course.isFollowing(undefined)).toBe(false);
});

test('of a tenant that was refused when the operator began, nobody knows what was before', () => {
  const course = new Course();
  course.declare(pods(-5), { status: seen(1) });
  course.rollouts.markRefused('acme');
  course.declare(pods(3), { status: seen(1) });
  expect(course.isFollowing(9)).toBe(true);
});

test('a class that was edited while nobody looked: what differs is on its way, and after its time drift', async () => {
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

test('a Tenant that was edited while nobody looked, and still declares the same, excuses nothing', () => {
  const course = new Course();
  const of = { generation: 2, status: comparedAt(1) };
  course.declare(pods(1), of);
  expect(course.isFollowing(9, fleet, of)).toBe(false);
});

test('what the status has called drift stays drift, whatever was declared meanwhile', () => {
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

test('of what was not compared when the status was written, nobody knows how it was', () => {
  const course = new Course();
  const of = { status: { observedGeneration: 1 } };
  expect(course.declare(pods(1), of).left).toBe(deadline);
  expect(course.isFollowing(9, fleet, of)).toBe(true);
});
