import { expect, test } from '@jest/globals';
import { findObjectDrift, buildUndeclaredEntry } from '../../../operator/drift/object-drift.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { KubeObject } from '@tenantry/kube/object';
import { objectOf } from '../stored/objects.ts';

const live = (object: KubeObject, metadata: Partial<Live['metadata']> = {}): Live => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-11-22T12:00:00Z',
    ...metadata,
  },
});
const binding = (...names: string[]) =>
  objectOf('RoleBinding', {
    roleRef: { kind: 'Role', name: 'a' },
    subjects: names.map((name) => ({ kind: 'User', name })),
  });
const managedFields = [
  {
    manager: 'kubectl-edit',
    operation: 'Update',
    time: '2026-11-22T12:01:00Z',
    fieldsV1: { 'f:subjects': {} },
  },
] as const;

test('a difference has the object, the field, both values and the field manager', () => {
  const object = binding('alice');
  expect(findObjectDrift(object, live(binding('alice', 'mallory'), { managedFields }))).toEqual([
    {
      type: 'Extra',
      kind: 'RoleBinding',
      group: 'rbac.authorization.k8s.io',
      namespace: 'shop',
      name: 'one',
      field: 'subjects[kind=User,name=mallory]',
      live: '{"kind":"User","name":"mallory","apiGroup":"rbac.authorization.k8s.io"}',
      manager: 'kubectl-edit',
      operation: 'Update',
      changed: '2026-11-22T12:01:00Z',
    },
  ]);
});

test('the author of a removal from a list is reported, and that of a removed map key is unknown', () => {
  const [gone] = findObjectDrift(
    binding('alice', 'bob'),
    live(binding('alice'), { managedFields }),
  );
  expect(gone).toMatchObject({ type: 'Missing', manager: 'kubectl-edit' });
  const quota = objectOf('ResourceQuota', { spec: { hard: { pods: '1', cpu: '1' } } });
  const less = objectOf('ResourceQuota', { spec: { hard: { pods: '1' } } });
  const fieldsV1 = { 'f:spec': { 'f:hard': { '.': {}, 'f:pods': {} } } };
  const [key] = findObjectDrift(
    quota,
    live(less, { managedFields: [{ ...managedFields[0], fieldsV1 }] }),
  );
  expect(key).toMatchObject({ type: 'Missing', field: 'spec.hard.cpu' });
  expect(key).not.toHaveProperty('manager');
});

test('long values and paths are cut at whole characters and marked', () => {
  const name = '😀'.repeat(600);
  const [found] = findObjectDrift(binding('alice'), live(binding('alice', name)));
  for (const [text, most] of [
    [found!.live!, 256],
    [found!.field!, 512],
  ] as const) {
    expect([...text]).toHaveLength(most);
    expect(text.endsWith('😀…')).toBe(true);
    expect(text.isWellFormed()).toBe(true);
  }
});

test('a value that just fits is not cut, even if it has more code units', () => {
  const name = '😀'.repeat(150);
  const account = (secret: string) =>
    objectOf('ServiceAccount', { imagePullSecrets: [{ name: secret }] });
  const [, found] = findObjectDrift(account('a'), live(account(name)));
  expect(found!.live).toBe(`{"name":"${name}"}`);
});

test('terminal control characters are shown as escapes', () => {
  const [found] = findObjectDrift(binding('alice'), live(binding('alice', 'x\u202e\u009by')));
  expect(found!.live).toContain(String.raw`x\u202e\u009by`);
  expect(found!.field).toBe(String.raw`subjects[kind=User,name="x\u202e\u009by"]`);
});

test('an undeclared object is attributed to its creator', () => {
  expect(buildUndeclaredEntry(live(binding('mallory'), { managedFields }))).toEqual({
    kind: 'RoleBinding',
    group: 'rbac.authorization.k8s.io',
    namespace: 'shop',
    name: 'one',
    manager: 'kubectl-edit',
    operation: 'Update',
    changed: '2026-11-22T12:01:00Z',
  });
});
