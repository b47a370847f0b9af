import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from './runs.ts';
import { readDocuments } from '../../yaml/read.ts';
import { formatCompactYaml } from '../../yaml/write.ts';

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    'a, b',
    '[x]',
    '{y}',
    'a: b',
    '#c',
    'a #b',
    '- d',
    '? e',
    'yes',
    '0644',
    '~',
    'f:',
    '*g',
    '&h',
    '!i',
    'j\nk\n',
    '\n',
    ' l',
    '“m”',
    '%n',
    '@o',
    '`p',
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

test('compact YAML reads back as the value that was written', () => {
  fc.assert(
    fc.property(fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 }), (document) => {
      const written = formatCompactYaml(document);
      const { documents, problems } = readDocuments(written);
      expect({ written, problems }).toEqual({ written, problems: [] });
      expect(documents.map((one) => one.value)).toEqual([JSON.parse(JSON.stringify(document))]);
    }),
    runs(1000),
  );
});

test('a value is on one line if the line has at most 100 columns, and in a block otherwise', () => {
  const names = (length: number) => ['a'.repeat(length), 'b'];
  const [short, long] = [87, 88].map((length) =>
    formatCompactYaml({ spec: { list: names(length) } }),
  );
  expect(short!.split('\n')[1]).toHaveLength(100);
  expect(long!.split('\n').slice(1, 3)).toEqual(['  list:', `    - ${'a'.repeat(88)}`]);
});
