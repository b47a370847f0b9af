import { expect, test } from '@jest/globals';
import { tenantStatus, type TenantStatus } from '../../../crds/tenant-status.ts';
import { errorAt } from '@tenantry/kube/finding';
import type { Observation } from '../../../operator/tenant/observation.ts';
import { buildStatus } from '../../../operator/tenant/status.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { changed, compared } from '../given.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 10, 0, second, 345));
const text = (second: number): string => `2026-01-01T10:00:${String(second).padStart(2, '0')}Z`;

/** Returns the status after these observations, a second apart. */
function after(...observations: readonly Observation[]): TenantStatus {
  let status: TenantStatus | undefined;
  for (const [second, observation] of observations.entries()) {
    status = buildStatus(status, observation, 1, at(second));
    expect(validate(tenantStatus, status)).toEqual([]);
  }
  return status!;
}

test('an equal observation gives the identical status, however late it is', () => {
  const undeclaredObject = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  const pressure = [{ namespace: 'a', quota: 'q', resource: 'pods', hard: '10' }];
  const observation = compared({ drift: [changed('a')], undeclared: [undeclaredObject], pressure });
  for (const one of [observation, compared(), { type: 'cordoned' } as const]) {
    const before = buildStatus(undefined, one, 1, at(0));
    expect(buildStatus(before, one, 1, at(50))).toBe(before);
    // As the API server returns it: a different object with the same content.
    const read = JSON.parse(JSON.stringify(before)) as TenantStatus;
    expect(buildStatus(read, one, 1, at(50))).toBe(read);
  }
});

test('a new generation changes the status even if everything else is equal', () => {
  const before = buildStatus(undefined, compared(), 1, at(0));
  const next = buildStatus(before, compared(), 2, at(9));
  expect(next.observedGeneration).toBe(2);
  expect(next.conditions?.map((one) => one.observedGeneration)).toEqual([2, 2, 2, 2, 2]);
  expect(next.lastChange).toBe(text(0));
});

test('the start time of drift and of undeclared objects stays while they last, whatever else changes', () => {
  const eve = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  const { drift, undeclared } = after(
    compared({ drift: [changed('a')], undeclared: [eve] }),
    compared({ drift: [changed('b'), changed('a')], undeclared: [{ ...eve, name: 'al' }, eve] }),
    compared({
      drift: [{ ...changed('a'), live: '"9"', manager: 'kubectl-edit' }, changed('b')],
      undeclared: [
        { ...eve, manager: 'helm' },
        { ...eve, name: 'al' },
      ],
    }),
  );
  expect(drift?.map(({ namespace, since }) => [namespace, since])).toEqual([
    ['a', text(0)],
    ['b', text(1)],
  ]);
  expect(undeclared?.map(({ name, since }) => [name, since])).toEqual([
    ['eve', text(0)],
    ['al', text(1)],
  ]);
});

test('drift that returns after it ended has a new start time', () => {
  const again = after(
    compared({ drift: [changed('a')] }),
    compared(),
    compared({ drift: [changed('a')] }),
  );
  expect(again.drift?.[0]?.since).toBe(text(2));
});

test('objects are counted once, their fields each, and undeclared objects separately', () => {
  const drift = [changed('a'), changed('a', 'spec.hard.cpu'), changed('b')];
  const undeclaredObject = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  expect(after(compared({ drift, undeclared: [undeclaredObject], namespaces: 2 })).counts).toEqual({
    namespaces: 2,
    objects: 9,
    driftedObjects: 2,
    driftedFields: 3,
    undeclared: 1,
  });
});

test('each list has at most twenty entries, and a count of the remaining ones', () => {
  const many = Array.from({ length: 23 }, (_, i) => changed(`n${i}`));
  const undeclaredObjects = many.map(({ namespace }) => ({
    kind: 'RoleBinding',
    namespace,
    name: 'eve',
  }));
  const pressure = many.map(({ namespace }) => ({
    namespace,
    quota: 'q',
    resource: 'p',
    hard: '1',
  }));
  const status = after(compared({ drift: many, undeclared: undeclaredObjects, pressure }));
  expect(status.drift?.map(({ namespace }) => namespace)).toEqual(
    many.slice(0, 20).map(({ namespace }) => namespace),
  );
  expect(status.moreDrift).toBe(3);
  expect(status.undeclared).toHaveLength(20);
  expect(status.quotaPressure).toHaveLength(20);
  expect(status.counts).toMatchObject({ driftedFields: 23, undeclared: 23 });
  const twenty = after(compared({ drift: many.slice(0, 20) }));
  expect([twenty.drift?.length, twenty.moreDrift]).toEqual([20, undefined]);
});

