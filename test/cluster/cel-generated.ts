import fc from 'fast-check';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

const text: JSONSchemaProps = { type: 'string', maxLength: 5 };

/** The schema of the values that generated expressions read. */
export const ground: JSONSchemaProps = {
  type: 'object',
  properties: {
    s: text,
    i: { type: 'integer' },
    d: { type: 'number' },
    b: { type: 'boolean' },
    p: { 'x-kubernetes-int-or-string': true, maxLength: 5 },
    l: { type: 'array', maxItems: 4, items: text },
    n: { type: 'array', maxItems: 4, items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    m: { type: 'object', maxProperties: 4, additionalProperties: { type: 'integer' } },
    o: { type: 'object', properties: { s: text, i: { type: 'integer' } } },
  },
};

type Kind = 'int' | 'double' | 'string' | 'bool' | 'strings' | 'ints' | 'map' | 'any';
const kinds: readonly Kind[] = ['int', 'double', 'string', 'bool', 'strings', 'ints', 'map', 'any'];

/** The templates of each kind; a placeholder in braces is replaced by an expression of that kind. */
const templates: Readonly<Record<Kind, readonly string[]>> = {
  int: [
    'self.i',
    'self.o.i',
    '1',
    '-3',
    '0',
    '7',
    '{int} + {int}',
    '{int} - {int}',
    '{int} * {int}',
    '{int} / {int}',
    '{int} % {int}',
    '-{int}',
    'size({strings})',
    '{string}.size()',
    '{ints}[0]',
    '({bool} ? {int} : {int})',
    '{ints}.sum()',
    '{ints}.max()',
    '{ints}.min()',
    'self.m["a"]',
    'self.m.a',
    '{strings}.indexOf({string})',
    '{string}.indexOf({string})',
    'int({double})',
    '{map}[?"a"].orValue({int})',
    'self.?i.orValue({int})',
    'int({string})',
    '{ints}.indexOf({int})',
    'self.?o.?i.orValue({int})',
    '{ints}[?0].orValue({int})',
    '{ints}.first().orValue({int})',
  ],
  double: [
    'self.d',
    '1.5',
    '0.0',
    '{double} + {double}',
    '{double} / {double}',
    'double({int})',
    '-{double}',
  ],
  string: [
    'self.s',
    'self.o.s',
    '"a"',
    '""',
    '"b,a"',
    '{string} + {string}',
    '{strings}[0]',
    'string({int})',
    '{strings}.join(",")',
    '{string}.upperAscii()',
    '{string}.replace("a", "b")',
    '{string}.trim()',
    '({bool} ? {string} : {string})',
    '{string}.substring(0, 1)',
    '{string}.charAt(0)',
    'self.?s.orValue("")',
    '{string}.split(",")[0]',
    '{string}.find("[a-c]+")',
    '"%s-%d".format([{string}, {int}])',
    'string({double})',
    '{strings}.max()',
  ],
  bool: [
    'self.b',
    'true',
    'false',
    'has(self.s)',
    'has(self.o)',
    'has(self.o.i)',
    'has(self.m.a)',
    '{int} < {int}',
    '{int} >= {double}',
    '{string} < {string}',
    '{int} == {int}',
    '{string} != {string}',
    '{strings} == {strings}',
    '{ints} == {ints}',
    '{map} == {map}',
    '{any} == {any}',
    '!{bool}',
    '{bool} && {bool}',
    '{bool} || {bool}',
    '({bool} ? {bool} : {bool})',
    '{string} in {strings}',
    '{int} in {ints}',
    '{string} in {map}',
    '{strings}.all(x, x != {string})',
    '{strings}.exists(x, x.size() > {int})',
    '{ints}.exists_one(x, x > {int})',
    '{map}.all(k, v, v > {int})',
    '{strings}.exists(i, x, i > {int})',
    '{string}.startsWith({string})',
    '{string}.contains({string})',
    '{string}.matches("^[a-c]*$")',
    '{ints}.isSorted()',
    'sets.contains({ints}, {ints})',
    'type({any}) == int',
    'isIP({string})',
    'isQuantity({string})',
    '{int} == {double}',
  ],
  strings: [
    'self.l',
    '["a", "b"]',
    '[{string}]',
    '{strings} + {strings}',
    '{strings}.map(x, x + {string})',
    '{strings}.filter(x, x != {string})',
    '{string}.split(",")',
    '{ints}.map(x, string(x))',
    '{strings}.sort()',
    '{strings}.reverse()',
    '{strings}.distinct()',
    '{map}.map(k, k)',
    '[?self.?s]',
    '{strings}.sortBy(x, x.size())',
  ],
  ints: [
    'self.n',
    '[1, 2]',
    '[{int}, {int}]',
    '{ints} + {ints}',
    '{ints}.map(x, x * {int})',
    '{strings}.map(x, x.size())',
    '{ints}.filter(x, x > {int})',
    '{strings}.transformList(i, x, i)',
    '{map}.transformList(k, v, v)',
    '{ints}.slice(0, 1)',
    'lists.range(3)',
  ],
  map: ['self.m', '{"a": 1}', '{"a": {int}}', '{map}.transformMap(k, v, v + {int})'],
  any: ['self.p', 'dyn({int})', 'dyn({string})', 'dyn({double})', 'self.p'],
};

/** Generates an expression, usually one whose types fit. */
function expression(kind: Kind, depth: number): fc.Arbitrary<string> {
  const known = templates[kind];
  const leaves = known.filter((one) => !/\{[a-z]+\}/.test(one));
  return fc.constantFrom(...(depth === 0 ? leaves : known)).chain((template) => {
    const parts = template.split(/(\{[a-z]+\})/);
    const filled = parts.map((part): fc.Arbitrary<string> => {
      const wanted = /^\{([a-z]+)\}$/.exec(part)?.[1] as Kind | undefined;
      if (wanted === undefined) return fc.constant(part);
      const fitting = { weight: 30, arbitrary: expression(wanted, depth - 1) };
      const other = fc.constantFrom(...kinds).chain((one) => expression(one, 0));
      return fc.oneof(fitting, { weight: 1, arbitrary: other });
    });
    return fc.tuple(...filled).map((all) => all.join(''));
  });
}

export const rules: fc.Arbitrary<string> = fc
  .nat({ max: 3 })
  .chain((depth) => expression('bool', depth));

const words = fc.constantFrom('', 'a', 'b', 'ab', 'b,a', 'C', '10', '::1', 'é');
const small = fc.integer({ min: -2, max: 9 });

/** Values of the `ground` schema: any of its properties may be absent. */
export const values: fc.Arbitrary<object> = fc.record(
  {
    s: words,
    i: fc.oneof({ weight: 5, arbitrary: small }, fc.constant(2 ** 40)),
    d: fc.oneof(small, fc.constantFrom(0.5, -1.5, 2.25)),
    b: fc.boolean(),
    p: fc.oneof(small, words),
    l: fc.array(words, { maxLength: 3 }),
    n: fc.uniqueArray(small, { maxLength: 3 }),
    m: fc.dictionary(fc.constantFrom('a', 'b'), small),
    o: fc.record({ s: words, i: small }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
