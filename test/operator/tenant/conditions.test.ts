import { expect, test } from '@jest/globals';
import { errorAt } from '@tenantry/kube/finding';
import { buildConditions } from '../../../operator/tenant/conditions.ts';
import type { Observation } from '../../../operator/tenant/observation.ts';
import { changed, compared } from '../given.ts';

/** Returns the conditions as `Ready=True AsDeclared: message`, in order. */
const describeConditions = (observation: Observation): string[] =>
  buildConditions(observation).map(({ type, status, reason, message }) =>
    [`${type}=${status} ${reason}`, message].filter(Boolean).join(': '),
  );

test('a tenant that is as declared is ready', () => {
  expect(describeConditions(compared())).toEqual([
    'Ready=True AsDeclared',
    'Drifted=False AsDeclared',
    'Progressing=False AsDeclared',
    'Degraded=False AsDeclared',
    'Undeclared=False AsDeclared',
  ]);
});

test('a tenant for another cluster is ready here, and the reason names that', () => {
  expect(describeConditions(compared({ namespaces: 0, objects: 0 }))[0]).toBe(
    'Ready=True NotDeclaredHere',
  );
});

test('a difference is drift, and the message names the first three objects', () => {
  expect(describeConditions(compared({ drift: [changed('a')] }))).toEqual([
    'Ready=False Drifted: 1 difference in ResourceQuota a/tenant-quota',
    'Drifted=True Drifted: 1 difference in ResourceQuota a/tenant-quota',
    'Progressing=False AsDeclared',
    'Degraded=False AsDeclared',
    'Undeclared=False AsDeclared',
  ]);
  const drift = ['a', 'b', 'c', 'd', 'e'].flatMap((one) => [changed(one), changed(one, 'spec.x')]);
  expect(describeConditions(compared({ drift }))[0]).toBe(
    'Ready=False Drifted: 10 differences in ResourceQuota a/tenant-quota, ResourceQuota b/tenant-quota, ResourceQuota c/tenant-quota, and 2 more',
  );
  const space = { type: 'Missing', kind: 'Namespace', name: 'a' } as const;
  expect(describeConditions(compared({ drift: [space] }))[0]).toBe(
    'Ready=False Drifted: 1 difference in Namespace a',
  );
});

test('a rollout is no drift: the tenant is not ready and reports the rollout', () => {
  expect(describeConditions(compared({ following: 1 }))).toEqual([
    'Ready=False RollingOut: 1 object not yet as declared',
    'Drifted=False AsDeclared',
    'Progressing=True RollingOut: 1 object not yet as declared',
    'Degraded=False AsDeclared',
    'Undeclared=False AsDeclared',
  ]);
});

test('drift within a rollout is drift', () => {
  expect(describeConditions(compared({ following: 2, drift: [changed('a')] }))).toEqual([
    'Ready=False Drifted: 1 difference in ResourceQuota a/tenant-quota, 2 objects not yet as declared',
    'Drifted=True Drifted: 1 difference in ResourceQuota a/tenant-quota, 2 objects not yet as declared',
    'Progressing=True RollingOut: 2 objects not yet as declared',
    'Degraded=False AsDeclared',
    'Undeclared=False AsDeclared',
  ]);
});

test('the message has the first three errors of a refused tenant in full', () => {
  const long = `must be less, ${'and less, '.repeat(20)}than that`;
  const errors = [1, 2, 3, 4, 5].map((n) => errorAt(['spec', `a${n}`], long, 'ceiling'));
  const [ready] = describeConditions({ type: 'refused', findings: errors });
  expect(ready!.split(long)).toHaveLength(4);
  expect(ready!.endsWith('; and 2 more')).toBe(true);
});

test('a namespace that is being deleted takes precedence and needs attention', () => {
  const conditions = describeConditions(
    compared({ terminating: [{ name: 'a' }], drift: [changed('a')] }),
  );
  expect(conditions).toEqual([
    'Ready=False NamespaceTerminating: a: being deleted; 1 difference in ResourceQuota a/tenant-quota',
    'Drifted=True Drifted: 1 difference in ResourceQuota a/tenant-quota',
    'Progressing=False AsDeclared',
    'Degraded=True NamespaceTerminating: a: being deleted',
    'Undeclared=False AsDeclared',
  ]);
});

