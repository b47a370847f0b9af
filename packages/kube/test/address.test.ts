import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { isCidr, isEmail, isIPv4, isIPv6, isMac, parseIPv4, parseIPv6 } from '../address.ts';
import { runs } from './yaml/runs.ts';

test('the bits of an IPv4 address are its four numbers', () => {
  const octet = fc.nat(255);
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const bits = (BigInt(a) << 24n) | (BigInt(b) << 16n) | (BigInt(c) << 8n) | BigInt(d);
      expect(parseIPv4(`${a}.${b}.${c}.${d}`)).toBe(bits);
    }),
    runs(400),
  );
});

const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
const hex = (list: readonly number[]) => list.map((group) => group.toString(16)).join(':');
const bitsOf = (list: readonly number[]) =>
  list.reduce((bits, group) => (bits << 16n) | BigInt(group), 0n);

test('the bits of an IPv6 address are its eight groups', () => {
  fc.assert(
    fc.property(groups, (list) => {
      expect(parseIPv6(hex(list))).toBe(bitsOf(list));
      expect(parseIPv6(hex(list).toUpperCase())).toBe(bitsOf(list));
    }),
    runs(400),
  );
});

test('two colons replace the missing groups of zeros, at least one', () => {
  fc.assert(
    fc.property(groups, fc.nat(7), fc.nat(8), (list, from, count) => {
      const to = Math.min(from + 1 + count, 8);
      const zeros = list.map((group, i) => (i >= from && i < to ? 0 : group));
      const text = `${hex(zeros.slice(0, from))}::${hex(zeros.slice(to))}`;
      expect(parseIPv6(text)).toBe(bitsOf(zeros));
    }),
    runs(400),
  );
});

test('the last two groups may be written as an IPv4 address', () => {
  expect(parseIPv6('::1.2.3.4')).toBe(0x01020304n);
  expect(parseIPv6('64:ff9b::192.0.2.33')).toBe(parseIPv6('64:ff9b::c000:221'));
  expect(parseIPv6('1:2:3:4:5:6:7.8.9.10')).toBe(parseIPv6('1:2:3:4:5:6:708:90a'));
});

test('a text is an address exactly if Node accepts it', () => {
  const text = fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F:.]{0,20}$/),
    fc.stringMatching(/^([0-9]{1,3}\.){2,4}[0-9]{1,3}$/),
    fc.stringMatching(/^([0-9a-f]{0,5}:){1,8}([0-9a-f]{0,5}|1\.2\.3\.4)$/),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(parseIPv4(text) !== undefined).toBe(isIP(text) === 4);
      expect(parseIPv6(text) !== undefined).toBe(isIP(text) === 6);
    }),
    runs(4000),
  );
});

test.each([
  '',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '::1:2:3:4:5:6:7:8',
  '1::2::3',
  '1:2:3:4:5:6:7:1.2.3.4',
  '1.2.3.4::',
  '::1.2.3',
  '::1.2.3.4:5',
  '::12345',
  '::g',
  ' ::',
  '::\n',
  '::01.2.3.4',
  '00001::',
])('%j is not an IPv6 address', (text) => {
  expect(parseIPv6(text)).toBeUndefined();
});

test.each(['1.2.3', '1.2.3.4.5', '256.1.1.1', '1.2.3.04', ' 1.2.3.4', '1.2.3.4\n', '1.2..4', 'a'])(
  '%j is not an IPv4 address',
  (text) => {
    expect(parseIPv4(text)).toBeUndefined();
  },
);

test('Kubernetes still accepts leading zeros where it always did', () => {
  expect(parseIPv4('01.002.3.4', 'sloppy')).toBe(parseIPv4('1.2.3.4'));
  expect(parseIPv6('00001::', 'sloppy')).toBe(parseIPv6('1::'));
  expect(parseIPv6('::01.2.3.4', 'sloppy')).toBe(parseIPv6('::1.2.3.4'));
  expect(parseIPv4('0256.1.1.1', 'sloppy')).toBeUndefined();
  expect(parseIPv6('0g::', 'sloppy')).toBeUndefined();
  expect(parseIPv6('::g1', 'sloppy')).toBeUndefined();
});

