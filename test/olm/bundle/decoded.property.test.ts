import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../kube/yaml/runs.ts';
import { builtinSchema } from '../../../schema/builtin-object.ts';
import { compileSchema } from '../../../schema/validator.ts';
import { anything, boolean, integer, list, map, object, string } from '../../../schema/language.ts';
import { decodeBySchema } from '../../../olm/bundle/decoded.ts';

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

test('what is decoded has the types of its schema, whatever it was', () => {
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

test('what has the types of its schema is decoded as it is', () => {
  fc.assert(
    fc.property(typed, (value) => {
      expect(decodeBySchema(schema, value)).toEqual(value);
    }),
    runs(300),
  );
});

test('in a list the places stay, and what has another type is empty', () => {
  const wrong = { names: ['a', 1, 'b'], parts: [1, { name: 'c', stray: 1 }], text: 1 };
  expect(decodeBySchema(schema, wrong)).toEqual({
    names: ['a', '', 'b'],
    parts: [{}, { name: 'c' }],
  });
  expect(decodeBySchema(schema, [])).toBeUndefined();
});

test('a quantity of Kubernetes is a text, written as a number or not, and nothing else is one', () => {
  const requests = { cpu: 2, memory: '1Gi', storage: 0.5, pods: { max: 1 }, gpus: null };
  expect(decodeBySchema(builtinSchema('ResourceRequirements'), { requests })).toEqual({
    requests: { cpu: '2', memory: '1Gi', storage: '0.5' },
  });
});