test('undeclared objects that tenants may create leave the tenant ready, and so do objects of other kinds', () => {
  const undeclaredObject = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  const notCompared = [{ kind: 'Secret', objects: 2, reason: 'NotNamed' }] as const;
  expect(describeConditions(compared({ undeclared: [undeclaredObject], notCompared }))).toEqual([
    'Ready=True AsDeclared: 2 objects not compared (Secret): the platform does not name their kinds in operator.comparedKinds',
    'Drifted=False AsDeclared',
    'Progressing=False AsDeclared',
    'Degraded=False AsDeclared',
    'Undeclared=True Undeclared: RoleBinding a/eve',
  ]);
});

test('undeclared access makes a tenant not ready, and the message names the subject and the role', () => {
  const root = {
    kind: 'RoleBinding',
    namespace: 'a',
    name: 'root',
    givesAccess: true,
    role: 'ClusterRole cluster-admin',
    subjects: ['User eve', 'Group a', 'Group b', 'Group c'],
    moreSubjects: 2,
  };
  const open = {
    kind: 'NetworkPolicy',
    namespace: 'a',
    name: 'open',
    givesAccess: true,
    effect: 'ingress from everywhere; for all pods',
  };
  const harmless = { kind: 'RoleBinding', namespace: 'a', name: 'eve' };
  const access =
    'RoleBinding a/root gives ClusterRole cluster-admin to User eve, Group a, Group b and 3 more; NetworkPolicy a/open (ingress from everywhere; for all pods)';
  expect(describeConditions(compared({ undeclared: [root, open, harmless] }))).toEqual([
    `Ready=False UndeclaredAccess: access that nobody declared: ${access}`,
    'Drifted=False AsDeclared',
    'Progressing=False AsDeclared',
    'Degraded=False AsDeclared',
    `Undeclared=True UndeclaredAccess: ${access}; RoleBinding a/eve`,
  ]);
  expect(describeConditions(compared({ drift: [changed('a')], undeclared: [root] }))[0]).toMatch(
    /^Ready=False Drifted: access that nobody declared: .*; 1 difference in/,
  );
});

test('a failed watch makes a tenant unknown without hiding what is known', () => {
  const lost = 'networkpolicies.networking.k8s.io cannot be watched since 2026-01-01T00:00:00Z';
  expect(describeConditions(compared({ unobserved: [lost] }))).toEqual([
    `Ready=Unknown NotObserved: ${lost}`,
    'Drifted=Unknown NotObserved',
    'Progressing=False AsDeclared',
    'Degraded=Unknown NotObserved',
    'Undeclared=Unknown NotObserved',
  ]);
  const notCompared = [{ kind: 'Job', group: 'batch', objects: 1, reason: 'NotRead' }] as const;
  expect(describeConditions(compared({ notCompared }))[0]).toBe(
    'Ready=Unknown NotRead: 1 object not compared (Job): their kinds are not on the cluster, or cannot be read',
  );
  const both = describeConditions(compared({ unobserved: [lost], drift: [changed('a')] }));
  expect(both.slice(0, 2)).toEqual([
    `Ready=False Drifted: ${lost}; 1 difference in ResourceQuota a/tenant-quota`,
    'Drifted=True Drifted: 1 difference in ResourceQuota a/tenant-quota',
  ]);
  expect(describeConditions({ type: 'unknown', reason: 'NotCompared', message: 'no' })).toEqual([
    'Ready=Unknown NotCompared: no',
    'Drifted=Unknown NotCompared',
    'Progressing=Unknown NotCompared',
    'Degraded=Unknown NotCompared',
    'Undeclared=Unknown NotCompared',
  ]);
});

test('the message gives the reason why an object with drift could not be read', () => {
  const unread = [{ kind: 'NetworkPolicy', namespace: 'a', name: 'open', why: 'Forbidden: no' }];
  expect(describeConditions(compared({ drift: [changed('a')], unread }))[0]).toBe(
    'Ready=False Drifted: 1 difference in ResourceQuota a/tenant-quota, 1 object could not be read (NetworkPolicy a/open: Forbidden: no): who wrote it is not known',
  );
});

