import { expect, test } from '@jest/globals';
import { evaluateRollout, explainUnreadyPod } from '../../install/await/rollout.ts';
import type { Deployment } from '@tenantry/runtime/kinds/apps';
import type { Pod } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';

const metadata = {
  name: 'shops',
  namespace: 'shops',
  uid: '1',
  resourceVersion: '1',
  generation: 2,
  creationTimestamp: '',
};

function deployment(replicas: number, status: object): Live<typeof Deployment> {
  const spec = { replicas, selector: {}, template: {} };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec, status } as never;
}

function pod(status: object, more: object = {}): Live<typeof Pod> {
  const named = { ...metadata, name: 'shops-1', ...more };
  return { apiVersion: 'v1', kind: 'Pod', metadata: named, spec: {}, status } as never;
}

const all = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

test('a Deployment is done when all replicas are updated and available, and not before', () => {
  const isDone = (replicas: number, status: object): boolean =>
    'done' in evaluateRollout(deployment(replicas, status), []);
  expect(isDone(2, all)).toBe(true);
  expect(isDone(0, { observedGeneration: 2 })).toBe(true);
  expect(isDone(2, { ...all, observedGeneration: 1 })).toBe(false);
  expect(isDone(2, { ...all, updatedReplicas: 1 })).toBe(false);
  expect(isDone(2, { ...all, replicas: 3 })).toBe(false);
  expect(isDone(2, { ...all, availableReplicas: 1 })).toBe(false);
  expect(isDone(2, {})).toBe(false);
});

test('waiting is hopeless when the progress deadline of the current generation has passed', () => {
  const late = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
  const few = { ...all, availableReplicas: 0, conditions: late };
  expect(evaluateRollout(deployment(2, few), [])).toMatchObject({ isHopeless: true });
  const before = { ...few, observedGeneration: 1 };
  expect(evaluateRollout(deployment(2, before), [])).toMatchObject({ isHopeless: false });
});

test('the reason for refused pods is reported', () => {
  const conditions = [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota' }];
  expect(evaluateRollout(deployment(2, { observedGeneration: 2, conditions }), [])).toMatchObject({
    waiting: ['0 of 2 available', 'no pod can be made: exceeded quota'],
  });
  const passed = [
    { type: 'ReplicaFailure', status: 'False', message: 'exceeded quota' },
    { type: 'Progressing', status: 'True', message: 'it goes on' },
  ];
  const given = { observedGeneration: 2, conditions: passed };
  expect(evaluateRollout(deployment(2, given), [])).toMatchObject({
    waiting: ['0 of 2 available'],
  });
});

test('remaining old pods and a passed deadline are reported', () => {
  const late = [
    {
      type: 'Progressing',
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'timed out',
    },
  ];
  expect(evaluateRollout(deployment(2, { ...all, replicas: 3 }), [])).toMatchObject({
    waiting: ['2 of 2 available, 1 old terminating'],
  });
  const { waiting } = evaluateRollout(
    deployment(2, { ...all, availableReplicas: 1, conditions: late }),
    [],
  ) as {
    waiting: readonly string[];
  };
  expect(waiting.at(-1)).toBe('timed out');
});

const container = (state: object, more: object = {}) => ({
  containerStatuses: [{ name: 'main', ready: false, restartCount: 3, state, ...more }],
});

test.each<[string, object, readonly string[]]>([
  [
    'no node has room',
    {
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' },
      ],
    },
    ['pod shops-1 has no node: Unschedulable: 0/1 nodes'],
  ],
  [
    'its image does not exist',
    container({ waiting: { reason: 'ImagePullBackOff', message: 'no such\n image' } }),
    ['pod shops-1 container main: ImagePullBackOff: no such image'],
  ],
  [
    'it crashes repeatedly',
    container(
      { waiting: { reason: 'CrashLoopBackOff' } },
      { lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
    ),
    ['pod shops-1 container main: CrashLoopBackOff (before that it ended with 137: OOMKilled)'],
  ],
  [
    'it runs and is not ready',
    container({ running: {} }),
    ['pod shops-1 container main runs, and is not ready; restarted 3 times'],
  ],
  [
    'it has just started',
    { phase: 'Pending', ...container({ waiting: { reason: 'ContainerCreating' } }) },
    ['pod shops-1 is not ready: Pending'],
  ],
  [
    'it was evicted',
    { phase: 'Failed', reason: 'Evicted', message: 'disk' },
    ['pod shops-1 failed: Evicted: disk'],
  ],
  ['all is well', { conditions: [{ type: 'Ready', status: 'True' }] }, []],
  ['it has completed', { phase: 'Succeeded' }, []],
  [
    'another condition is false',
    { phase: 'Running', conditions: [{ type: 'Initialized', status: 'True' }] },
    ['pod shops-1 is not ready: Running'],
  ],
  [
    'its program has exited',
    container({ terminated: { exitCode: 3, reason: 'Error' } }),
    ['pod shops-1 container main ended with 3: Error'],
  ],
  [
    'it waits for an init container',
    { phase: 'Pending', ...container({ waiting: { reason: 'PodInitializing' } }) },
    ['pod shops-1 is not ready: Pending'],
  ],
  [
    'the message of a registry is too long for a line',
    container({ waiting: { reason: 'ErrImagePull', message: 'x'.repeat(301) } }),
    [expect.stringMatching(/^.{0,400}$/) as unknown as string],
  ],
])('pod status: %s', (_, status, reasons) => {
  expect(explainUnreadyPod(pod(status))).toEqual(reasons);
});

test('a terminating pod is not reported', () => {
  expect(explainUnreadyPod(pod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toEqual([]);
});
