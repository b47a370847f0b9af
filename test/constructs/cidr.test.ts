import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isIP } from 'node:net';
import { isAnywhere } from '../../model/rules/network-reach.ts';
import {
  contains,
  formatInvalidCidr,
  parseCidr,
  formatAddress,
  parseIPv4,
  parseIPv6,
  type Cidr,
} from '@tenantry/kube/address';
import { runs } from '@tenantry/kube/test/yaml/runs';

test.each([
  '10.0.0.0/8',
  '0.0.0.0/0',
  '255.255.255.255/32',
  '::/0',
  'fd00::/8',
  '2001:db8::1/128',
  '::10.0.0.0/104',
])('%s is an address block', (text) => {
  expect(parseCidr(text)).toBeDefined();
});

test.each([
  '10.0.0.1/8',
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/08',
  '10.0.0.0/33',
  '010.0.0.0/8',
  '10.0.0.0/8/8',
  'x/10.0.0.0/8',
  'fd00::1/16',
  'fe80::%eth0/64',
  '::/129',
  '::ffff:0:0/96',
  '::ffff:10.0.0.0/104',
  '::FFFF:a00:0/104',
])('%s is not an address block', (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

/** An IPv4 block of at least /16, in parts of /16: the parts that it covers, and its text. */
const blockOf = (minimum: number, maximum: number) =>
  fc.tuple(fc.integer({ min: minimum, max: maximum }), fc.nat(65535)).map(([bits, part]) => {
    const count = 2 ** (16 - bits);
    const first = part - (part % count);
    return { first, count, text: `${first >> 8}.${first & 255}.0.0/${bits}` };
  });

const parsed = (text: string): Cidr => parseCidr(text)!;

test('one block is in another when all its addresses are', () => {
  fc.assert(
    fc.property(blockOf(0, 16), blockOf(0, 16), (outer, inner) => {
      expect(isIP(outer.text.split('/')[0]!)).toBe(4);
      const within =
        inner.first >= outer.first && inner.first + inner.count <= outer.first + outer.count;
      expect(contains(parsed(outer.text), parsed(inner.text))).toBe(within);
    }),
    runs(100),
  );
});

test('a block of one family is never in a block of the other, whatever its bits', () => {
  expect(contains(parsed('0.0.0.0/0'), parsed('::1.2.3.4/128'))).toBe(false);
  expect(contains(parsed('::/96'), parsed('1.2.3.4/32'))).toBe(false);
});

const isPrivate = (part: number): boolean => {
  const [a, b] = [part >> 8, part & 255];
  return a === 10 || (a === 172 && b >> 4 === 1) || part === 0xc0a8 || (a === 100 && b >> 6 === 1);
};

test('blocks count as anywhere when they contain more public addresses than a /8, however they are split', () => {
  fc.assert(
    fc.property(fc.array(blockOf(7, 16), { maxLength: 6 }), (blocks) => {
      const covered = new Set<number>();
      for (const { first, count } of blocks) {
        for (let part = first; part < first + count; part += 1) {
          if (!isPrivate(part)) covered.add(part);
        }
      }
      expect(isAnywhere(blocks.map(({ text }) => parsed(text)))).toBe(covered.size > 256);
    }),
    runs(100),
  );
});

test.each<[string[], boolean]>([
  [[], false],
  [['1.0.0.0/8'], false],
  [['1.0.0.0/8', '2.0.0.0/32'], true],
  [['1.0.0.0/8', '1.0.0.0/8'], false],
  [['1.0.0.0/8', '1.1.0.0/16'], false],
  [['1.0.0.0/8', '1.255.255.255/32'], false],
  [['1.0.0.0/9', '1.0.0.0/8', '2.0.0.0/32'], true],
  // Private addresses do not count: at either end of a block, in its middle, around it.
  [['10.0.0.0/7'], false],
  [['10.0.0.0/7', '1.0.0.0/32'], true],
  [['172.0.0.0/8', '9.0.0.0/12'], false],
  [['172.0.0.0/8', '9.0.0.0/12', '1.0.0.0/32'], true],
  [['192.0.0.0/8', '9.0.0.0/16'], false],
  [['100.0.0.0/8', '9.0.0.0/10'], false],
  [['10.0.0.0/9', '1.0.0.0/8', '2.0.0.0/32'], true],
  [['10.128.0.0/9', '1.0.0.0/8', '2.0.0.0/32'], true],
  [['10.0.0.0/32', '10.255.255.255/32', '1.0.0.0/8'], false],
  [['2a00::/16'], false],
  [['2a00::/16', '2b00::/128'], true],
  [['fc00::/7'], true],
  [['fd00::/16'], false],
  [['2001:db8::/32'], false],
  [['2001:200::/24'], false],
  [['2001::/32'], true],
  [['2002:a00::/24'], true],
  [['fe80::/64'], true],
  [['ff00::/16'], true],
  [['64:ff9b::/104'], false],
  [['64:ff9b::/103'], true],
  [['64:ff9b::/104', '1.0.0.0/8'], true],
])('%j counts as anywhere: %s', (blocks, anywhere) => {
  expect(isAnywhere(blocks.map(parsed))).toBe(anywhere);
});

test.each([
  ['10.1.2.3/16', '10.1.0.0/16'],
  ['010.1.2.0/24', '10.1.2.0/24'],
  ['10.0.0.0/08', '10.0.0.0/8'],
  ['fd00::1/16', 'fd00::/16'],
  ['2001:DB8:0:0:1::9/80', '2001:db8:0:0:1::/80'],
  ['::1/0', '::/0'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
])('%s most likely means %s', (text, meant) => {
  expect(formatInvalidCidr(text)).toMatch(/, got '[^']*'; did you mean '[^']*'\?$/);
  expect(formatInvalidCidr(text)).toContain(`did you mean '${meant}'?`);
  expect(parseCidr(meant)).toBeDefined();
});

test.each(['10.0.0.0', '10.0.0/8', '10.0.0.0/33', '::ffff:0:0/90', 'x/8'])(
  'no correction is suggested for %s',
  (text) => {
    expect(formatInvalidCidr(text)).toMatch(/, got '[^']*'$/);
  },
);

test('a formatted address parses to the same address', () => {
  const groups = fc.array(fc.constantFrom(0n, 0n, 1n, 0xfn, 0xffffn), {
    minLength: 8,
    maxLength: 8,
  });
  fc.assert(
    fc.property(groups, fc.nat(0xffff_ffff), (parts, ipv4) => {
      const bits = parts.reduce<bigint>((all, part) => (all << 16n) | part, 0n);
      const text = formatAddress(bits, 'ipv6');
      expect(isIP(text)).toBe(6);
      expect(parseIPv6(text)).toBe(bits);
      expect(parseIPv4(formatAddress(BigInt(ipv4), 'ipv4'))).toBe(BigInt(ipv4));
    }),
    runs(100),
  );
});
