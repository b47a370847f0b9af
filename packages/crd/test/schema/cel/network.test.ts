import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileRule } from '../../../schema/cel/rule.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

/** Returns the verdict of a rule that needs no value. */
function verdictOf(rule: string): true | string {
  const compiled = compileRule({ rule }, { type: 'object' });
  expect(compiled.errors).toEqual([]);
  const verdict = compiled.evaluate({});
  if (verdict?.severity === 'not-checked') throw new Error(verdict.message);
  return verdict?.message ?? true;
}

const holds = (rule: string): boolean => verdictOf(rule) === true;

test.each<[string, string[], string[]]>([
  ['isUnspecified', ['0.0.0.0', '::'], ['0.0.0.1', '::1', '127.0.0.1']],
  [
    'isLoopback',
    ['127.0.0.0', '127.255.255.255', '::1'],
    ['126.255.255.255', '128.0.0.0', '::', '::2'],
  ],
  [
    'isLinkLocalUnicast',
    ['169.254.0.0', '169.254.255.255', 'fe80::', 'febf:ffff::1'],
    ['169.253.0.1', '169.255.0.1', 'fec0::', 'fe7f::1'],
  ],
  [
    'isLinkLocalMulticast',
    ['224.0.0.0', '224.0.0.255', 'ff02::1', 'ff32::1', 'fff2:ffff::'],
    ['224.0.1.0', '223.0.0.1', 'ff01::1', 'ff0e::1', 'fe02::1', '::'],
  ],
  [
    'isGlobalUnicast',
    [
      '10.0.0.1',
      '255.255.255.254',
      '2001:db8::1',
      'fd00::1',
      '::ff',
      '::255.255.255.255',
      '::fffe:ffff:ffff',
    ],
    [
      '0.0.0.0',
      '255.255.255.255',
      '127.0.0.1',
      '224.0.0.1',
      '239.255.255.255',
      '169.254.1.1',
      '::',
      '::1',
      'ff0e::1',
      'fe80::1',
    ],
  ],
])('%s judges an address as Go does', (method, are, areNot) => {
  expect(are.filter((address) => !holds(`ip("${address}").${method}()`))).toEqual([]);
  expect(areNot.filter((address) => holds(`ip("${address}").${method}()`))).toEqual([]);
});

test('an IPv4 address is never an IPv6 address, whatever its bits', () => {
  expect(holds('ip("1.2.3.4").family() == 4 && ip("::1.2.3.4").family() == 6')).toBe(true);
  expect(holds('ip("1.2.3.4") == ip("::1.2.3.4")')).toBe(false);
  expect(holds('cidr("::/96").containsIP("1.2.3.4")')).toBe(false);
  expect(holds('cidr("0.0.0.0/0").containsIP("::1.2.3.4")')).toBe(false);
});

test.each(['1.2.3', '01.2.3.4', '::ffff:1.2.3.4', '::ffff:0:0', 'fe80::1%eth0', ''])(
  '%j is not an address',
  (text) => {
    expect(holds(`isIP("${text}")`)).toBe(false);
    expect(holds(`isCIDR("${text}/1")`)).toBe(false);
    expect(verdictOf(`ip("${text}").family() == 4`)).toContain(
      `IP Address "${text}" parse error during conversion from string`,
    );
  },
);

test.each(['1.2.3.4', '::', '::1', '::fffe:102:304', '::1:ffff:102:304'])(
  '%j is an address, and blocks may begin with it',
  (text) => {
    expect(holds(`isIP("${text}") && isCIDR("${text}/0")`)).toBe(true);
  },
);

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '::/129',
  '::/',
  '/8',
  '::/08',
  '::/1a',
  '::/a1',
  '::/-1',
  '::/1000',
  '::/1/1',
  '10.0.0.0/8 ',
])('%j is not a block of addresses', (text) => {
  expect(holds(`isCIDR("${text}")`)).toBe(false);
  expect(verdictOf(`cidr("${text}").prefixLength() == 8`)).toContain(
    'network address parse error during conversion from string',
  );
});

test('a block may have as many bits as its addresses', () => {
  for (const text of ['0.0.0.0/0', '1.2.3.4/32', '1.2.3.4/9', '::/0', '::1/128', '::1/99']) {
    expect(holds(`isCIDR("${text}")`)).toBe(true);
  }
});

