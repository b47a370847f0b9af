import { expect, test } from '@jest/globals';
import { describeDeletionBlockers } from '../../../operator/cluster/kinds.ts';
import type { Namespace } from '../../../runtime/kinds/core.ts';
import type { Live } from '../../../runtime/kinds/kind.ts';

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
