import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatQuantity,
  shareUnits,
  MAX_AMOUNT,
  parseQuantity,
  QUANTITY_PATTERN,
} from '../quantity.ts';
import { runs } from './yaml/runs.ts';

const units: Readonly<Record<string, readonly [numerator: bigint, denominator: bigint]>> = {
  '': [1n, 1n],
  n: [1n, 10n ** 9n],
  u: [1n, 10n ** 6n],
  m: [1n, 1000n],
  k: [1000n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [1024n, 1n],
  Mi: [1024n ** 2n, 1n],
  Gi: [1024n ** 3n, 1n],
  Ti: [1024n ** 4n, 1n],
  Pi: [1024n ** 5n, 1n],
  Ei: [1024n ** 6n, 1n],
};

const written = fc
  .record({
    sign: fc.constantFrom('', '+', '-'),
    whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    fraction: fc.option(fc.stringMatching(/^[0-9]{0,12}$/), { nil: undefined }),
    suffix: fc.oneof(
      fc.constantFrom(...Object.keys(units)),
      fc.integer({ min: -20, max: 20 }).map((exponent) => `e${exponent}`),
    ),
  })
  .map((parts) => ({
    ...parts,
    text: `${parts.sign}${parts.whole}${parts.fraction === undefined ? '' : `.${parts.fraction}`}${parts.suffix}`,
  }));

test('a quantity is read exactly, in billionths, rounded away from zero', () => {
  fc.assert(
    fc.property(written, ({ sign, whole, fraction = '', suffix, text }) => {
      const exponent = suffix.startsWith('e') ? Number(suffix.slice(1)) : 0;
      const [numerator, denominator] = suffix.startsWith('e')
        ? [10n ** BigInt(Math.max(exponent, 0)), 10n ** BigInt(Math.max(-exponent, 0))]
        : units[suffix]!;
      const above = BigInt(`${whole}${fraction}`) * numerator * 10n ** 9n;
      const below = denominator * 10n ** BigInt(fraction.length);
      const exact = above / below + (above % below === 0n ? 0n : 1n);
      expect(parseQuantity(text)).toBe(sign === '-' ? -exact : exact);
      expect(text).toMatch(new RegExp(QUANTITY_PATTERN));
    }),
    runs(500),
  );
});

test.each([
  '',
  '.',
  '+',
  'half',
  '1 Gi',
  ' 1',
  '1Gi\n',
  '1gi',
  '1K',
  '0x10',
  '1e',
  '1e123',
  '1,5',
  'Infinity',
  'NaN',
  '١',
])('%j is not a quantity, and the pattern of the API server agrees', (text) => {
  expect(parseQuantity(text)).toBeUndefined();
  expect(text).not.toMatch(new RegExp(QUANTITY_PATTERN));
});

test('the parser and the pattern accept the same texts', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[-+.0-9eEkKmMiGnuPT]{0,8}$/), (text) => {
      expect(parseQuantity(text) !== undefined).toBe(new RegExp(QUANTITY_PATTERN).test(text));
    }),
    runs(500),
  );
});

test('1.5Gi and 1536Mi are one, 1G and 1Gi are two', () => {
  expect(parseQuantity('1.5Gi')).toBe(parseQuantity('1536Mi'));
  expect(parseQuantity('1G')).not.toBe(parseQuantity('1Gi'));
  expect(parseQuantity(2)).toBe(parseQuantity('2000m'));
  expect(parseQuantity('1E')).toBe(parseQuantity('1e18'));
});

test.each([
  ['requests.cpu', '4', 'm'],
  ['limits.cpu', '1500m', 'm'],
  ['cpu', 2, 'm'],
  ['requests.memory', '16Gi', 'Mi'],
  ['requests.memory', '1.5Gi', 'Mi'],
  ['requests.memory', '1Ti', 'Gi'],
  ['requests.memory', '1.00048828125Ti', 'Mi'],
  ['requests.memory', '512Ki', ''],
  ['requests.memory', '1000', ''],
  ['requests.storage', '1T', 'G'],
  ['requests.memory', '0.3Gi', ''],
  ['pods', 50, ''],
  ['pods', '3k', ''],
  ['example.com/cpus', '3', ''],
  ['requests.cpu.example.com/cards', '3', ''],
])('%s %s is divided in units of %j', (key, total, suffix) => {
  const unit = { suffix, nano: parseQuantity(`1${suffix}`) };
  expect(shareUnits(key, total).at(-1)).toEqual(unit);
});

test('an amount below a thousandth has no finer units, and the search for a unit ends', () => {
  const units = shareUnits('requests.memory', '10.5m');
  expect(units.at(-1)).toEqual({ suffix: '', nano: 10n ** 9n });
});

test('the maximum that the API server stores is one less than 8Ei', () => {
  expect(MAX_AMOUNT).toBe(parseQuantity('8Ei')! - parseQuantity(1)!);
});

test.each([
  ['requests.cpu', 20, '10', '10'],
  ['requests.cpu', '20', '2500m', '2500m'],
  ['requests.cpu', '20.0', '7', '7'],
  ['cpu', '1k', '500', '500'],
  ['cpu', '2k', '1k', '1k'],
  ['requests.cpu', '20000m', '10', '10000m'],
  ['requests.cpu', '10000u', '5m', '5m'],
  ['requests.memory', '4Gi', '2Gi', '2Gi'],
  ['requests.memory', '3Gi', '1.5Gi', '1536Mi'],
  ['requests.memory', '1.00048828125Ti', '512Gi', '512Gi'],
  ['requests.memory', '1.00048828125Ti', '524289Mi', '524289Mi'],
  ['requests.memory', '0.3Gi', '100', '100'],
  ['requests.storage', '1T', '500G', '500G'],
  ['pods', '3k', '1500', '1500'],
  ['pods', '3k', '1000', '1k'],
  ['pods', 50, '50', '50'],
  ['requests.memory', '1Gi', '0', '0'],
])('of %s %s, a share of %s is written %s', (key, total, share, text) => {
  expect(formatQuantity(parseQuantity(share)!, shareUnits(key, total))).toBe(text);
});

test('a share reads as its amount, in no finer unit than necessary', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 6n });
  const unit = fc.constantFrom('', 'k', 'M', 'G', 'Mi', 'Gi', 'Ti');
  const key = fc.constantFrom('cpu', 'limits.memory', 'pods');
  fc.assert(
    fc.property(amount, amount, unit, key, (total, part, suffix, name) => {
      const units = shareUnits(name, `${total}${suffix}`);
      const share = part * units.at(-1)!.nano;
      const text = formatQuantity(share, units);
      expect(parseQuantity(text)).toBe(share);
      const written = parseQuantity(`1${suffix}`)!;
      if (share > 0n && share % written === 0n) expect(text).toBe(`${share / written}${suffix}`);
    }),
    runs(200),
  );
});