/** Formats as in RFC 5952: it shortens the longest row of at least two zero groups, the first if several are equal. */
function written(groups: readonly number[]): string {
  const text = groups.map((group) => group.toString(16));
  const rows = groups.map((_, from) => {
    const end = groups.findIndex((group, i) => i >= from && group !== 0);
    return (end < 0 ? groups.length : end) - from;
  });
  const most = Math.max(...rows);
  if (most < 2) return text.join(':');
  const from = rows.indexOf(most);
  return `${text.slice(0, from).join(':')}::${text.slice(from + most).join(':')}`;
}

const group = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.constantFrom(1, 0x10, 0x100, 0xa0b0, 0xffff),
);

test('an address is written as in RFC 5952, and that form is canonical', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      fc.pre(groups.slice(0, 5).some((one) => one !== 0) || groups[5] !== 0xffff);
      const long = groups.map((one) => one.toString(16).padStart(4, '0')).join(':');
      const short = written(groups);
      expect(verdictOf(`string(ip("${long}")) == "${short}"`)).toBe(true);
      expect(verdictOf(`ip.isCanonical("${short}")`)).toBe(true);
      expect(holds(`ip.isCanonical("${long}")`)).toBe(long === short);
    }),
    runs(150),
  );
  expect(holds('string(ip("192.0.2.1")) == "192.0.2.1" && ip.isCanonical("255.255.255.0")')).toBe(
    true,
  );
  expect(verdictOf('ip.isCanonical("a")')).toContain('parse error');
});

test('a block contains the addresses that begin with its bits', () => {
  const inside = (rule: string) => holds(`cidr("10.16.0.0/12").${rule}`);
  expect(
    inside('containsIP("10.16.0.0") && cidr("10.16.0.0/12").containsIP("10.31.255.255")'),
  ).toBe(true);
  expect(inside('containsIP(ip("10.20.0.1"))')).toBe(true);
  expect(inside('containsIP("10.15.255.255")')).toBe(false);
  expect(inside('containsIP(ip("10.32.0.0"))')).toBe(false);
  expect(verdictOf('cidr("10.0.0.0/8").containsIP("a")')).toContain('no such overload');
});

test('a block contains blocks of at least as many bits that begin with its own', () => {
  const inside = (text: string) =>
    ['"', 'cidr("'].map((open) => {
      const close = open === '"' ? '"' : '")';
      return holds(`cidr("10.16.0.0/12").containsCIDR(${open}${text}${close})`);
    });
  expect(inside('10.16.0.0/12')).toEqual([true, true]);
  expect(inside('10.31.0.0/16')).toEqual([true, true]);
  expect(inside('10.16.0.0/11')).toEqual([false, false]);
  expect(inside('10.32.0.0/16')).toEqual([false, false]);
  expect(inside('::/12')).toEqual([false, false]);
});

test('a block has its written address, its bits, and a masked address', () => {
  expect(holds('cidr("10.1.2.3/8").ip() == ip("10.1.2.3")')).toBe(true);
  expect(holds('cidr("10.1.2.3/8").prefixLength() == 8')).toBe(true);
  expect(holds('cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8")')).toBe(true);
  expect(holds('string(cidr("2001:db8::1:0/120").masked()) == "2001:db8::1:0/120"')).toBe(true);
  expect(holds('string(cidr("2001:db8:ff::/33").masked()) == "2001:db8::/33"')).toBe(true);
  expect(holds('string(cidr("10.1.2.3/8")) == "10.1.2.3/8"')).toBe(true);
});

test('two blocks are equal if both the address and the bits are', () => {
  expect(holds('cidr("10.0.0.0/8") == cidr("10.0.0.0/8")')).toBe(true);
  expect(holds('cidr("10.0.0.0/8") == cidr("10.0.0.0/9")')).toBe(false);
  expect(holds('cidr("10.0.0.0/8") == cidr("10.0.0.1/8")')).toBe(false);
});

test('an address and a block cannot be compared', () => {
  expect(verdictOf('dyn(ip("::1")) == dyn(cidr("::1/128"))')).toContain('no such overload');
  expect(verdictOf('dyn(cidr("::1/128")) == dyn(ip("::1"))')).toContain('no such overload');
});

test('every address is a non-zero value, even the unspecified one', () => {
  expect(holds('optional.ofNonZeroValue(ip("::")).hasValue()')).toBe(true);
});

test('types of addresses and blocks have names', () => {
  expect(holds('type(ip("::1")) == net.IP && type(cidr("::/0")) == net.CIDR')).toBe(true);
});
