import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const text = { type: 'string' };
/** Returns a text schema with rules. */
const ruled = (...rules: object[]): Changes => ({
  field: { ...text, 'x-kubernetes-validations': rules },
});
const rule = (fields: object): Changes => ruled({ rule: 'true', ...fields });
/** Returns a schema with one rule. */
const under = (schema: object, expression: string, more: object = {}): Changes => ({
  field: { ...schema, 'x-kubernetes-validations': [{ rule: expression, ...more }] },
});
const old = { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
const item = {
  type: 'object',
  properties: { a: old, b: text },
  required: ['a'],
};
const object = {
  type: 'object',
  properties: {
    a: text,
    'b-c': { type: 'integer' },
    list: { type: 'array', items: text, maxItems: 3 },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
    any: { type: 'object', additionalProperties: true },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const at = (fieldPath: string): Changes => under(object, 'true', { fieldPath });

const texts = { type: 'array', items: text };
const mapping = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: texts },
};
/** An object schema without bounds. */
const large = {
  type: 'object',
  properties: {
    a: text,
    b: text,
    l: texts,
    k: texts,
    ll: { type: 'array', items: texts },
    m: mapping,
    n: mapping,
    u: { type: 'array', items: { type: 'object', properties: { a: text } } },
  },
};

const labels = { type: 'object', additionalProperties: text };
const resource = (metadata: object): object => ({
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', properties: metadata },
  },
});

