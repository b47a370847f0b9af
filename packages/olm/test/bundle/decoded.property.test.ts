import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import { compileSchema } from '@tenantry/crd/schema/validator';
import {
  anything,
  boolean,
  integer,
  list,
  map,
  object,
  string,
} from '@tenantry/crd/schema/language';
import { decodeBySchema } from '../../bundle/decoded.ts';

const schema = object('Something of everything.', {
  text: string('A text.'),
  flag: boolean('A flag.'),
  size: integer('A number.'),
  names: list('Names.', string('One.')),
  parts: list('Parts.', object('One.', { name: string('Its name.') })),
  pairs: map('Pairs.', string('A value.')),
  any: anything('Anything.'),
});

const leaf = fc.oneof(fc.string(), fc.boolean(), fc.nat(9), fc.constant(null));
const value = fc.record(
  Object.fromEntries(
    ['text', 'flag', 'size', 'names', 'parts', 'pairs', 'any', 'other'].map((name) => [
      name,
      fc.oneof(
        leaf,
        fc.array(leaf),
        fc.dictionary(fc.string(), leaf),
        fc.array(fc.record({ name: leaf, stray: leaf }, { requiredKeys: [] })),
      ),
    ]),
  ),
  { requiredKeys: [] },
);

test('a decoded value has the types of its schema, whatever the input', () => {
  fc.assert(
    fc.property(value, (value) => {
      expect(compileSchema(schema).check(decodeBySchema(schema, value)).errors).toEqual([]);
    }),
    runs(300),
  );
});

const pair = fc.dictionary(fc.string(), fc.string());
const typed = fc.record(
  {
    text: fc.string(),
    flag: fc.boolean(),
    size: fc.nat(),
    names: fc.array(fc.string()),
    parts: fc.array(fc.record({ name: fc.string() }, { requiredKeys: [] })),
    pairs: pair,
    any: fc.oneof(fc.string(), fc.array(fc.nat()), pair),
  },
  { requiredKeys: [] },
);

test('a value with the types of its schema is decoded unchanged', () => {
  fc.assert(
    fc.property(typed, (value) => {
      expect(decodeBySchema(schema, value)).toEqual(value);
    }),
    runs(300),
  );
});

test('the positions in a list stay, and values of wrong types become empty', () => {
  const wrong = { names: ['a', 1, 'b'], parts: [1, { name: 'c', stray: 1 }], text: 1 };
  expect(decodeBySchema(schema, wrong)).toEqual({
    names: ['a', '', 'b'],
    parts: [{}, { name: 'c' }],
  });
  expect(decodeBySchema(schema, [])).toBeUndefined();
});

test('only a Kubernetes quantity, as text or as a number, is decoded, as a text', () => {
  const requests = { cpu: 2, memory: '1Gi', storage: 0.5, pods: { max: 1 }, gpus: null };
  expect(decodeBySchema(builtinSchema('ResourceRequirements'), { requests })).toEqual({
    requests: { cpu: '2', memory: '1Gi', storage: '0.5' },
  });
});
