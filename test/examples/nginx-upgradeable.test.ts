import { expect, test } from '@jest/globals';
import { isRollingOut, judgementOf, Upgradeable } from '../../examples/nginx/conditions.ts';
import type { Deployment } from '@tenantry/runtime/kinds/apps';
import type { Live } from '@tenantry/runtime/kinds/kind';

type Status = NonNullable<Live<typeof Deployment>['status']>;

/** A Deployment that wants three pods, with the given status. */
const deployment = (status: Status, replicas = 3) =>
  ({ metadata: { name: 'a', generation: 2 }, spec: { replicas }, status }) as unknown as Live<
    typeof Deployment
  >;
const three = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
const condition = (type: string, status: 'True' | 'False', message = '') => ({
  conditions: [{ type, status, message }],
});

test.each<[string, Status, boolean]>([
  ['all pods are new and available', three, false],
  ['nobody has looked at it yet', { ...three, observedGeneration: 1 }, true],
  ['one is old', { ...three, updatedReplicas: 2 }, true],
  ['one is not available', { ...three, availableReplicas: 2 }, true],
  ['an old one is still there', { ...three, replicas: 4 }, true],
  [
    'it has been given up',
    { ...three, availableReplicas: 2, ...condition('Progressing', 'False') },
    false,
  ],
  [
    'no pod can be made',
    { ...three, availableReplicas: 2, ...condition('ReplicaFailure', 'True') },
    false,
  ],
])('%s: whether pods are being replaced (%#)', (_, status, isRolling) => {
  expect(isRollingOut(deployment(status))).toBe(isRolling);
});

test.each<[string, Status, string, string]>([
  ['all are available', three, 'OperatorSucceeded', ''],
  [
    'a rollout misses as many as it may',
    { availableReplicas: 2, ...condition('Available', 'True') },
    'OperatorSucceeded',
    '',
  ],
  [
    'too few are',
    { availableReplicas: 1, ...condition('Available', 'False') },
    'OperandDeploymentNotAvailable',
    '1 of 3 pods are available',
  ],
  ['none has been counted', {}, 'OperandDeploymentNotAvailable', '0 of 3 pods are available'],
  [
    'pods cannot be made',
    { ...three, ...condition('ReplicaFailure', 'True', 'quota') },
    'OperandDeploymentFailed',
    'quota',
  ],
  [
    'the rollout is given up',
    { ...three, ...condition('Progressing', 'False', 'late') },
    'OperandDeploymentFailed',
    'late',
  ],
])('%s: the condition reports it', (_, status, reason, message) => {
  expect(judgementOf(deployment(status))).toEqual({ reason, message });
});

test('zero wanted pods are available with zero pods', () => {
  expect(judgementOf(deployment({}, 0)).reason).toBe('OperatorSucceeded');
});

test('OLM waits for the last rollout, and for no rollout of deleted objects', () => {
  const conditions: string[] = [];
  const upgradeable = new Upgradeable(({ status, message }) => {
    conditions.push(`${status} ${message}`);
  });
  const before = () => ['shop/b', 'shop/a'];
  upgradeable.look('shop/a', true, before);
  upgradeable.look('shop/a', false, () => {
    throw new Error('OLM is queried once');
  });
  upgradeable.gone('shop/other');
  upgradeable.gone('shop/b');
  for (const name of ['e', 'd', 'c', 'b', 'a']) upgradeable.look(name, true, before);
  expect(conditions.slice(0, 3)).toEqual([
    'False pods are being replaced of shop/a, shop/b',
    'False pods are being replaced of shop/b',
    'True ',
  ]);
  expect(conditions.at(-1)).toBe('False pods are being replaced of a, b, c and 2 more');
});
