import type { JSONSchemaProps, ValidationRule } from '@tenantry/crd/schema/json-schema';
import { list, map, text } from '@tenantry/crd/test/schema/bounded-schemas';
import { bad, good, type Changes, type DefinitionCase } from './case.ts';

const object = (
  properties: Readonly<Record<string, JSONSchemaProps>>,
  more: JSONSchemaProps = {},
): JSONSchemaProps => ({ type: 'object', properties, ...more });
/** Returns a schema with rules. */
const under = (
  schema: JSONSchemaProps,
  ...rules: (string | ValidationRule)[]
): JSONSchemaProps => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const repeated = (count: number, rule: string): string[] =>
  Array.from({ length: count }, () => rule);

const field = (schema: JSONSchemaProps): Changes => ({ field: schema });

/** A schema that depends on a number, and the highest number that the API server accepts. */
interface Brink {
  readonly title: string;
  readonly most: number;
  readonly rule?: 'cel-cost' | 'cel-cost-together';
  readonly of: (n: number) => Changes;
}

const quadratic = 'self.all(x, self.all(y, x == y))';
const whole = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const named = (maxLength: number, generateName?: JSONSchemaProps): JSONSchemaProps => ({
  ...whole,
  properties: {
    apiVersion: text(),
    kind: text(),
    metadata: object({ name: text(maxLength), ...(generateName && { generateName }) }),
  },
});

