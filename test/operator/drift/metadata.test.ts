import { expect, test } from '@jest/globals';
import { formatSteps } from '../../../operator/drift/difference.ts';
import { diffMetadata } from '../../../operator/drift/expected.ts';

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
