import { expect, test } from '@jest/globals';
import { builtinScope } from '../../../kube/builtin-kinds.ts';
import * as apps from '../../../runtime/kinds/apps.ts';
import * as core from '../../../runtime/kinds/core.ts';
import {
  apiVersionOf,
  keyOf,
  nameOf,
  resourceOf,
  type FieldsOf,
  type Kind,
  type Live,
  type Written,
} from '../../../runtime/kinds/kind.ts';

test('an apiVersion and a resource are written as kubectl writes them', () => {
  expect([apiVersionOf(core.Pod), resourceOf(core.Pod)]).toEqual(['v1', 'pods']);
  expect([apiVersionOf(apps.Deployment), resourceOf(apps.Deployment)]).toEqual([
    'apps/v1',
    'deployments.apps',
  ]);
});

test('a key can be parsed into the name and the namespace', () => {
  for (const name of [{ name: 'a' }, { namespace: 'n', name: 'a.b' }]) {
    expect(nameOf(keyOf(name))).toEqual(name);
  }
});

test('kinds have the scope that Kubernetes gives them', () => {
  const isKind = (value: unknown): value is Kind => typeof value === 'object';
  const kinds = [...Object.values(core), ...Object.values(apps)].filter(isKind);
  expect(kinds.length).toBeGreaterThan(15);
  for (const { group, kind, scope } of kinds) {
    expect([kind, scope]).toEqual([kind, builtinScope(group, kind)]);
  }
});

/**
 * This test checks types: if a line that must not compile does, the type check of the repository fails, not the run.
 */
test('an object that was read cannot be changed, and a written one must have what its kind requires', () => {
  const read = (pod: Live<typeof core.Pod>, deployment: FieldsOf<typeof apps.Deployment>): void => {
    // @ts-expect-error -- a field of what was read
    pod.metadata.name = 'b';
    // @ts-expect-error -- however deep
    pod.spec!.containers[0]!.image = 'b';
    // @ts-expect-error -- not even a list grows
    pod.spec!.containers.push({ name: 'b' });
    // @ts-expect-error -- a Deployment has no phase
    void deployment.status?.phase;
  };
  const selector = { matchLabels: { app: 'a' } };
  const written: Written<typeof apps.Deployment> = {
    metadata: { name: 'a' },
    // @ts-expect-error -- a template is required
    spec: { selector },
  };
  expect([typeof read, written.metadata.name]).toEqual(['function', 'a']);
});
