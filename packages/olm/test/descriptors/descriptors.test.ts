import { describe, expect, test } from '@jest/globals';
import {
  applyDescriptorChanges,
  deriveDescriptors,
  displayName,
} from '../../descriptors/descriptors.ts';
import {
  anyObject,
  boolean,
  conditions,
  enumOf,
  integer,
  intOrString,
  labelSelector,
  list,
  number,
  object,
  string,
  type JSONSchemaProps,
} from '@tenantry/crd/schema/language';

const shown = (schema: JSONSchemaProps, part: 'spec' | 'status' = 'spec', replicas?: string) =>
  Object.fromEntries(
    deriveDescriptors(schema, part, replicas).map((one) => [one.path, one['x-descriptors'] ?? []]),
  );

const ui = (name: string): string => `urn:alm:descriptor:com.tectonic.ui:${name}`;

test('fields are shown by their types', () => {
  const schema = object('A cache.', {
    replicas: integer('How many.'),
    size: integer('How big.'),
    ratio: number('How much.'),
    isPersistent: boolean('Whether.'),
    image: string('What runs.'),
    port: intOrString('Where.'),
    mode: enumOf('Which.', ['Single', 'Cluster']),
    password: string('A secret.', { format: 'password' }),
    secretName: string('Where it is.'),
    imagePullPolicy: string('When.'),
    selector: labelSelector(),
    resources: object('What it gets.', {
      limits: anyObject('Most.'),
      requests: anyObject('Least.'),
    }),
    strategy: object('How.', { type: string('Which.'), rollingUpdate: anyObject('How.') }),
    args: list('Arguments.', string('One.')),
    free: anyObject('Anything.'),
  });
  expect(shown(schema, 'spec', 'replicas')).toEqual({
    replicas: [ui('podCount')],
    size: [ui('number')],
    ratio: [ui('number')],
    isPersistent: [ui('booleanSwitch')],
    image: [ui('text')],
    port: [ui('text')],
    mode: [ui('select:Single'), ui('select:Cluster')],
    password: [ui('password')],
    secretName: ['urn:alm:descriptor:io.kubernetes:Secret'],
    imagePullPolicy: [ui('imagePullPolicy')],
    selector: [ui('selector:core:v1:Pod')],
    resources: [ui('resourceRequirements')],
    strategy: [ui('updateStrategy')],
    args: [],
    free: [],
  });
});

test('nested fields are shown as groups, after the fields around them', () => {
  const schema = object('A cache.', {
    storage: object('Where it lies.', { size: string('How much.') }),
    ports: list('Where it listens.', object('One.', { number: integer('Which.') })),
    last: string('Last.'),
  });
  expect(Object.entries(shown(schema))).toEqual([
    ['storage', []],
    ['ports', []],
    ['last', [ui('text')]],
    ['storage.size', [ui('fieldGroup:storage'), ui('text')]],
    ['ports[0].number', [ui('arrayFieldGroup:ports'), ui('number')]],
  ]);
});

test('the fields of a status are shown read-only', () => {
  const schema = object('What is the case.', {
    conditions: conditions(),
    phase: string('Where it is.'),
    reason: string('Why.'),
    url: string('Where.', { format: 'uri' }),
    replicas: integer('How many.'),
    observedGeneration: integer('Which.'),
  });
  expect(shown(schema, 'status', 'replicas')).toEqual({
    conditions: ['urn:alm:descriptor:io.kubernetes.conditions'],
    phase: ['urn:alm:descriptor:io.kubernetes.phase'],
    reason: ['urn:alm:descriptor:io.kubernetes.phase:reason'],
    url: ['urn:alm:descriptor:org.w3:link'],
    replicas: [ui('podCount')],
    observedGeneration: [ui('text')],
  });
});

test('names and descriptions are those of the schema', () => {
  const schema = object('A cache.', {
    maxMemory: string('The most memory.', { title: 'Memory' }),
    minReadySeconds: integer('How long.'),
  });
  expect(
    deriveDescriptors(schema, 'spec').map(({ displayName: name, description }) => [
      name,
      description,
    ]),
  ).toEqual([
    ['Memory', 'The most memory.'],
    ['Min Ready Seconds', 'How long.'],
  ]);
});

test('a large kind, and a deep one, is shown up to the limits', () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, string('One.')]));
  expect(deriveDescriptors(object('Many.', many), 'spec')).toHaveLength(100);
  let deep: JSONSchemaProps = string('The last.');
  for (let i = 0; i < 10; i += 1) deep = object('One.', { a: deep });
  expect(deriveDescriptors(deep, 'spec').map(({ path }) => path)).toEqual(['a', 'a.a', 'a.a.a']);
});

test('declared changes override what is derived', () => {
  const derived = deriveDescriptors(
    object('A cache.', { a: string('One.'), b: string('Two.') }),
    'spec',
  );
  const changed = applyDescriptorChanges(derived, {
    a: { displayName: 'First' },
    b: false,
    'c.d': { 'x-descriptors': [ui('hidden')] },
    e: false,
  });
  expect(changed).toEqual([
    { path: 'a', displayName: 'First', description: 'One.', 'x-descriptors': [ui('text')] },
    { path: 'c.d', 'x-descriptors': [ui('hidden')] },
  ]);
});

describe('the name of a field for people', () => {
  test.each([
    ['replicas', 'Replicas'],
    ['minReadySeconds', 'Min Ready Seconds'],
    ['podIP', 'Pod IP'],
    ['URLPath', 'URL Path'],
    ['max-memory_size', 'Max Memory Size'],
    ['NginxOperator', 'Nginx Operator'],
    ['v2Config', 'V2 Config'],
  ])('%s is %s', (name, expected) => {
    expect(displayName(name)).toBe(expected);
  });
});
