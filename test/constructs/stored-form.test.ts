import { expect, test } from '@jest/globals';
import { toStoredForm } from '../../model/stored-form.ts';
import { applyPlatformDefaults } from '../../model/platform.ts';
import { errorAt } from '@tenantry/kube/finding';

test('an object whose definition cannot be read is unchanged', () => {
  const fault = errorAt(['spec'], 'must be a mapping, got nothing', 'type');
  const known = { group: 'example.com', kind: 'A', digest: '', read: () => fault };
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'A',
    metadata: { name: 'a' },
    spec: { items: [{ a: null }] },
  };
  expect(toStoredForm(object, applyPlatformDefaults({}, [known]))).toBe(object);
});
