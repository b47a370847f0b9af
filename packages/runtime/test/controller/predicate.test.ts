import { expect, test } from '@jest/globals';
import {
  and,
  annotationsChanged,
  generationChanged,
  labelsChanged,
  not,
  or,
  resourceVersionChanged,
  type Change,
} from '../../controller/predicate.ts';
import type { Live, ObjectMeta } from '../../kinds/kind.ts';

const first: ObjectMeta = {
  name: 'a',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '',
  generation: 1,
  labels: { app: 'shop' },
  annotations: { note: 'x' },
};
const object = (metadata: Partial<ObjectMeta>): Live => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...first, ...metadata },
});
const changed = (metadata: Partial<ObjectMeta>): Change => ({
  type: 'changed',
  old: object({}),
  object: object(metadata),
});

test('each predicate passes only the change that it is named after', () => {
  const changes = {
    generation: changed({ generation: 2 }),
    version: changed({ resourceVersion: '2' }),
    label: changed({ labels: { app: 'store' } }),
    moreLabels: changed({ labels: { app: 'shop', tier: 'db' } }),
    noLabels: { ...changed({}), object: { ...object({}), metadata: { ...first, labels: {} } } },
    annotation: changed({ annotations: { note: 'y' } }),
    nothing: changed({}),
  };
  const passed = (passes: (change: Change) => boolean) =>
    Object.entries(changes).flatMap(([name, change]) => (passes(change) ? [name] : []));
  expect(passed(generationChanged)).toEqual(['generation']);
  expect(passed(resourceVersionChanged)).toEqual(['version']);
  expect(passed(labelsChanged)).toEqual(['label', 'moreLabels', 'noLabels']);
  expect(passed(annotationsChanged)).toEqual(['annotation']);
  expect(passed(or(generationChanged, annotationsChanged))).toEqual(['generation', 'annotation']);
  expect(passed(and(generationChanged, annotationsChanged))).toEqual([]);
  expect(passed(and())).toHaveLength(7);
  expect(passed(or())).toEqual([]);
  expect(passed(not(or(labelsChanged, generationChanged)))).toEqual([
    'version',
    'annotation',
    'nothing',
  ]);
});

test('every predicate passes creations and deletions, and a kind that does not count generations', () => {
  const all = [generationChanged, resourceVersionChanged, labelsChanged, annotationsChanged];
  for (const type of ['added', 'deleted'] as const) {
    for (const passes of all) expect(passes({ type, object: object({}) })).toBe(true);
  }
  const { generation: _, ...metadata } = first;
  const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  expect(generationChanged({ type: 'changed', old: bare, object: bare })).toBe(true);
});
