import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BrokenExpression, Undecided } from '../../../schema/cel/failure.ts';
import { parse } from '../../../schema/cel/parse.ts';
import { compileRule } from '../../../schema/cel/rule.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const holds = (rule: string): unknown =>
  compileRule({ rule }, { type: 'object', properties: { a: { type: 'string' } } }).evaluate({});

test('a text literal has the value that it was built from', () => {
  const anyText = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(anyText, (text) => {
      const literal = JSON.stringify(text).replaceAll(/[\u2028\u2029]/g, ' ');
      const node = parse(literal.replaceAll('\\/', '/'));
      expect(node).toMatchObject({ kind: 'const', value: text.replaceAll(/[\u2028\u2029]/g, ' ') });
    }),
    runs(300),
  );
});

test('the parser returns an expression for any text or the place of an error', () => {
  const bits = fc.constantFrom(
    ...'self . ( ) [ ] { } , ? : ! - + * / % && || == < in "a" \' 1 1.5 1u 0x b"a" r"\\" has all x // \n'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 12 }), (words) => {
      const text = words.join(' ');
      try {
        parse(text);
      } catch (error) {
        if (error instanceof Undecided) return;
        expect(error).toBeInstanceOf(BrokenExpression);
        expect((error as BrokenExpression).at).toBeLessThanOrEqual(text.length);
      }
    }),
    runs(2000),
  );
});

test('an inner name hides an outer one, which is visible again afterwards', () => {
  expect(holds('[1].all(x, [2].all(x, x == 2) && x == 1)')).toBeUndefined();
  expect(holds('[1].all(x, [[3]].all(x, x.all(x, x == 3)) && [x] == [1])')).toBeUndefined();
  expect(holds('[1, 2].map(x, [10].map(y, x + y)[0]) == [11, 12]')).toBeUndefined();
});
