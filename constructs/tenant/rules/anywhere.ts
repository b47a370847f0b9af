import { contains, parseCidr, type Cidr } from '../../../kube/cidr.ts';

type Range = Pick<Cidr, 'first' | 'last'>;

const parseBlock = (text: string): Cidr => parseCidr(text)!;

/** Address blocks that are not routed on the Internet: RFC 1918, and RFC 6598 for carriers. */
const internal = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'].map(parseBlock);

/** Address blocks of hosts: global unicast and unique local (RFC 4291, RFC 4193). */
const hosts = ['2000::/3', 'fc00::/7'].map(parseBlock);

/** Parts of these blocks that embed other addresses: IETF protocols with Teredo, and 6to4. */
const embeddedRanges = ['2001::/23', '2002::/16'].map(parseBlock);

/** The block whose last 32 bits are an IPv4 address to which a gateway translates (RFC 6052). */
const nat64 = parseBlock('64:ff9b::/96');

/** The sizes of the widest blocks that do not count as anywhere, `/8` and `/16`. */
const MOST = { ipv4: 1n << 24n, ipv6: 1n << 112n };

/**
 * Whether address blocks together amount to anywhere. They do if they contain more Internet addresses than a /8 (IPv6:
 * a /16), or IPv6 addresses that belong to no host. The union of the blocks counts, however it is split; private IPv4
 * addresses do not count.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isAnywhere(blocks: readonly Cidr[]): boolean {
  const translated = blocks.map((one) => (contains(nat64, one) ? toIPv4(one) : one));
  const ofFamily = (family: Cidr['family']) => translated.filter((one) => one.family === family);
  const ipv4 = countAddresses(subtractRanges(mergeRanges(ofFamily('ipv4')), internal));
  const ipv6 = ofFamily('ipv6');
  const foreign = ipv6.some(
    (one) =>
      !hosts.some((part) => contains(part, one)) ||
      embeddedRanges.some((part) => overlap(part, one)),
  );
  return foreign || ipv4 > MOST.ipv4 || countAddresses(mergeRanges(ipv6)) > MOST.ipv6;
}

function toIPv4({ first, last, bits }: Cidr): Cidr {
  const low = (address: bigint) => address & 0xffff_ffffn;
  return { family: 'ipv4', bits: bits - 96, first: low(first), last: low(last) };
}

function overlap(a: Range, b: Range): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Merges the addresses to sorted ranges that do not overlap. */
function mergeRanges(blocks: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { first, last } of blocks.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = ranges.at(-1);
    if (before && first <= before.last) {
      if (last > before.last) ranges[ranges.length - 1] = { first: before.first, last };
    } else ranges.push({ first, last });
  }
  return ranges;
}

function subtractRanges(ranges: readonly Range[], holes: readonly Range[]): readonly Range[] {
  return holes.reduce((rest, hole) => rest.flatMap((range) => subtractRange(range, hole)), ranges);
}

/** Subtracts a hole from a range: the result is empty, one piece, or the two beside it. */
function subtractRange({ first, last }: Range, hole: Range): Range[] {
  const before = { first, last: last < hole.first ? last : hole.first - 1n };
  const behind = { first: first > hole.last ? first : hole.last + 1n, last };
  return [before, behind].filter((piece) => piece.first <= piece.last);
}

function countAddresses(ranges: readonly Range[]): bigint {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
}
