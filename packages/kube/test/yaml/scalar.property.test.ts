import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NotJson, plainKey, resolvePlain, resolveTagged } from '../../yaml/scalar.ts';
import { goReader } from '@tenantry/test-tools/go/yaml-json';
import { runs } from './runs.ts';

const known: readonly [string, unknown][] = [
  ['0644', 420],
  ['0o17', 15],
  ['0O7', 7],
  ['-0o7', -7],
  ['0o17_7', 127],
  ['08', 8],
  ['1_000', 1000],
  ['1__0', 10],
  ['0x1F', 31],
  ['0b101', 5],
  ['0b-1', -1],
  ['1e3', 1000],
  ['.5', 0.5],
  ['.5_5', 0.55],
  ['._5', '._5'],
  ['1.', 1],
  ['+1', 1],
  ['-0', 0],
  ['-0.0', -0],
  ['1e400', '1e400'],
  ['0x', '0x'],
  ['0x10000000000000000', '0x10000000000000000'],
  ['123456789012345678901', 123456789012345680000],
  ['9007199254740991', 9007199254740991],
  ['12:30:45', '12:30:45'],
  ['2026-01-01', '2026-01-01'],
  ['yes', true],
  ['Off', false],
  ['y', true],
  ['tRUE', 'tRUE'],
  ['~', null],
  ['', null],
  ['Null', null],
  ['=', '='],
  ['<<', '<<'],
  ['infinity', 'infinity'],
  ['500m', '500m'],
  ['1Gi', '1Gi'],
  ['10.0.0.1', '10.0.0.1'],
];

test.each(known)('unquoted %s is %j', (text, value) => {
  expect(resolvePlain(text)).toBe(value);
});

test.each(['.inf', '-.Inf', '+.INF', '.nan', '9007199254740992', '-0x20000000000000'])(
  '%s is refused: JSON does not have this number, or not exactly',
  (text) => {
    expect(resolvePlain(text)).toBeInstanceOf(NotJson);
  },
);

test('integers and booleans become strings as keys, floats and null are refused', () => {
  expect(['0x10', 'yes', '1_0', 'a'].map(plainKey)).toEqual(['16', 'true', '10', 'a']);
  for (const text of ['1.5', '1e3', '~', '']) expect(plainKey(text)).toBeInstanceOf(NotJson);
});

test('an explicit tag must fit its value', () => {
  expect(resolveTagged('int', '0x10')).toBe(16);
  expect(resolveTagged('float', '1')).toBe(1);
  expect(resolveTagged('bool', 'on')).toBe(true);
  expect(resolveTagged('null', '')).toBe(null);
  for (const text of ['1.5', 'a', 'yes', '']) {
    expect(resolveTagged('int', text)).toBeInstanceOf(NotJson);
  }
});

const characters = fc.string({
  unit: fc.constantFrom(...'0123456789_+-.:eExXoObBaAfFnNyYiI~tTrRuUlLsS=<'),
  minLength: 1,
  maxLength: 8,
});
const underscored = fc
  .tuple(fc.oneof(fc.double(), fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n })), fc.nat(25))
  .map(([number, at]) => `${String(number).slice(0, at)}_${String(number).slice(at)}`);
const numbers = fc
  .tuple(
    fc.constantFrom('', '+', '-'),
    fc.constantFrom('', '0', '0x', '0X', '0o', '0O', '0b', '0B', '.', '00'),
    fc.bigInt({ min: 0n, max: 2n ** 70n }),
    fc.constantFrom(2, 8, 10, 16),
    fc.constantFrom('', '.', '_', 'e5', 'E-3', '.5e+2'),
  )
  .map(([sign, prefix, size, base, end]) => sign + prefix + size.toString(base) + end);
const timestamps = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
/** Texts that a YAML parser reads as one plain scalar, as a value and as a key. */
const scalars = fc
  .oneof(characters, characters, underscored, numbers, timestamps, fc.double().map(String))
  .filter((text) => !/^[-:]$|^:|:$|^---$/.test(text));

const ask = await goReader();
const withGo = ask === undefined ? test.skip : test;

withGo('every generated scalar is the value that kubectl reads', () => {
  const texts = [...known.map(([text]) => text), ...fc.sample(scalars, runs(20_000))];
  const answers = ask!(texts.map((text) => `v: ${text}\n`));
  const wrong = texts.filter((text, i) => {
    const ours = resolvePlain(text);
    const answer = answers[i]!;
    if (answer.error !== undefined) return !(ours instanceof NotJson);
    const theirs = (answer.value as { v: unknown }).v;
    if (ours instanceof NotJson) return Math.abs(Number(theirs)) <= Number.MAX_SAFE_INTEGER;
    return !Object.is(ours, theirs);
  });
  expect(wrong).toEqual([]);
});

withGo('every generated key is the string that kubectl makes of it', () => {
  const texts = fc.sample(scalars, runs(5000)).filter((text) => text !== '<<');
  const answers = ask!(texts.map((text) => `${text}: 1\n`));
  const wrong = texts.filter((text, i) => {
    const ours = plainKey(text);
    const answer = answers[i]!;
    if (ours instanceof NotJson) return typeof resolvePlain(text) === 'string';
    return answer.error !== undefined || Object.keys(answer.value as object)[0] !== ours;
  });
  expect(wrong).toEqual([]);
});
