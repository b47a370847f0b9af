import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../connection/json.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('an integer of 64 bits keeps every digit, at any place in the text', () => {
  fc.assert(
    fc.property(int64, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      for (const text of [
        `[${space}${value}]`,
        `{"a":${space}${value},"b":[1,${space}${value}]}`,
      ]) {
        expect(stringifyJson(parseJson(text))).toBe(text.replaceAll(/\s/g, ''));
      }
    }),
    runs(100),
  );
});

test('a value is a bigint only if a number cannot hold it', () => {
  expect(parseJson('[9007199254740991, 9007199254740993]')).toEqual([
    9007199254740991,
    9007199254740993n,
  ]);
  expect(parseJson('{"a":-9007199254740993}')).toEqual({ a: -9007199254740993n });
  expect(parseJson('[1234567890123456.5, 1e30]')).toEqual([1234567890123456.5, 1e30]);
});

test('all other JSON is read and written as by JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCodePoint }), (value) => {
      const text = JSON.stringify(value);
      expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    runs(100),
  );
});

test('digits in a string stay a string', () => {
  expect(parseJson('{"a":"x: 12345678901234567890"}')).toEqual({ a: 'x: 12345678901234567890' });
});