// Go decides the family by whether the address contains IPv4, in any form: net.ParseIP(...).To4().
test('the format ipv4 is decided by the first dot or colon, and a colon alone means ipv6', () => {
  for (const text of ['1.2.3.4', '01.002.3.4', '::1.2.3.4', '::ffff:1.2.3.4']) {
    expect(isIPv4(text)).toBe(true);
  }
  for (const text of ['::1', '1.2.3', '', 'a.b', '::1.2.3', '1.2.3.4:', 'x1.2.3.4']) {
    expect(isIPv4(text)).toBe(false);
  }
  for (const text of ['::', '::1.2.3.4', '1:2:3:4:5:6:7:8']) expect(isIPv6(text)).toBe(true);
  for (const text of ['1.2.3.4', '00001::', '', ':', '1.2.3.4:']) expect(isIPv6(text)).toBe(false);
});

test('a block of the format cidr is an address and a number of bits, both with leading zeros', () => {
  for (const text of [
    '0.0.0.0/0',
    '10.1.2.3/32',
    '010.0.0.0/008',
    '::/0',
    '00001::/128',
    '::1.2.3.4/33',
  ]) {
    expect(isCidr(text)).toBe(true);
  }
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '::/129',
    '::/-1',
    '::/1x',
    '::/x1',
    '10.0.0.0/8/8',
    '10.0.0.0/0x8',
    '10.0.0.0/1e1',
    `::/${'9'.repeat(30)}`,
    'a/8',
  ]) {
    expect(isCidr(text)).toBe(false);
  }
});

test('a hardware address has 6, 8 or 20 bytes, and one kind of separator', () => {
  const bytes = (count: number) => Array.from({ length: count }, (_, i) => `a${i % 10}`);
  for (const count of [6, 8, 20]) {
    expect(isMac(bytes(count).join(':'))).toBe(true);
    expect(isMac(bytes(count).join('-'))).toBe(true);
    expect(isMac(bytes(count).join(''))).toBe(true);
    const pairs = bytes(count).join('').match(/.{4}/g)!;
    expect(isMac(pairs.join('.'))).toBe(true);
  }
  for (const count of [1, 2, 5, 7, 9, 19, 21]) {
    expect(isMac(bytes(count).join(':'))).toBe(false);
    expect(isMac(bytes(count).join(''))).toBe(false);
  }
  for (const text of [
    'xx:23:45:67:89:ab',
    '01:23-45:67:89:ab',
    '01-23:45:67:89:ab',
    '01.23.45.67.89.ab',
    '0123:4567:89ab',
    '0123.4567.89:ab',
    '0123.45.6789ab',
    '01:2345:67:89:ab',
    '01:23:45:67:89:a',
    '01:23:45:67:89:ag',
    ' 01:23:45:67:89:ab',
    '01:23:45:67:89:ab:',
    '01:23:45:67:89:ab\n',
    '',
  ]) {
    expect(isMac(text)).toBe(false);
  }
});

test('a mail address has one @ between atoms, and everything else is left to the API server', () => {
  for (const text of ['a@b', 'a.b+c@d.e', 'é@ü', "!#$%&'*+/=?^_`{|}~-@a"]) {
    expect(isEmail(text)).toBe(true);
  }
  for (const text of [
    'a',
    '',
    'a b',
    'a@b@c',
    '@b',
    'a@',
    'a..b@c',
    '.a@b',
    'a.@b',
    'a@.b',
    'a@b.',
  ]) {
    expect(isEmail(text)).toBe(false);
  }
  for (const text of [
    'Ann <a@b>',
    '"a b"@c',
    'a@[1.2.3.4]',
    'a(x)@b',
    'a,b@c',
    'a;@b',
    'a\\@b',
    'a:@b',
    'a@b\n',
    'a@\u007f',
  ]) {
    expect(isEmail(text)).toBeUndefined();
  }
});

test('an address of four numbers is valid whatever surrounds its dots', () => {
  const number = '0*(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
  const model = new RegExp(`^(?:${number}\\.){3}${number}$`);
  const part = fc.constantFrom(
    '0',
    '7',
    '10',
    '255',
    '256',
    '007',
    '0255',
    '',
    '.',
    '-1',
    'a',
    ' ',
  );
  const texts = fc.array(part, { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.'));
  let addresses = 0;
  fc.assert(
    fc.property(texts, (text) => {
      expect(isIPv4(text)).toBe(model.test(text));
      if (isIPv4(text)) addresses += 1;
    }),
    runs(4000),
  );
  expect(addresses).toBeGreaterThan(20);
});
