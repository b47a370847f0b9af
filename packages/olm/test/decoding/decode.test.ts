import { expect, test } from '@jest/globals';
import { decodeAs } from '../../decoding/decode.ts';

const decodeSpec = (spec: unknown) =>
  decodeAs<{ spec: unknown }>('ClusterServiceVersion', { spec });

test('empty values and nulls are absent', () => {
  const { value } = decodeSpec({ displayName: '', icon: null, links: [null], skips: [null] });
  expect(value.spec).toEqual({ links: [{}], skips: [''] });
});

test('numbers and booleans become texts where texts are expected, except in embedded structs', () => {
  const { value } = decodeSpec({ displayName: 1.5, keywords: [true, 7], annotations: { a: 1 } });
  expect(value.spec).toEqual({
    displayName: '1.5',
    keywords: ['true', '7'],
    annotations: { a: '1' },
  });
  const rules = [{ apiVersions: [1] }];
  expect(decodeSpec({ webhookdefinitions: [{ rules }] }).faults).toHaveLength(1);
  expect(decodeAs('ClusterServiceVersion', { kind: 5 }).faults).toHaveLength(1);
});

test('keys match in any case; of several spellings the last in byte order counts', () => {
  const { value, unknown } = decodeSpec({ maturity: 'b', MATURITY: 'a' });
  expect(value.spec).toEqual({ maturity: 'b' });
  expect(unknown.map(({ message }) => message)).toEqual([
    "must be a known field, got 'MATURITY'; did you mean 'maturity'?",
  ]);
});

test('within what JSON Schema decodes itself, keys match in their case, and nothing becomes a text', () => {
  const schema = (items: unknown) => ({
    spec: { validation: { openAPIV3Schema: { Type: 'array', items } } },
  });
  expect(decodeAs('DefinitionV1beta1', schema({ Type: 5 })).faults).toEqual([]);
  expect(decodeAs('DefinitionV1beta1', schema({ type: 5 })).faults).toHaveLength(1);
  expect(decodeAs('DefinitionV1beta1', schema('anything')).faults).toEqual([]);
});

test.each([
  [{ version: null }, 'version'],
  [{ version: '1.x' }, 'version'],
  [{ release: '01' }, 'release'],
  [{ icon: {} }, 'icon'],
  [{ icon: ['x'] }, 'icon.0'],
  [{ installModes: [{ supported: 'true' }] }, 'installModes.0.supported'],
  [
    { install: { spec: { deployments: [{ spec: { replicas: 1.5 } }] } } },
    'install.spec.deployments.0.spec.replicas',
  ],
  [{ webhookdefinitions: [{ containerPort: 2 ** 31 }] }, 'webhookdefinitions.0.containerPort'],
])('%j has a wrong type', (spec, at) => {
  expect(decodeSpec(spec).faults.map(({ path }) => path.join('.'))).toEqual([`spec.${at}`]);
});