test('a refused tenant names the violated rule and omits warnings', () => {
  const error = errorAt(['spec', 'quota'], 'must be less', 'ceiling');
  const odd = { ...errorAt(['spec', 'x'], 'is odd', 'odd'), severity: 'warning' } as const;
  expect(describeConditions({ type: 'refused', findings: [odd, error] })).toEqual([
    expect.stringMatching(/^Ready=False Refused: .*spec\.quota must be less(?!.*odd)/),
    'Drifted=Unknown Refused',
    'Progressing=False Refused',
    'Degraded=True Refused',
    'Undeclared=Unknown Refused',
  ]);
});

test('a taken namespace names its owner, and a cordoned tenant has no other message', () => {
  expect(
    describeConditions({ type: 'taken', taken: [{ namespace: 'a', tenant: 'bolt' }] }),
  ).toEqual([
    "Ready=False NamespaceTaken: namespace a is tenant bolt's",
    'Drifted=Unknown NamespaceTaken',
    'Progressing=False NamespaceTaken',
    'Degraded=True NamespaceTaken',
    'Undeclared=Unknown NamespaceTaken',
  ]);
  expect(describeConditions({ type: 'cordoned' })).toEqual([
    'Ready=Unknown Cordoned: The operator leaves it alone.',
    'Drifted=Unknown Cordoned',
    'Progressing=Unknown Cordoned',
    'Degraded=Unknown Cordoned',
    'Undeclared=Unknown Cordoned',
  ]);
});

test('a namespace that is being deleted reports what it waits for', () => {
  const terminating = [{ name: 'a' }, { name: 'b', waitsFor: 'finalizers example.com/archive' }];
  expect(describeConditions(compared({ terminating }))[3]).toBe(
    'Degraded=True NamespaceTerminating: a, b: being deleted (b waits for finalizers example.com/archive)',
  );
});

test('a tenant that is being deleted reports the remaining finalizer tasks and foreign finalizers', () => {
  const leaving = { type: 'leaving', problems: [], finalizers: [], isLong: false } as const;
  expect(describeConditions(leaving)).toEqual([
    'Ready=False Leaving: being deleted',
    'Drifted=Unknown Leaving',
    'Progressing=True Leaving',
    'Degraded=False Leaving',
    'Undeclared=Unknown Leaving',
  ]);
  const problem = {
    reason: 'HealRefused',
    message: 'RoleBinding pay/edit: Forbidden: no',
  } as const;
  expect(describeConditions({ ...leaving, problems: [problem] })).toEqual([
    'Ready=False Leaving: being deleted; RoleBinding pay/edit: Forbidden: no',
    'Drifted=Unknown Leaving',
    'Progressing=False Leaving',
    'Degraded=True HealRefused: being deleted; RoleBinding pay/edit: Forbidden: no',
    'Undeclared=Unknown Leaving',
  ]);
  const finalizers = ['example.com/archive', 'foregroundDeletion'];
  const message =
    'being deleted, and kept by the finalizers example.com/archive, foregroundDeletion';
  expect(describeConditions({ ...leaving, finalizers })).toEqual([
    `Ready=False FinalizersRemain: ${message}`,
    'Drifted=Unknown FinalizersRemain',
    'Progressing=True FinalizersRemain',
    'Degraded=False FinalizersRemain',
    'Undeclared=Unknown FinalizersRemain',
  ]);
  expect(describeConditions({ ...leaving, finalizers, isLong: true })[3]).toBe(
    `Degraded=True FinalizersRemain: ${message}`,
  );
});

test("the operator's own finalizer that it may not remove is reported with its origin", () => {
  const [ready] = describeConditions({
    type: 'leaving',
    problems: [],
    finalizers: ['tenantry.dev/operator'],
    isLong: false,
  });
  expect(ready).toBe(
    'Ready=False FinalizersRemain: being deleted, and kept by the finalizers tenantry.dev/operator; tenantry.dev/operator remains from a time when the operator healed, and it may no longer remove it',
  );
});
