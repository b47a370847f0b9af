import { expect, test } from '@jest/globals';
import { formatSteps } from '../../../operator/drift/difference.ts';
import { diffMetadata, declaredDigest } from '../../../operator/drift/expected.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { objectOf } from '../stored/objects.ts';

type Words = Readonly<Record<string, string>>;

const describeDiff = (
  field: 'labels' | 'annotations',
  desired: Words | undefined,
  live: Words | undefined,
) =>
  diffMetadata({ ...(desired && { [field]: desired }) }, { ...(live && { [field]: live }) }).map(
    (one) => `${formatSteps(one.path)} ${one.desired ?? '-'} -> ${one.live ?? '-'}`,
  );

test('declared metadata must exist with its value', () => {
  expect(describeDiff('labels', { team: 'a', 'example.com/tier': 'x' }, { team: 'b' })).toEqual([
    'metadata.labels.team a -> b',
    'metadata.labels["example.com/tier"] x -> -',
  ]);
  expect(describeDiff('annotations', { description: 'a' }, undefined)).toEqual([
    'metadata.annotations.description a -> -',
  ]);
  expect(describeDiff('annotations', { description: '' }, { description: '' })).toEqual([]);
});

test.each([
  ['labels', 'app.kubernetes.io/instance'],
  ['labels', 'kubernetes.io/metadata.name'],
  ['labels', 'tenantry.dev/adopt-by'],
  ['annotations', 'kubectl.kubernetes.io/last-applied-configuration'],
  ['annotations', 'argocd.argoproj.io/tracking-id'],
] as const)('%s of other writers are left alone: %s', (field, key) => {
  expect(describeDiff(field, {}, { [key]: 'x' })).toEqual([]);
});

test.each([
  ['labels', 'pod-security.kubernetes.io/enforce'],
  ['labels', 'pod-security.kubernetes.io/enforce-version'],
  ['labels', 'policy.tenantry.dev/pods'],
  ['labels', 'tenantry.dev/tenant'],
  ['labels', 'tenantry.dev/environment'],
  ['annotations', 'policy.tenantry.dev/subjects'],
  ['annotations', 'scheduler.alpha.kubernetes.io/node-selector'],
] as const)('undeclared deciding %s are drift: %s', (field, key) => {
  expect(describeDiff(field, undefined, { [key]: 'x' })).toEqual([
    `metadata.${field}["${key}"] - -> x`,
  ]);
  expect(describeDiff(field, { [key]: 'x' }, { [key]: 'x' })).toEqual([]);
});

test.each([
  ['pod-security.kubernetes.io/audit', 'restricted'],
  ['pod-security.kubernetes.io/warn', 'restricted'],
  ['pod-security.kubernetes.io/audit-version', 'v1.24'],
  ['pod-security.kubernetes.io/warn-version', 'latest'],
  ['pod-security.kubernetes.io/enforce-version', 'latest'],
])('an added label that no policy evaluates is no drift: %s', (key, value) => {
  expect(describeDiff('labels', {}, { [key]: value })).toEqual([]);
  expect(describeDiff('annotations', {}, { [key]: value })).toEqual([]);
  expect(describeDiff('labels', { [key]: 'other' }, { [key]: value })).toHaveLength(1);
  expect(describeDiff('labels', { [key]: value }, {})).toHaveLength(1);
});

test('a key named like a property of every JavaScript object is an ordinary key', () => {
  expect(describeDiff('labels', { constructor: 'a' }, {})).toEqual([
    'metadata.labels.constructor a -> -',
  ]);
  expect(describeDiff('labels', {}, { constructor: 'a' })).toEqual([]);
});

const quota = (pods: string): KubeObject =>
  objectOf('ResourceQuota', { spec: { hard: { 'requests.cpu': pods } } });
const map = (data: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop' },
  data,
});
const labelled = (label: string): KubeObject => {
  const one = quota('1');
  return { ...one, metadata: { ...one.metadata, labels: { team: label } } };
};

test('equivalent declarations have one digest, in any order and spelling', () => {
  expect(declaredDigest([quota('0.5'), map({ a: 1, b: 2 })])).toBe(
    declaredDigest([map({ b: 2, a: 1 }), quota('500m')]),
  );
});

test('each change of a declaration changes the digest', () => {
  const all = [
    [],
    [quota('1')],
    [quota('2')],
    [quota('1'), map({ a: 1 })],
    [quota('1'), map({ a: 2 })],
    [labelled('blue')],
    [labelled('red')],
  ];
  expect(new Set(all.map(declaredDigest)).size).toBe(all.length);
});
