import { expect, test } from '@jest/globals';
import {
  describeDeletionBlockers,
  keepMetadata,
  MAX_KEPT_METADATA,
  namespaces,
  observedKinds,
  quotas,
  roleBindings,
  type Kept,
} from '../../../operator/cluster/kinds.ts';
import type { Namespace } from '@tenantry/runtime/kinds/core';
import { apiVersionOf, type Live, type Kind } from '@tenantry/runtime/kinds/kind';
import type { KubeObject } from '@tenantry/kube/object';
import { expected, isAsExpected } from '../../../operator/drift/expected.ts';

const condition = (type: string, message: string, status = 'True') => ({ type, status, message });

const namespace = (
  conditions: ReturnType<typeof condition>[],
  metadata: Partial<Live['metadata']> = { deletionTimestamp: '2026-01-02T00:00:00Z' },
): Live<typeof Namespace> => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name: 'pay',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...metadata,
  },
  status: { phase: 'Terminating', conditions },
});

test('a namespace that is being deleted reports the blockers in its conditions', () => {
  const remaining = 'example.com/keep in 1 resource instances';
  const conditions = [
    condition('NamespaceDeletionDiscoveryFailure', 'All resources discovered', 'False'),
    condition('NamespaceFinalizersRemaining', `Some content has finalizers: ${remaining}`),
    condition('NamespaceDeletionContentFailure', 'unable to delete\n  apples'),
    condition('Popular', 'everybody knows it'),
  ];
  expect(describeDeletionBlockers(namespace(conditions))).toBe(
    `NamespaceFinalizersRemaining: Some content has finalizers: ${remaining}; NamespaceDeletionContentFailure: unable to delete apples`,
  );
});

test('its own finalizers are reported as well, and nothing for a namespace that is not being deleted', () => {
  const deletionTimestamp = '2026-01-02T00:00:00Z';
  const finalizers = ['example.com/archive'];
  const going = namespace([], { deletionTimestamp, finalizers });
  expect(describeDeletionBlockers(going)).toBe('finalizers example.com/archive');
  expect(describeDeletionBlockers(namespace([]))).toBeUndefined();
  expect(
    describeDeletionBlockers(
      namespace([condition('NamespaceContentRemaining', 'pods')], { finalizers }),
    ),
  ).toBeUndefined();
});

test('long descriptions are cut', () => {
  const long = describeDeletionBlockers(
    namespace([condition('NamespaceContentRemaining', 'x'.repeat(9000))]),
  );
  expect(long).toHaveLength(400);
});

type Words = Readonly<Record<string, string>>;

const live = (kind: Kind, words: { labels?: Words; annotations?: Words }, more = {}): Live =>
  ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: 'x',
      namespace: 'acme',
      uid: 'u',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...words,
    },
    ...more,
  }) as Live;

const sizeOf = (value: unknown): number => JSON.stringify(value).length;
const many = (count: number, length: number): Words =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`example.com/k${at}`, 'v'.repeat(length)]),
  );

const large: readonly [string, { labels?: Words; annotations?: Words }, object?][] = [
  ['one long annotation', { annotations: many(1, 250_000) }],
  ['many annotations', { annotations: many(8000, 20) }],
  ['many labels', { labels: many(8000, 60) }],
  ['long names', { annotations: { [`example.com/${'n'.repeat(250_000)}`]: 'v' } }],
];

test.each(large)(
  'of an object with %s a few KiB are kept, for each namespaced kind',
  (_, words) => {
    const inside = observedKinds.filter(({ scope }) => scope === 'Namespaced');
    expect(inside).toHaveLength(7);
    for (const kind of inside) {
      const kept = kind.project(live(kind, words));
      expect([kind.kind, sizeOf(kept) < MAX_KEPT_METADATA + 2500]).toEqual([kind.kind, true]);
    }
  },
);

test('of a binding with thousands of subjects, owners and finalizers a few KiB are kept', () => {
  const subjects = Array.from({ length: 5000 }, (_, at) => ({ kind: 'User', name: `user-${at}` }));
  const binding = live(roleBindings, {}, { subjects });
  const finalizers = Array.from({ length: 5000 }, (_, at) => `example.com/f${at}`);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' };
  const ownerReferences = Array.from({ length: 5000 }, () => owner);
  const metadata = { ...binding.metadata, finalizers, ownerReferences };
  expect(sizeOf(roleBindings.project({ ...binding, metadata }))).toBeLessThan(2500);
});

test('of a quota with thousands of resources some are kept', () => {
  const amounts = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [`count/k${at}.example.com`, '1']),
  );
  const quota = live(quotas, {}, { status: { hard: amounts, used: amounts } });
  expect(sizeOf(quotas.project(quota))).toBeLessThan(30_000);
});

test('deciding keys are kept before other keys', () => {
  const deciding = {
    'tenantry.dev/tenant': 'acme',
    'app.kubernetes.io/instance': 'eu.acme',
    'kustomize.toolkit.fluxcd.io/name': 'tenants',
  };
  const annotations = {
    ...many(8000, 20),
    'argocd.argoproj.io/tracking-id': 'eu.acme:/RoleBinding',
    'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x',
  };
  const kept = keepMetadata(live(roleBindings, { labels: { ...many(8000, 60), ...deciding } }));
  expect(kept.labels).toMatchObject(deciding);
  expect(keepMetadata(live(roleBindings, { annotations })).annotations).toMatchObject({
    'argocd.argoproj.io/tracking-id': 'eu.acme:/RoleBinding',
    'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x',
  });
});

test("a small object is kept whole, and so is a Namespace, which tenants' users cannot write", () => {
  const words = { labels: { a: 'b' }, annotations: { c: 'd' } };
  expect(keepMetadata(live(roleBindings, words))).toEqual(live(roleBindings, words).metadata);
  const annotations = many(1, 100_000);
  const space = namespaces.project(live(namespaces, { annotations }));
  expect(space.metadata.annotations).toEqual(annotations);
});

test.each([namespaces, roleBindings])('a long declared annotation is compared: $kind', (kind) => {
  const text = 'x'.repeat(3000);
  const object = live(kind, { annotations: { note: text } }) as KubeObject;
  const keptOf = (note: string) =>
    kind.project(live(kind, { annotations: { note } })) as Live & Kept as never;
  expect(isAsExpected(expected(object), keptOf(text))).toBe(true);
  expect(isAsExpected(expected(object), keptOf(`${text}y`))).toBe(false);
});

test('an object with omitted metadata is read in full before it counts as declared', () => {
  const object = live(roleBindings, { annotations: { zone: 'a' } }) as KubeObject;
  const filled = { annotations: { ...many(8000, 20), zone: 'a' } };
  const kept = roleBindings.project(live(roleBindings, filled)) as Live & Kept as never;
  expect(isAsExpected(expected(object), kept)).toBe(false);
});
