import { expect, test } from '@jest/globals';
import { validate } from '../../schema/validate.ts';
import type { DisruptionBudget } from '../../crds/tenantry/workload.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import { namesOf, ofKind, told, type Given } from './given.ts';

const selector = { matchLabels: { app: 'a' } };
const budget = (item: Partial<DisruptionBudget>): Given => ({
  tenant: { disruptionBudgets: [{ name: 'a', selector, ...item }] },
});
const messages = (item: object) =>
  validate(tenant.spec, { disruptionBudgets: [{ name: 'a', selector, ...item }] }).map(
    ({ message }) => message,
  );

test('there is no disruption budget that nobody asked for', () => {
  expect(ofKind({}, 'PodDisruptionBudget')).toEqual([]);
});

test('a disruption budget holds what is declared', () => {
  const item = { minAvailable: '50%', unhealthyPodEvictionPolicy: 'AlwaysAllow' as const };
  expect(ofKind(budget(item), 'PodDisruptionBudget')[0]).toMatchObject({
    apiVersion: 'policy/v1',
    metadata: { name: 'a', namespace: 'acme' },
    spec: { selector, ...item },
  });
});

test.each<[object, string[]]>([
  [{ minAvailable: 1 }, []],
  [{ maxUnavailable: '100%' }, []],
  [{}, ['must have either minAvailable or maxUnavailable']],
  [{ minAvailable: 1, maxUnavailable: 1 }, ['must have either minAvailable or maxUnavailable']],
  [{ maxUnavailable: 0 }, ['must let at least one pod be evicted, or no node can ever be drained']],
  [
    { maxUnavailable: '0%' },
    ['must let at least one pod be evicted, or no node can ever be drained'],
  ],
  [
    { minAvailable: '100%' },
    ['must let at least one pod be evicted, or no node can ever be drained'],
  ],
  [{ maxUnavailable: '00%' }, ["must be a whole number or a percentage such as '50%', got '00%'"]],
  [{ minAvailable: '101%' }, ["must be a whole number or a percentage such as '50%', got '101%'"]],
  [{ minAvailable: -1 }, ["must be a whole number or a percentage such as '50%', got -1"]],
  [
    { minAvailable: 1, selector: {} },
    ['must select some pods by label: an empty selector is for all of them'],
  ],
  [
    { minAvailable: 1, selector: { matchLabels: {} } },
    ['must select some pods by label: an empty selector is for all of them'],
  ],
])('a disruption budget with %j', (item, expected) => {
  expect(messages(item)).toEqual(expected);
});

test('a budget that two layers say two things of is refused, for Kubernetes takes one', () => {
  const klass = { defaults: { disruptionBudgets: [{ name: 'a', selector, maxUnavailable: 1 }] } };
  expect(told({ klass, ...budget({ maxUnavailable: 2 }) })).toEqual([]);
  expect(told({ klass, ...budget({ minAvailable: 1 }) })).toEqual([
    "spec.disruptionBudgets must have either minAvailable or maxUnavailable, got both in 'a': one is said by an earlier layer",
  ]);
});

test('a selector that Kubernetes refuses is refused', () => {
  const matchExpressions = [{ key: 'app', operator: 'In' as const }];
  expect(told(budget({ minAvailable: 1, selector: { matchExpressions } }))).toEqual([
    "spec.disruptionBudgets must have values for In of 'app', got none in 'a'",
  ]);
});

test('service accounts get the pull secrets of the tenant besides their own, once each', () => {
  const world: Given = {
    klass: { defaults: { imagePullSecrets: ['registry'] } },
    tenant: {
      imagePullSecrets: ['team'],
      serviceAccounts: [
        { name: 'default', imagePullSecrets: ['own', 'team'], automountServiceAccountToken: false },
        { name: 'ci', labels: { a: 'b' }, annotations: { role: 'x' } },
      ],
    },
  };
  const [own, ci] = ofKind(world, 'ServiceAccount');
  expect(own).toMatchObject({
    metadata: { name: 'default', namespace: 'acme' },
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: 'registry' }, { name: 'team' }, { name: 'own' }],
  });
  expect(ci!.metadata).toMatchObject({ labels: { a: 'b' }, annotations: { role: 'x' } });
});

test('no service account is made that nobody asked for', () => {
  expect(namesOf(ofKind({ tenant: { imagePullSecrets: ['a'] } }, 'ServiceAccount'))).toEqual([]);
});

test('pull secrets that no service account gets are noticed', () => {
  expect(told({ tenant: { imagePullSecrets: ['registry'] } })).toEqual([
    expect.stringContaining('must have a service account to go to, got none in namespace acme'),
  ]);
  const accounts = { imagePullSecrets: ['registry'], serviceAccounts: [{ name: 'default' }] };
  expect(told({ tenant: accounts })).toEqual([]);
});
