import { expect, test } from '@jest/globals';
import type { PathStep } from '../../../operator/drift/difference.ts';
import { findFieldManager, maker } from '../../../operator/drift/managed-fields.ts';
import type { ManagedFields } from '@tenantry/runtime/kinds/kind';

const at = (minute: number): string => `2026-11-22T12:0${minute}:00Z`;

function entry(
  manager: string,
  minute: number,
  fieldsV1: unknown,
  rest: ManagedFields = {},
): ManagedFields {
  return { manager, operation: 'Update', time: at(minute), fieldsV1, ...rest };
}

/** Returns the map keys of an entry, as the API server writes them. */
const hard = (...keys: string[]) => ({
  'f:spec': { 'f:hard': { '.': {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) } },
});
const pods: readonly PathStep[] = ['spec', 'hard', 'pods'];
const alice: readonly PathStep[] = ['subjects', { by: { kind: 'User', name: 'alice' } }];

test('a field belongs to its manager, with operation and time', () => {
  const managed = [
    entry('argocd-controller', 1, hard('cpu'), { operation: 'Apply' }),
    entry('kubectl-edit', 2, hard('pods')),
  ];
  expect(findFieldManager(managed, pods)).toEqual({
    manager: 'kubectl-edit',
    operation: 'Update',
    time: at(2),
  });
  expect(findFieldManager(managed, ['spec', 'hard', 'cpu'])).toEqual({
    manager: 'argocd-controller',
    operation: 'Apply',
    time: at(1),
  });
});

test('of several managers of one value the last writer owns it, in any order of the entries', () => {
  const managed = [
    entry('a', 1, hard('pods')),
    entry('c', 3, hard('pods')),
    entry('b', 2, hard('pods')),
  ];
  expect(findFieldManager(managed, pods)?.manager).toBe('c');
  expect(findFieldManager(managed.toReversed(), pods)?.manager).toBe('c');
});

test('the manager of a field takes precedence over the manager of its parent', () => {
  const managed = [
    entry('field', 1, hard('pods')),
    entry('holder', 2, { 'f:spec': { 'f:hard': {} } }),
  ];
  expect(findFieldManager(managed, pods)?.manager).toBe('field');
  expect(findFieldManager([managed[1]!], pods)?.manager).toBe('holder');
});

test('a writer of the status has changed nothing that was declared', () => {
  const managed = [entry('quota', 2, hard('pods'), { subresource: 'status' })];
  expect(findFieldManager(managed, pods)).toBeUndefined();
  expect(maker({ managedFields: managed })).toBeUndefined();
  expect(findFieldManager([{ ...managed[0], subresource: '' }], pods)?.manager).toBe('quota');
});

test('the content of a list without keys belongs to the writer of the list, including removals', () => {
  const managed = [entry('kubectl-edit', 1, { 'f:subjects': {}, 'f:roleRef': {} })];
  expect(findFieldManager(managed, alice)?.manager).toBe('kubectl-edit');
  expect(findFieldManager(managed, alice, { isThere: false })?.manager).toBe('kubectl-edit');
  expect(findFieldManager(managed, ['rules', 0, 'verbs', 1], { isThere: false })).toBeUndefined();
});

test('the API server does not record who removed a key', () => {
  const managed = [entry('a', 1, hard('cpu')), entry('b', 2, { 'f:spec': { 'f:hard': {} } })];
  expect(findFieldManager([managed[0]!], pods, { isThere: false })).toBeUndefined();
  expect(findFieldManager(managed, pods, { isThere: false })).toBeUndefined();
  expect(findFieldManager(managed, ['spec', 'hard'], { isThere: false })).toBeUndefined();
});

test('a list entry with keys belongs to the manager of all its keys', () => {
  const key = (is: object) => ({ 'f:imagePullSecrets': { [`k:${JSON.stringify(is)}`]: {} } });
  const [one, other] = [
    entry('a', 1, key({ name: 'pull' })),
    entry('b', 2, key({ name: 'other' })),
  ];
  const path: readonly PathStep[] = ['imagePullSecrets', { by: { name: 'pull' } }];
  expect(findFieldManager([one, other], path)?.manager).toBe('a');
  expect(findFieldManager([entry('a', 1, key({ name: 'pull', port: 80 }))], path)).toBeUndefined();
  expect(findFieldManager([entry('a', 1, key({}))], path)).toBeUndefined();
});

test('labels are found by their full key', () => {
  const managed = [entry('a', 1, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a.b/c': {} } } })];
  expect(findFieldManager(managed, ['metadata', 'labels', 'a.b/c'])?.manager).toBe('a');
  expect(findFieldManager(managed, ['metadata', 'labels', 'a'])).toBeUndefined();
});

test.each([
  ['nothing', undefined],
  ['no entry', []],
  ['an entry without fields', [{ manager: 'a', operation: 'Update' }]],
  ['fields that are a text', [entry('a', 1, 'f:spec')]],
  ['fields that are empty', [entry('a', 1, {})]],
  ['keys that are no JSON', [entry('a', 1, { 'f:subjects': { 'k:{': {} } })]],
  ['keys that are no mapping', [entry('a', 1, { 'f:subjects': { 'k:null': {} } })]],
  [
    'a path that ends too early in a list of values',
    [entry('a', 1, { 'f:subjects': { 'v:"x"': {} } })],
  ],
  ['nobody’s name', [{ operation: 'Update', fieldsV1: { 'f:subjects': {} } }]],
  ['no operation', [{ manager: 'a', fieldsV1: { 'f:subjects': {} } }]],
] as readonly [string, readonly ManagedFields[] | undefined][])(
  'managedFields with %s name no owner',
  (_, managed) => {
    expect(findFieldManager(managed, alice)).toBeUndefined();
  },
);

test('an entry without a time still names its manager', () => {
  const managed: ManagedFields[] = [{ manager: 'a', operation: 'Apply', fieldsV1: hard('pods') }];
  expect(findFieldManager(managed, pods)).toEqual({ manager: 'a', operation: 'Apply' });
});

test('an object is attributed to its writer at the creation time, whatever the order of the entries', () => {
  const managedFields = [
    entry('late', 3, hard('a')),
    entry('early', 1, hard('b')),
    entry('made', 2, hard('c')),
  ];
  expect(maker({ managedFields, creationTimestamp: at(2) })?.manager).toBe('made');
  expect(maker({ managedFields, creationTimestamp: at(0) })?.manager).toBe('early');
  expect(maker({ managedFields })?.manager).toBe('early');
  expect(maker({ creationTimestamp: at(0) })).toBeUndefined();
});
