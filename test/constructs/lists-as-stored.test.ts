import { expect, test } from '@jest/globals';
import { listsAsStored } from '../../constructs/tenant/lists-as-stored.ts';
import { filledPlatform } from '../../constructs/tenant/platform.ts';
import { errorAt } from '../../kube/finding.ts';

test('an object whose definition cannot be read stays as it is', () => {
  const fault = errorAt(['spec'], 'must be a mapping, got nothing', 'type');
  const known = { group: 'example.com', kind: 'A', digest: '', read: () => fault };
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'A',
    metadata: { name: 'a' },
    spec: { items: [{ a: null }] },
  };
  expect(listsAsStored(object, filledPlatform({}, [known]))).toBe(object);
});
