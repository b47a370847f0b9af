import { expect, test } from '@jest/globals';
import type { Change } from '@tenantry/runtime/controller/predicate';
import { NotificationLog } from './notification-log.ts';

type Step = readonly [type: Change['type'], version: string, old?: string];

const objectAt = (resourceVersion: string, uid: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'a',
    namespace: 'n',
    uid,
    resourceVersion,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
});

function recordSteps(steps: readonly Step[]): NotificationLog {
  const notifications = new NotificationLog();
  let lives = 0;
  for (const [type, version, old] of steps) {
    if (type === 'added') lives += 1;
    const object = objectAt(version, `uid-${lives}`);
    if (type !== 'changed') notifications.take({ type, object });
    else notifications.take({ type, object, old: objectAt(old ?? '', `uid-${lives}`) });
  }
  return notifications;
}

test.each<[string, Step[]]>([
  [
    'a complete life, and another',
    [
      ['added', '9'],
      ['changed', '10', '9'],
      ['deleted', '10'],
      ['added', '12'],
    ],
  ],
  [
    'objects that exist at the start',
    [
      ['changed', '10', '9'],
      ['deleted', '10'],
    ],
  ],
  [
    'what goes first',
    [
      ['deleted', '10'],
      ['added', '11'],
    ],
  ],
])('%s is in order', (_, steps) => {
  const { problems, count, made } = recordSteps(steps);
  expect([problems, count]).toEqual([[], steps.length]);
  const added = steps.filter(([type]) => type === 'added').length;
  expect(made.get('Secret n/a')?.size ?? 0).toBe(added);
});

test.each<[string, Step[]]>([
  [
    'a state twice',
    [
      ['added', '9'],
      ['changed', '9', '9'],
    ],
  ],
  [
    'an existing object, added again',
    [
      ['added', '9'],
      ['added', '10'],
    ],
  ],
  [
    'an older state',
    [
      ['added', '10'],
      ['changed', '9', '10'],
    ],
  ],
  [
    'a change of a deleted object',
    [
      ['deleted', '9'],
      ['changed', '10', '9'],
    ],
  ],
  [
    'a change from a state other than the last',
    [
      ['added', '9'],
      ['changed', '11', '10'],
    ],
  ],
  [
    'one gone twice',
    [
      ['deleted', '9'],
      ['deleted', '9'],
    ],
  ],
  [
    'a deletion from a state other than the last',
    [
      ['added', '9'],
      ['deleted', '10'],
    ],
  ],
  [
    'an old state of a deleted object',
    [
      ['deleted', '9'],
      ['added', '8'],
    ],
  ],
])('%s is a problem', (_, steps) => {
  expect(recordSteps(steps).problems).toHaveLength(1);
});