test('the last change is that of a count or a condition, and of nothing else', () => {
  const changes = [
    compared(),
    compared({ drift: [changed('a')] }),
    compared({ drift: [{ ...changed('a'), live: '"7"' }] }),
    compared({
      drift: [changed('a')],
      pressure: [{ namespace: 'a', quota: 'q', resource: 'p', hard: '1' }],
    }),
  ];
  expect(changes.map((_, i) => after(...changes.slice(0, i + 1)).lastChange)).toEqual(
    [0, 1, 1, 1].map(text),
  );
  expect(after(compared(), { type: 'cordoned' }).lastChange).toBe(text(1));
});

test('a tenant that is no longer compared keeps nothing of the comparison', () => {
  const status = after(compared({ drift: [changed('a')] }), { type: 'cordoned' });
  expect(Object.keys(status).toSorted()).toEqual([
    'conditions',
    'lastChange',
    'observedGeneration',
  ]);
});

test('a tenant with an unknown state keeps its last known state and times', () => {
  const before = after(compared({ drift: [changed('a')] }));
  const status = after(compared({ drift: [changed('a')] }), {
    type: 'unknown',
    reason: 'NotCompared',
    message: 'no',
  });
  expect([status.counts, status.drift, status.declaredDigest]).toEqual([
    before.counts,
    before.drift,
    before.declaredDigest,
  ]);
  expect(status.conditions?.map((one) => one.status)).toEqual(Array(5).fill('Unknown'));
});

test('undeclared access is counted', () => {
  const access = { kind: 'RoleBinding', namespace: 'a', name: 'root', givesAccess: true };
  const plain = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  const counts = after(compared({ undeclared: [access, plain] })).counts;
  expect([counts?.undeclared, counts?.undeclaredAccess]).toEqual([2, 1]);
  expect(after(compared({ undeclared: [plain] })).counts?.undeclaredAccess).toBeUndefined();
});

test('a transition sets its time, and a change of only the message does not', () => {
  const times = (...observations: Observation[]) =>
    after(...observations).conditions?.map(({ lastTransitionTime }) => lastTransitionTime);
  expect(
    times(compared(), compared({ notCompared: [{ kind: 'Job', objects: 1, reason: 'NotNamed' }] })),
  ).toEqual([0, 0, 0, 0, 0].map(text));
  expect(times(compared(), compared({ following: 1 }))).toEqual([1, 0, 1, 0, 0].map(text));
});

test('a message of two megabytes is cut to what the API server accepts, and stays stable', () => {
  const findings = [errorAt(['spec'], 'must not be 𝄞'.repeat(150_000), 'rule')];
  const status = after({ type: 'refused', findings });
  const [ready] = status.conditions!;
  expect([...ready!.message].length).toBeLessThanOrEqual(32_768);
  expect(ready!.message).toMatch(/\.\.\.$/);
  expect(buildStatus(status, { type: 'refused', findings }, 1, at(9))).toBe(status);
});

test('the first status has every condition and fits the definition of the Tenant', () => {
  expect(after(compared()).conditions?.map(({ type }) => type)).toEqual([
    'Ready',
    'Drifted',
    'Progressing',
    'Degraded',
    'Undeclared',
  ]);
});

test('conditions of others on a Tenant stay', () => {
  const foreign = {
    type: 'Paid',
    status: 'True',
    reason: 'Paid',
    message: '',
    lastTransitionTime: text(0),
  } as const;
  const { conditions } = buildStatus({ conditions: [foreign] }, compared(), 1, at(1));
  expect(conditions?.[0]).toBe(foreign);
});

test('hook receipts stay in the status without counting as a change', () => {
  const hooks = [
    {
      hook: 'cmdb',
      event: 'Onboarded',
      state: 'Delivered',
      key: 'k',
      since: '2026-01-01T00:00:00Z',
      attempts: 1,
    },
  ] as const;
  const now = new Date('2026-01-01T00:00:00Z');
  const first = buildStatus({ hooks }, compared(), 1, now);
  expect(first).toMatchObject({ hooks, observedGeneration: 1 });
  expect(buildStatus(first, compared(), 1, now)).toBe(first);
});
