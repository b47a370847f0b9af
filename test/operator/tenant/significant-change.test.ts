import { expect, test } from '@jest/globals';
import { isSignificantChange } from '../../../operator/tenant/tenant-controller.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

type Fields = Readonly<Record<string, unknown>>;

const live = (fields: Fields = {}, metadata: Fields = {}): Live & Fields => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: {
    name: 'q',
    namespace: 'a',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...metadata,
  },
  digest: 'd',
  phase: 'Active',
  hard: { pods: '10' },
  used: { pods: '1' },
  ...fields,
});

const isSignificant = (fields: Fields, metadata: Fields = {}): boolean =>
  isSignificantChange({ type: 'changed', old: live(), object: live(fields, metadata) });

test('a change of content, of ownership or of the phase is significant', () => {
  expect([
    isSignificant({ digest: 'e' }),
    isSignificant({ phase: 'Terminating' }),
    isSignificant({ waitsFor: 'finalizers example.com/archive' }),
    isSignificant({}, { labels: { a: 'b' } }),
    isSignificant({}, { annotations: { a: 'b' } }),
    isSignificant({}, { deletionTimestamp: '2026-01-02T00:00:00Z' }),
    isSignificant({}, { uid: 'v' }),
  ]).toEqual([true, true, true, true, true, true, true]);
});

test('a new or deleted object is a significant change', () => {
  expect(isSignificantChange({ type: 'added', object: live() })).toBe(true);
  expect(isSignificantChange({ type: 'deleted', object: live() })).toBe(true);
});

test('a write without a change of content is not significant, and neither is a starting pod below the quota', () => {
  expect(isSignificant({}, { resourceVersion: '2', generation: 3, managedFields: [] })).toBe(false);
  expect(isSignificant({ used: { pods: '7' } })).toBe(false);
  expect([isSignificant({ used: { pods: '8' } }), isSignificant({ used: { pods: '9' } })]).toEqual([
    true,
    true,
  ]);
});
