import { expect, test } from '@jest/globals';
import type { Observation } from '../../../operator/tenant/observation.ts';
import { buildStatus } from '../../../operator/tenant/status.ts';
import { statusEvents, healingEvents } from '../../../operator/tenant/events.ts';
import { changed, compared } from '../given.ts';

const now = new Date('2026-01-01T00:00:00Z');

/** Returns the events between two observations as `Warning Drifted: note`. */
function describeEvents(before: Observation | undefined, after: Observation): string[] {
  const was = before && buildStatus(undefined, before, 1, now);
  return statusEvents(was, buildStatus(was, after, 1, now)).map(
    ({ type, reason, note }) => `${type} ${reason}: ${note}`,
  );
}

test('a tenant that is well from the start causes no event, and one that is not causes one', () => {
  expect(describeEvents(undefined, compared())).toEqual([]);
  expect(describeEvents(undefined, compared({ drift: [changed('a')] }))).toEqual([
    'Warning Drifted: 1 difference in ResourceQuota a/tenant-quota',
  ]);
});

test('drift causes one event, and so does its end', () => {
  const drifted = compared({ drift: [changed('a')] });
  expect(describeEvents(compared(), drifted)).toHaveLength(1);
  expect(describeEvents(drifted, compared({ drift: [changed('b')] }))).toEqual([]);
  expect(describeEvents(drifted, compared())).toEqual([
    'Normal AsDeclared: Everything is as declared.',
  ]);
  const notCompared = [{ kind: 'Job', objects: 1, reason: 'NotNamed' }] as const;
  expect(describeEvents(compared(), compared({ notCompared }))).toEqual([]);
});

test('an undeclared object causes one event when it appears, which names its author', () => {
  const plain = { kind: 'LimitRange', namespace: 'a', name: 'x', effect: 'limits: []' };
  const access = {
    kind: 'RoleBinding',
    namespace: 'a',
    name: 'root',
    givesAccess: true,
    role: 'ClusterRole cluster-admin',
    subjects: ['User eve'],
    manager: 'kubectl-create',
  };
  const first = compared({ undeclared: [plain] });
  expect(describeEvents(compared(), first)).toEqual([
    'Warning Undeclared: LimitRange a/x (limits: [])',
  ]);
  const both = compared({ undeclared: [access, plain] });
  expect(describeEvents(first, both)).toEqual([
    'Warning UndeclaredAccess: RoleBinding a/root gives ClusterRole cluster-admin to User eve by kubectl-create',
  ]);
  expect(describeEvents(both, both)).toEqual([]);
  expect(describeEvents(first, compared())).toEqual([]);
});

test('an unknown state causes a warning', () => {
  const unknown = { type: 'unknown', reason: 'NotCompared', message: 'Forbidden' } as const;
  expect(describeEvents(compared(), unknown)).toEqual(['Warning NotCompared: Forbidden']);
});

test('another reason causes an event, and a rollout or a cordon is no warning', () => {
  const following = compared({ following: 1 });
  expect(describeEvents(compared({ drift: [changed('a')] }), following)).toEqual([
    'Normal RollingOut: 1 object not yet as declared',
  ]);
  expect(describeEvents(compared(), { type: 'cordoned' })).toEqual([
    'Normal Cordoned: The operator leaves it alone.',
  ]);
  expect(describeEvents(compared(), { type: 'refused', findings: [] })[0]).toMatch(
    /^Warning Refused/,
  );
});

test('a heal event has the complete fields, their previous values and the field manager', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { namespace: 'pay-prod', name: 'a-quota-with-a-name-that-is-rather-long' },
  };
  const drift = ['spec.hard.pods', 'spec.hard.services'].map((field) => ({
    ...changed('pay-prod', field),
    live: '"9"',
    manager: 'kubectl-edit',
  }));
  expect(healingEvents(compared({ healed: [{ type: 'restore', object, drift }] }))).toEqual([
    expect.objectContaining({
      reason: 'Healed',
      note: 'ResourceQuota pay-prod/a-quota-with-a-name-that-is-rather-long (spec.hard.pods was "9" by kubectl-edit, spec.hard.services was "9" by kubectl-edit)',
    }),
  ]);
});
