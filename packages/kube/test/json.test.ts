import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonTooDeep, MAX_JSON_DEPTH, parseJson, replaceTooDeep } from '../json.ts';
import { runs } from './yaml/runs.ts';

test('JSON is read as JSON.parse reads it', () => {
  const same = fc.property(fc.json(), (text) => expect(parseJson(text)).toEqual(JSON.parse(text)));
  fc.assert(same, runs(100));
});

test('brackets in strings are not nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(2 * MAX_JSON_DEPTH), '{"\\': ['"{'] });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])(
  '%s may be nested up to a bound, and deeper values are refused at their place',
  (open, close) => {
    const nested = (depth: number): string =>
      open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
    expect(parseJson(nested(MAX_JSON_DEPTH))).toBeDefined();
    for (const depth of [MAX_JSON_DEPTH + 1, 50_000]) {
      expect(() => parseJson(nested(depth))).toThrow(JsonTooDeep);
      expect(() => parseJson(nested(depth))).toThrow('must be nested at most 500 deep, got more');
      expect(() => parseJson(nested(depth))).toThrow(
        expect.objectContaining({ offset: open.length * MAX_JSON_DEPTH }),
      );
    }
  },
);

test('adjacent lists are no deeper than one', () => {
  expect(parseJson(`[${'[],'.repeat(10_000)}[]]`)).toHaveLength(10_001);
});

test('only collections that are nested too deep are replaced', () => {
  const nested = (depth: number, inner: string): string =>
    '['.repeat(depth) + inner + ']'.repeat(depth);
  const kept = nested(MAX_JSON_DEPTH, '1,2');
  expect(replaceTooDeep(kept, 'x')).toBe(kept);
  const deep = `1,${nested(40_000, '"]"')},2,{"a":"}"}`;
  expect(replaceTooDeep(nested(MAX_JSON_DEPTH, deep), 'null')).toBe(
    nested(MAX_JSON_DEPTH, '1,null,2,null'),
  );
  expect(replaceTooDeep(`[${nested(600, '1')},{"b":[${nested(600, '2')}]},3]`, '0')).toBe(
    `[${nested(MAX_JSON_DEPTH - 1, '0')},{"b":[${nested(MAX_JSON_DEPTH - 3, '0')}]},3]`,
  );
});