/** CEL rules: their fields, their expressions, and their places. */
export const ruleCases: readonly DefinitionCase[] = [
  good('a rule', rule({})),
  good('no rules', ruled()),
  good('a rule twice', ruled({ rule: 'true' }, { rule: 'true' })),
  good('a rule with everything', {
    ...under(object, 'self == oldSelf', {
      message: ' in one line ',
      messageExpression: "'a'",
      reason: 'FieldValueForbidden',
      fieldPath: '.a',
    }),
  }),
  bad('cel-rule-empty', 'a rule without an expression', ruled({})),
  bad('cel-rule-empty', 'a rule of white space', rule({ rule: ' \n\u00a0' })),
  bad('cel-message', 'a message of white space', rule({ message: ' ' })),
  bad('cel-message', 'a message of two lines', rule({ message: 'a\nb' })),
  bad('cel-message', 'a rule of two lines without a message', rule({ rule: 'true\n|| false' })),
  good('a rule of two lines with a message', rule({ rule: 'true\n|| false', message: 'a\n' })),
  good('a rule that ends with a line break', rule({ rule: 'true\n' })),
  bad('cel-message-expression', 'a message expression of white space', {
    ...rule({ messageExpression: ' ' }),
  }),
  bad('cel-reason', 'an unknown reason', rule({ reason: 'Invalid' })),
  bad('cel-reason', 'an empty reason', rule({ reason: '' })),
  good('a field', at('.a')),
  good('a field in brackets', at("['b-c']")),
  good('a field with a dash', at('.b-c')),
  good('an entry of a mapping', at('.map.x.a')),
  good('an entry of a mapping in brackets', at(".map['x.y'].a")),
  good('an escaped quote', at(".map['\\'']")),
  good('an entry of a mapping of anything', at('.any.x')),
  bad('cel-field-path', 'a field of an entry of a mapping of anything', at('.any.x.y')),
  bad('cel-field-path', 'a field that is not there', at('.none')),
  bad('cel-field-path', 'a path without a dot', at('a')),
  bad('cel-field-path', 'a path that ends with a dot', at('.a.')),
  bad('cel-field-path', 'a path with two dots', at('..a')),
  bad('cel-field-path', 'a path of white space', at(' ')),
  bad('cel-field-path', 'a path into a list', at('.list[0]')),
  bad('cel-field-path', 'a path with double quotes', at('.["a"]')),
  bad('cel-field-path', 'a path with an open bracket', at("['a'")),
  bad('cel-field-path', 'a path with an unknown escape', at(".map['\\q']")),
  bad('cel-field-path', 'a path into unknown fields', at('.open.a')),
  bad('cel-field-path', 'metadata that the schema does not declare', {
    'schema.x-kubernetes-validations': [{ rule: 'true', fieldPath: '.metadata.name' }],
  }),

  bad('cel-rule', 'an expression that does not end', rule({ rule: 'self ==' })),
  bad('cel-rule', 'an expression that is no yes or no', rule({ rule: 'self' })),
  bad('cel-rule', 'an unknown variable', rule({ rule: 'this == self' })),
  bad('cel-rule', 'a field that is not there', under(object, 'has(self.none)')),
  bad('cel-rule', 'types that do not fit', under(object, 'self.a == 1')),
  bad('cel-rule', 'an unknown function', rule({ rule: 'self.shout()' })),
  bad('cel-message-expression', 'a message that is a number', rule({ messageExpression: '1' })),
  good('a field with a dash in an expression', under(object, 'self.b__dash__c > 0')),
  good('the name of the resource', {
    'schema.x-kubernetes-validations': [{ rule: "self.metadata.name == 'a'" }],
  }),
  bad('cel-rule', 'the labels of the resource', {
    'schema.x-kubernetes-validations': [{ rule: 'has(self.metadata.labels)' }],
  }),
  bad('cel-rule', 'a rule about any type', {
    field: {
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-validations': [{ rule: 'self == self' }],
    },
  }),

  bad('cel-optional-old-self', 'an optional oldSelf that is not used', {
    ...rule({ optionalOldSelf: true }),
  }),
  bad('cel-optional-old-self', 'no optional oldSelf, said in a rule without', {
    ...rule({ optionalOldSelf: false }),
  }),
  good('an optional oldSelf', {
    ...rule({ rule: 'oldSelf.hasValue() || true', optionalOldSelf: true }),
  }),
  bad('cel-old-self', 'oldSelf in the items of a list', { field: { type: 'array', items: old } }),
  bad('cel-old-self', 'oldSelf in the items of a set', {
    field: { type: 'array', items: old, 'x-kubernetes-list-type': 'set' },
  }),
  good('oldSelf in an atomic object', { field: { ...item, 'x-kubernetes-map-type': 'atomic' } }),
  bad('cel-old-self', 'oldSelf in a list map in a list', {
    field: {
      type: 'array',
      items: {
        type: 'array',
        items: item,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
    },
  }),
  good('oldSelf of a list', under({ type: 'array', items: text }, 'self == oldSelf')),
  good('oldSelf in an object', { field: item }),

  bad('default-rules', 'a default that breaks a rule', {
    ...under({ ...text, default: 'b' }, "self == 'a'"),
  }),
  good('a default that fits a rule', under({ ...text, default: 'a' }, "self == 'a'")),
  bad('default-rules', 'a default that a transition rule refuses, since it stays', {
    ...under({ ...text, default: 'a' }, 'self != oldSelf'),
  }),
  bad('default-rules', 'a default that a new value may not be', {
    ...under({ ...text, default: 'a' }, 'oldSelf.hasValue()', { optionalOldSelf: true }),
  }),
  bad('default-rules', 'a default that breaks a rule of an item', {
    field: {
      type: 'array',
      items: { ...text, 'x-kubernetes-validations': [{ rule: "self == 'a'" }] },
      default: ['a', 'b'],
    },
  }),
  bad('default-rules', 'a default that breaks a rule of a field', {
    field: {
      type: 'object',
      properties: { a: { ...text, 'x-kubernetes-validations': [{ rule: "self == 'a'" }] } },
      default: { a: 'b' },
    },
  }),

  ...[
    'self == oldSelf',
    'self.a == self.b && self.m == self.n && self.l == self.k',
    "'a' in self.l && 'b' in self.k && self.l in self.ll",
    'self.u[0] in self.u && self.u[1] in self.u && self.u[2] in self.u',
    'self.a + self.b + self.a < self.b',
    'size(self.l) > 0 && size(self.m) > 3 && size(self.a) > 4',
    'has(self.l) && self.l + self.k in self.ll',
  ].map((expression) =>
    good(`a rule that is cheap however large the object: ${expression}`, under(large, expression)),
  ),
  bad('cel-cost', 'a rule that costs too much', {
    ...under(large, 'self.l.all(x, self.l.all(y, x == y))'),
  }),
  good('a rule that costs more in a larger list', {
    ...under({ type: 'array', items: text, maxItems: 5 }, 'self.all(x, x != self[0])'),
  }),
  bad('cel-cost', 'a cheap rule that is asked too often', {
    field: {
      type: 'array',
      items: { ...large, 'x-kubernetes-validations': [{ rule: 'self.m == self.n' }] },
    },
  }),
  good('a rule about labels of a resource that declares all of its metadata', {
    ...under(resource({ name: text, generateName: text, labels }), 'has(self.metadata.labels)'),
  }),
  bad('cel-rule', 'a rule about labels of a resource that does not declare all', {
    ...under(resource({ name: text, labels }), 'has(self.metadata.labels)'),
  }),
  bad('cel-rule', 'two minuses before the smallest number, of which neither is its own', {
    ...under({ type: 'integer' }, 'self == --9223372036854775808'),
  }),
  bad('cel-rule', 'three minuses before the smallest number', {
    ...under({ type: 'integer' }, 'self == ---9223372036854775808'),
  }),
  good('a minus before the smallest number', {
    ...under({ type: 'integer' }, 'self == -9223372036854775808'),
  }),
];
