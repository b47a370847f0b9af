import { expect } from '@jest/globals';
import { corpusTests } from './corpus-tests.ts';

const given = await corpusTests();

given.test('the corpus is at least 150 real definitions, and each has a name of its own', () => {
  const names = given.crds.map(({ manifest }) => manifest.metadata.name);
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(new Set(names).size).toBe(names.length);
});

given.test('the corpus has what is rare in it too', () => {
  const text = JSON.stringify(given.crds.map(({ manifest }) => manifest));
  const rarities = [
    '"deprecated":true',
    '"x-kubernetes-list-type":"set"',
    '"x-kubernetes-map-type":"atomic"',
    '"x-kubernetes-validations"',
    '"oneOf"',
    '"not"',
    '"allOf"',
    '"nullable":true',
    '"messageExpression"',
    '"labelSelectorPath"',
    '"selectableFields"',
    '"strategy":"Webhook"',
  ];
  expect(rarities.filter((one) => !text.includes(one))).toEqual([]);
});
