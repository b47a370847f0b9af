import { expect, test } from '@jest/globals';
import { validate } from '@tenantry/crd/schema/validate';
import type { DisruptionBudget } from '../../crds/workload.ts';
import { tenant } from '../../crds/tenant.ts';
import { namesOf, ofKind, collectFindings, type Given } from './given.ts';

const selector = { matchLabels: { app: 'a' } };
const budget = (item: Partial<DisruptionBudget>): Given => ({
  tenant: { disruptionBudgets: [{ name: 'a', selector, ...item }] },
});
const messages = (item: object) =>
  validate(tenant.spec, { disruptionBudgets: [{ name: 'a', selector, ...item }] }).map(
    ({ message }) => message,
  );

test('there is no disruption budget by default', () => {
  expect(ofKind({}, 'PodDisruptionBudget')).toEqual([]);
});

test('a disruption budget is rendered as declared', () => {
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

test('a budget with minAvailable from one layer and maxUnavailable from another is refused, as Kubernetes accepts one', () => {
  const klass = { defaults: { disruptionBudgets: [{ name: 'a', selector, maxUnavailable: 1 }] } };
  expect(collectFindings({ klass, ...budget({ maxUnavailable: 2 }) })).toEqual([]);
  expect(collectFindings({ klass, ...budget({ minAvailable: 1 }) })).toEqual([
    "spec.disruptionBudgets must have either minAvailable or maxUnavailable, got both in 'a': one comes from an earlier layer",
  ]);
});

test.each<[DisruptionBudget['selector'], string]>([
  [
    { matchExpressions: [{ key: 'app', operator: 'In' }] },
    "must have values for In of 'app', got none",
  ],
  [
    { matchExpressions: [{ key: 'app', operator: 'NotIn', values: [] }] },
    "must have values for NotIn of 'app', got none",
  ],
  [
    { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['a', 'b'] }] },
    "must have no values for Exists of 'app', got a, b",
  ],
  [
    { matchExpressions: [{ key: 'app', operator: 'DoesNotExist', values: ['a'] }] },
    "must have no values for DoesNotExist of 'app', got a",
  ],
  [
    { matchExpressions: [{ key: 'a b', operator: 'Exists' }] },
    "must select by a label key such as 'example.com/name', got 'a b'",
  ],
  [
    { matchLabels: { app: 'a', 'a b': 'c' } },
    "must select by a label key such as 'example.com/name', got 'a b'",
  ],
])('a selector that Kubernetes refuses is refused: %j', (selector, message) => {
  expect(collectFindings(budget({ minAvailable: 1, selector }))).toEqual([
    `spec.disruptionBudgets ${message} in 'a'`,
  ]);
});

test('a selector of labels and of every operator is accepted', () => {
  const matchExpressions = [
    { key: 'app', operator: 'In' as const, values: ['a'] },
    { key: 'app', operator: 'NotIn' as const, values: ['b'] },
    { key: 'app', operator: 'Exists' as const },
    { key: 'example.com/x', operator: 'DoesNotExist' as const },
  ];
  const all = { matchLabels: { 'example.com/app': 'a' }, matchExpressions };
  expect(collectFindings(budget({ minAvailable: 1, selector: all }))).toEqual([]);
});

/** Returns the findings of a budget where the quota bounds the pods. */
const among = (hard: object, minAvailable: number | string) =>
  collectFindings({
    tenant: { ...budget({ minAvailable }).tenant, quota: { preset: 'none', hard: { ...hard } } },
  });

test.each<[object, number | string, number]>([
  [{ pods: 10 }, 10, 10],
  [{ pods: 10 }, 11, 10],
  [{ pods: 10 }, '91%', 10],
  [{ pods: '1k' }, '99%', 0],
  [{ 'count/pods': 10 }, 10, 10],
  [{ pods: 20, 'count/pods': 10 }, 10, 10],
  [{ pods: 10, 'count/pods': 20 }, 10, 10],
  [{ pods: 1 }, '1%', 1],
  [{ pods: 10 }, 9, 0],
  [{ pods: 10 }, '90%', 0],
  [{ 'count/pods': 10 }, 9, 0],
  [{ pods: 0 }, 1, 0],
  [{}, 149_999, 0],
  [{}, 150_000, 150_000],
  [{ pods: '1M' }, 150_000, 150_000],
])(
  'where the quota is %j, a budget that keeps %s is refused for keeping all of %s pods',
  (hard, keep, pods) => {
    expect(among(hard, keep)).toEqual(
      pods === 0
        ? []
        : [
            `spec.disruptionBudgets must let a pod be evicted, or no node can be drained, got minAvailable ${typeof keep === 'number' ? keep : `'${keep}'`} in 'a', where there are at most ${pods} pods`,
          ],
    );
  },
);

test('a budget with maxUnavailable keeps no number of pods', () => {
  expect(
    collectFindings({
      tenant: { ...budget({ maxUnavailable: 1 }).tenant, quota: { hard: { pods: 1 } } },
    }),
  ).toEqual([]);
});

test('service accounts get the pull secrets of the tenant in addition to their own, without duplicates', () => {
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

test('no service account is rendered by default', () => {
  expect(namesOf(ofKind({ tenant: { imagePullSecrets: ['a'] } }, 'ServiceAccount'))).toEqual([]);
});

test('pull secrets that no service account gets cause a warning', () => {
  expect(collectFindings({ tenant: { imagePullSecrets: ['registry'] } })).toEqual([
    "warning spec.imagePullSecrets must have a service account to go to, got none in namespace acme: declare 'default' in serviceAccounts",
  ]);
  const accounts = { imagePullSecrets: ['registry'], serviceAccounts: [{ name: 'default' }] };
  expect(collectFindings({ tenant: accounts })).toEqual([]);
  expect(collectFindings({ tenant: { serviceAccounts: [{ name: 'default' }] } })).toEqual([]);
});

test('labels and annotations of a service account are free, except those that tools reading Git interpret', () => {
  const account = (annotations: Record<string, string>) =>
    collectFindings({ tenant: { serviceAccounts: [{ name: 'a', annotations }] } });
  expect(account({ 'eks.amazonaws.com/role-arn': 'x' })).toEqual([]);
  expect(account({ 'argocd.argoproj.io/hook': 'x' })).toEqual([
    "spec.serviceAccounts must not be set: the key 'argocd.argoproj.io/hook' is reserved for Argo CD",
  ]);
});