/** Schemas that are tested on both sides of their limit. */
const brinks: readonly Brink[] = [
  {
    title: 'items of a list compared with each other',
    most: 1194,
    of: (n) => field(under(list(text(5), n), quadratic)),
  },
  {
    title: 'texts in lists of a length',
    most: 2485,
    of: (n) => field(under(list(text(n), 100), quadratic)),
  },
  {
    title: 'a text found in another',
    most: 7905,
    of: (n) => field(under(text(n), 'self.contains(self)')),
  },
  {
    title: 'a text matched by itself',
    most: 4999,
    of: (n) => field(under(text(n), 'self.matches(self)')),
  },
  {
    title: 'bytes that become a text',
    most: 31610,
    of: (n) => field(under({ ...text(n), format: 'byte' }, 'string(self).contains(string(self))')),
  },
  {
    title: 'a number or a text',
    most: 7902,
    of: (n) =>
      field(
        under(
          { 'x-kubernetes-int-or-string': true, maxLength: n },
          'string(self) == "a" || self.contains(self)',
        ),
      ),
  },
  {
    title: 'rules asked of each item',
    most: 24875,
    of: (n) => field(list(under(text(50), 'self.contains(self)'), n)),
  },
  {
    title: 'rules asked of each value of a mapping',
    most: 24875,
    of: (n) => field(map(under(text(50), 'self.contains(self)'), n)),
  },
  {
    title: 'rules asked of each item of lists in lists',
    most: 1243,
    of: (n) => field(list(list(under(text(50), 'self.contains(self)'), n), 20)),
  },
  {
    title: 'rules asked in a list without a bound',
    most: 12,
    of: (n) => field(list(under(object({ a: text(n) }), 'self.a.startsWith(self.a)'))),
  },
  {
    title: 'mandatory fields that leave room for fewer items',
    most: 377,
    of: (n) =>
      field(
        list(
          under(
            object(
              { a: text(n), aLongerName: text(), when: { type: 'string', format: 'date-time' } },
              { required: ['aLongerName', 'when'] },
            ),
            'self.a == self.aLongerName',
          ),
        ),
      ),
  },
  {
    title: 'a mandatory field with a default, which leaves them their room',
    most: 12,
    of: (n) =>
      field(
        list(
          under(
            object({ a: text(n), b: { ...text(), default: 'b' } }, { required: ['b'] }),
            'self.a == self.b',
          ),
        ),
      ),
  },
  {
    title: 'a mapping beside what is not known of its values',
    most: 3,
    of: (n) => field(under(map(list(text(5), n)), 'self.all(k, self[k].all(x, x == "abc"))')),
  },
  {
    title: 'a rule on the value before',
    most: 999,
    of: (n) => field(under(list(text(9), n), 'oldSelf.all(x, self.exists(y, x == y))')),
  },
  {
    title: 'a rule on a value before that may not be there',
    most: 999,
    of: (n) =>
      field(
        under(list(text(9), n), {
          rule: 'oldSelf.hasValue() && self.all(x, self.exists(y, x == y))',
          optionalOldSelf: true,
        }),
      ),
  },
  {
    title: 'a list gone through again for what is in its items',
    most: 497,
    of: (n) =>
      field(
        under(
          object({ groups: list(object({ a: list(text(5), n), b: list(text(5), 8) }), 40) }),
          'self.groups.all(g, g.a.all(m, m in g.a))',
        ),
      ),
  },
  {
    title: 'a list that is estimated as long as the last field that its body reads',
    most: 497,
    of: (n) =>
      field(
        under(
          object({ groups: list(object({ a: list(text(5), 8), b: list(text(5), n) }), 40) }),
          'self.groups.all(g, g.a.all(m, m in g.b))',
        ),
      ),
  },
  {
    title: 'a name of a resource that declares all of its metadata',
    most: 7905,
    of: (n) => field(under(named(n, text()), 'self.metadata.name.contains(self.metadata.name)')),
  },
  {
    title: 'lists sorted',
    most: 1543,
    of: (n) => field(under(list(text(5), n), 'self.sort() == self.distinct()')),
  },
  {
    title: 'lists made',
    most: 744,
    of: (n) => field(under(list(text(5), n), 'self.map(x, self.map(y, x + y)).size() > 0')),
  },
  {
    title: 'sets compared',
    most: 2236,
    of: (n) => field(under(list(text(5), n), 'sets.equivalent(self, self)')),
  },
  {
    title: 'a rule that costs as much as may be',
    most: 2_500_000,
    of: (n) => field(list(under({ type: 'integer' }, 'self > 0 && self > 1'), n)),
  },
  {
    title: 'rules that together cost as much as may be',
    most: 10,
    rule: 'cel-cost-together',
    of: (n) =>
      field(list(under({ type: 'integer' }, ...repeated(n, 'self > 0 && self > 1')), 2_500_000)),
  },
  {
    title: 'fields beside others that are not known',
    most: 24_875,
    of: (n) =>
      field({
        type: 'object',
        additionalProperties: true,
        maxProperties: n,
        properties: { a: under(text(50), 'self.contains(self)') },
      }),
  },
  {
    title: 'a message',
    most: 455,
    of: (n) =>
      field(
        under(list(text(n), 300), {
          rule: 'true',
          messageExpression: 'self.exists(x, x.contains(x)) ? "a" : "b"',
        }),
      ),
  },
  {
    title: 'a message of each item, which is made once',
    most: 7905,
    of: (n) =>
      field(
        list(
          under(text(n), { rule: 'true', messageExpression: 'self.contains(self) ? "a" : "b"' }),
        ),
      ),
  },
  {
    title: 'many rules, each of them within its bound',
    most: 14,
    rule: 'cel-cost-together',
    of: (n) => field(under(list(text(5), 1000), ...repeated(n, quadratic))),
  },
  {
    title: 'rules and messages together',
    most: 340,
    rule: 'cel-cost-together',
    of: (n) =>
      field(
        under(
          list(text(n), 300),
          ...Array.from({ length: 9 }, () => ({
            rule: 'self.exists(x, x.contains(x))',
            messageExpression: 'self.exists(x, x.contains(x)) ? "a" : "b"',
          })),
        ),
      ),
  },
];

const refused = ({ title, most, rule = 'cel-cost', of }: Brink): DefinitionCase[] => [
  good(`${title}, as many as may be: ${most}`, of(most)),
  bad(rule, `${title}, one too many: ${most + 1}`, of(most + 1)),
];

const OF_NAMES = 'schema.properties.metadata';
const names = under(text(63), 'self.contains(self)');

/** The costs of CEL rules by the API server's estimate. */
export const costCases: readonly DefinitionCase[] = [
  ...brinks.flatMap(refused),
  good('a rule about the name of an object', { [OF_NAMES]: object({ name: names }) }),
  bad('cel-cost', 'the same below a rule of the object, for which the name has no bound', {
    [OF_NAMES]: object({ name: names }),
    'schema.x-kubernetes-validations': [{ rule: 'true' }],
  }),
  good('the same in an object that declares all that every object has', {
    [OF_NAMES]: object({ name: names, generateName: text() }),
    'schema.properties.apiVersion': text(),
    'schema.properties.kind': text(),
    'schema.x-kubernetes-validations': [{ rule: 'true' }],
  }),
];
