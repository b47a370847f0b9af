import fc from 'fast-check';
import type { JSONSchemaProps, ValidationRule } from '../../../schema/json-schema.ts';

/** An optional field of a schema, mostly with small numbers. */
const bound = (field: string): fc.Arbitrary<object> =>
  fc
    .option(fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 20_000 })), { nil: undefined, freq: 2 })
    .map((most) => (most === undefined ? {} : { [field]: most }));

const text: fc.Arbitrary<JSONSchemaProps> = fc.oneof(
  { weight: 5, arbitrary: bound('maxLength').map((most) => ({ type: 'string', ...most })) },
  fc
    .tuple(fc.subarray(['a', 'éé', 'a long one'], { minLength: 1 }), bound('maxLength'))
    .map(([choices, most]) => ({ type: 'string', enum: choices, ...most })),
  fc.constantFrom('uri', 'ipv4', 'unknown').map((format) => ({ type: 'string', format })),
);

const bytes = bound('maxLength').map((most) => ({ type: 'string', format: 'byte', ...most }));
const time = fc.constantFrom('date', 'date-time').map((format) => ({ type: 'string', format }));
const either = bound('maxLength').map((most) => ({ 'x-kubernetes-int-or-string': true, ...most }));

const list = (items: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> =>
  fc.tuple(items, bound('maxItems')).map(([one, most]) => ({ type: 'array', items: one, ...most }));

const map = (values: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> =>
  fc
    .tuple(values, bound('maxProperties'))
    .map(([one, most]) => ({ type: 'object', additionalProperties: one, ...most }));

/** The maximum depth of nested things. */
const MAX_DEPTH = 3;

const fieldsOf = (depth: number) => ({
  s: text,
  t: text,
  i: fc.constant<JSONSchemaProps>({ type: 'integer' }),
  d: fc.constant<JSONSchemaProps>({ type: 'number' }),
  b: fc.constant<JSONSchemaProps>({ type: 'boolean' }),
  y: bytes,
  when: time,
  lasts: fc.constant<JSONSchemaProps>({ type: 'string', format: 'duration' }),
  p: either,
  l: list(text),
  k: list(text),
  n: list(fc.constant({ type: 'integer' })),
  m: map(text),
  'max-size': text,
  namespace: text,
  ...(depth > 0 && {
    one: thing(depth - 1),
    all: list(thing(depth - 1)),
    rest: list(thing(depth - 1)),
    by: map(thing(depth - 1)),
  }),
});

/** The fields of a resource. Bounds count only if all of its fields are declared. */
const ofResources = fc.tuple(text, fc.boolean()).map(([name, isWhole]) => ({
  kind: { type: 'string' },
  apiVersion: { type: 'string' },
  metadata: {
    type: 'object',
    properties: { name, ...(isWhole && { generateName: { type: 'string', maxLength: 9 } }) },
  },
}));

/** Generates an object with fields of every type, some of them mandatory, and with nested things. */
function thing(depth: number): fc.Arbitrary<JSONSchemaProps> {
  const mandatory = fc.subarray([
    's',
    'metadata',
    'b',
    'lasts',
    'when',
    'max-size',
    'p',
    'n',
    'one',
    'none',
  ]);
  return fc
    .tuple(fc.record(fieldsOf(depth)), mandatory, fc.boolean(), fc.option(ofResources))
    .map(([properties, required, isDefaulted, ofResource]) => ({
      type: 'object',
      properties: {
        ...properties,
        ...ofResource,
        ...(isDefaulted && { b: { type: 'boolean', default: true } }),
      },
      ...(required.length > 0 && { required }),
      ...(ofResource && depth < MAX_DEPTH && { 'x-kubernetes-embedded-resource': true }),
    }));
}

export const things = thing(MAX_DEPTH);

/** A variable for a thing, and the depth of the thing. */
interface Variable {
  readonly name: string;
  readonly depth: number;
}

/** Templates by kind: braces contain the kind of a nested expression, `$` is a thing, and `#` an unused name. */
const templates: Readonly<Record<string, readonly string[]>> = {
  bool: [
    '$.b',
    'has($.s)',
    'has($.one.l)',
    '{int} < {int}',
    '{number} >= {int}',
    '{string} == {string}',
    '{string} != {string}',
    '{string} <= {string}',
    '{strings} == {strings}',
    '{bytes} < {bytes}',
    '{map} == {map}',
    '$.p == {dyn}',
    '!{bool}',
    '{bool} && {bool} && {bool}',
    '{bool} || {bool}',
    '({bool} ? {bool} : {bool})',
    '{string} in {strings}',
    '{string} in {map}',
    '{dyn} in {strings}',
    '{string}.startsWith({string})',
    '{string}.endsWith({string})',
    '{string}.contains({string})',
    '{string}.matches({pattern})',
    'matches({string}, {pattern})',
    '{ints}.isSorted()',
    '{strings}.isSorted()',
    'sets.contains({strings}, {strings})',
    'sets.equivalent({strings}, {strings})',
    'sets.intersects({ints}, {ints})',
    'type($.p) == int',
    'isIP({string})',
    'isQuantity({string})',
    'isURL({string})',
    'isSemver({string})',
    'ip({string}) == ip({string})',
    'ip({string}).isLoopback()',
    'ip.isCanonical({string})',
    'cidr({string}).containsIP({string})',
    'cidr({string}).containsIP(ip({string}))',
    'cidr({string}).containsCIDR({string})',
    'cidr({string}).containsCIDR(cidr({string}))',
    'cidr({string}).masked() == cidr({string})',
    'cidr({string}).ip().family() == {int}',
    'quantity({string}).isLessThan(quantity({string}))',
    'quantity({string}) == quantity({string})',
    'quantity({string}).add({int}) != quantity({string})',
    'semver({string}).compareTo(semver({string})) > {int}',
    'semver({string}) == semver({string}, {bool})',
    'url({string}) == url({string})',
    'url({string}).getHost() == {string}',
    '!format.dns1123Label().validate({string}).hasValue()',
    'format.named({string}).hasValue()',
    'format.dns1123Label() == format.uri()',
    '$.when > timestamp({string})',
    '$.lasts + duration("1h") > $.lasts',
    '$.when.getFullYear() == {int}',
    '{strings}.all(#, # != {string})',
    '{strings}.exists(#, # == {string})',
    '{strings}.exists_one(#, #.startsWith({string}))',
    '{strings}.all(#, ##, ## == {string} && # > 0)',
    '{map}.all(#, # != {string})',
    '{map}.exists(#, ##, ## == {string})',
    '{map}.existsOne(#, ##, # == ##)',
    '{things}.all(@, {bool})',
    '{things}.exists(@, {bool})',
    '{things}.exists_one(@, {bool})',
    '$.by.all(#, # == {string})',
    'self == oldSelf',
    '{int} in {dyns}',
  ],
  int: [
    '$.i',
    '1',
    '-3',
    '{int} + {int}',
    '-{int}',
    '{string}.size()',
    'size({strings})',
    'size({map})',
    'size({things})',
    '{ints}[0]',
    '{ints}.sum()',
    '{ints}.max()',
    '{strings}.indexOf({string})',
    '{string}.lastIndexOf({string})',
    '({bool} ? {int} : {int})',
    '$.?i.orValue({int})',
    'int({string})',
    'dyn($.i)',
    '$.y.size()',
  ],
  number: ['$.d', '1.5', '{number} * {number}', 'double({string})', '$.?d.orValue(2.0)'],
  string: [
    '$.s',
    '$.t',
    '$.max__dash__size',
    '$.__namespace__',
    '$.namespace',
    '$.metadata.name',
    '$.one.metadata.generateName',
    '$.one.kind',
    '$.one.s',
    '"a"',
    '"é, and more than that"',
    '{string} + {string}',
    '{strings}[0]',
    '{map}["a"]',
    '{map}.a',
    '{things}[0].s',
    '$.by["a"].t',
    '$.by.a.s',
    'string({int})',
    'string($.y)',
    'string(dyn({string}))',
    '{strings}.join()',
    '{strings}.join({string})',
    '{strings}.max()',
    '{string}.lowerAscii()',
    '{string}.trim()',
    '{string}.substring(1)',
    '{string}.replace({string}, {string})',
    '{string}.charAt(0)',
    '{string}.split(",")[0]',
    '{string}.find({pattern})',
    '({bool} ? {string} : {string})',
    '$.?s.orValue({string})',
    '$.?one.?s.orValue({string})',
    '{map}[?"a"].orValue({string})',
    '$.?s.optMap(#, # + {string}).orValue({string})',
    '$.?l.optFlatMap(#, #[?0]).orValue({string})',
    'strings.quote({string})',
    '"%s and %d".format([{string}, {int}])',
    '{strings}.first().orValue({string})',
    '{strings}[?0].value()',
    '[{string}, {string}][1]',
    '{"a": {string}}["a"]',
    '{things}.map(@, {string})[0]',
    '$.p',
  ],
  pattern: ['"^[a-z]+$"', '"a|b"', '{string}'],
  bytes: ['$.y', 'bytes({string})', 'b"a"', '$.y + bytes({string})'],
  strings: [
    '$.l',
    '$.k',
    '$.one.l',
    '["a", "bc"]',
    '[]',
    '[{string}]',
    '[?$.?s, {string}]',
    '{strings} + {strings}',
    '({bool} ? {strings} : {strings})',
    '{strings}.map(#, # + {string})',
    '{strings}.map(#, # != {string}, #)',
    '{strings}.filter(#, # != {string})',
    '{strings}.transformList(#, ##, ## + {string})',
    '{things}.map(@, {string})',
    '{things}[0].l',
    '{map}.map(#, #)',
    '{map}.transformList(#, ##, ##)',
    '{string}.split(",")',
    '{string}.split(",", 3)',
    '{string}.findAll({pattern})',
    '{strings}.sort()',
    '{strings}.sortBy(#, #.size())',
    '{strings}.sortBy(#, #)',
    '{strings}.reverse()',
    '{strings}.distinct()',
    '{strings}.slice(1, 3)',
    '[{strings}, {strings}].flatten()',
    '$.?l.orValue({strings})',
    '$.by["a"].k',
  ],
  ints: [
    '$.n',
    '[1, 2]',
    '[{int}]',
    '{ints} + {ints}',
    '{strings}.map(#, #.size())',
    '{ints}.filter(#, # > {int})',
    '{ints}.sort()',
    'lists.range(3)',
    'lists.range({int})',
    '{things}.map(@, {int})',
    '{ints}.slice({int}, 9)',
  ],
  dyns: ['{ints}', '[dyn({int})]', '[dyn({string}), dyn({int})].flatten(2)', '[$.p]'],
  map: [
    '$.m',
    '{}',
    '{"a": {string}}',
    '{"a": {string}, "bc": {string}}',
    '({bool} ? {map} : {map})',
    '{map}.transformMap(#, ##, ## + {string})',
    '{map}.transformMap(#, ##, # == {string}, ##)',
    '{strings}.transformMapEntry(#, ##, {##: {string}})',
    '{things}[0].m',
  ],
  things: ['$.all', '$.rest', '$.one.all', '{things}.filter(@, {bool})', '{things} + {things}'],
  dyn: [
    'dyn({int})',
    'dyn({string})',
    '$.p',
    '{dyn} + {dyn}',
    'dyn($.m)["a"]',
    'dyn({strings})[0]',
  ],
};

const kinds = Object.keys(templates);
const hole = /\{([a-z]+)\}/;

/** Returns a name that no other variable has. */
const fresh = (scope: readonly Variable[], fuel: number): string => `x${fuel}y${scope.length}`;

/**
 * Generates an expression of a kind over the things in scope, sometimes of another kind, which the API server refuses.
 * Things below the maximum depth are absent.
 */
function expression(kind: string, scope: readonly Variable[], fuel: number): fc.Arbitrary<string> {
  const all = templates[kind]!;
  const leaves = all.filter((one) => !hole.test(one));
  const chosen = fuel > 0 || leaves.length === 0 ? all : leaves;
  return fc.tuple(fc.constantFrom(...chosen), fc.constantFrom(...scope)).chain(([one, about]) => {
    const name = fresh(scope, fuel);
    const text = one
      .replaceAll('$', about.name)
      .replaceAll('##', `${name}v`)
      .replaceAll('#', name)
      .replaceAll('@', name);
    // If a variable is a thing, the parts after its name may use it.
    const parts = text.split(/(\{[a-z]+\})/);
    const filled = parts.map((part, i): fc.Arbitrary<string> => {
      const wanted = hole.exec(part)?.[1];
      if (wanted === undefined || !kinds.includes(wanted)) return fc.constant(part);
      const inner = one.includes('@') && i > 1;
      const within = inner ? [...scope, { name, depth: about.depth - 1 }] : scope;
      return expression(wanted, within, Math.max(fuel - 1, 0));
    });
    return fc.tuple(...filled).map((texts) => texts.join(''));
  });
}

const self: Variable = { name: 'self', depth: MAX_DEPTH };
const oldSelf: Variable = { name: 'oldSelf', depth: MAX_DEPTH };

const rule: fc.Arbitrary<ValidationRule> = fc
  .tuple(fc.nat({ max: 4 }), fc.constantFrom([self], [self], [self, oldSelf]), fc.nat({ max: 9 }))
  .chain(([fuel, scope, often]) =>
    fc.record({
      rule: expression('bool', scope, fuel),
      message: fc.constant('must hold'),
      ...(often < 4 && { messageExpression: expression('string', scope, Math.min(fuel, 2)) }),
    }),
  );

/** Generates a schema of a whole object with rules at any place; most of them are sound. */
export const ruledSchemas: fc.Arbitrary<JSONSchemaProps> = fc
  .tuple(
    things,
    fc.array(rule, { minLength: 1, maxLength: 12 }),
    fc.nat({ max: 4 }),
    bound('maxItems'),
  )
  .map(([schema, rules, place, most]): JSONSchemaProps => {
    const ruled = { ...schema, 'x-kubernetes-validations': rules };
    const root = (spec: JSONSchemaProps): JSONSchemaProps => ({
      type: 'object',
      properties: { spec },
    });
    switch (place) {
      case 0:
        return ruled;
      case 1:
        return root(ruled);
      case 2:
        return root({ type: 'array', items: ruled, ...most });
      case 3:
        return root({ type: 'object', additionalProperties: ruled });
      default:
        return root({
          type: 'object',
          maxProperties: 7,
          additionalProperties: { type: 'array', items: ruled, ...most },
        });
    }
  });
