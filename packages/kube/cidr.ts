import { formatAddress, parseIPv4, parseIPv6 } from './address.ts';
import { didYouMean, show } from './problem.ts';

/** A block of addresses: all from the first to the last, as numbers. */
export interface Cidr {
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
  readonly first: bigint;
  readonly last: bigint;
}

const width = { ipv4: 32, ipv6: 128 } as const;

/** `::ffff:0:0/96` (RFC 4291, 2.5.5.2). Go reads it as IPv4, and so do the programs that enforce policies. */
const MAPPED = 0xffffn;

/**
 * Parses an address block; undefined if Kubernetes does not accept it. Bits set behind the prefix (`10.0.0.1/8`),
 * leading zeros, and IPv4 in the form of IPv6 (`::ffff:10.0.0.0/104`) are refused since 1.36. Tenantry refuses them for
 * every minor version.
 * Source: https://kep.k8s.io/4858 (stricter validation of addresses and blocks)
 */
export function parseCidr(block: string): Cidr | undefined {
  const [, address = '', length = ''] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(block) ?? [];
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const first = family === 'ipv6' ? parseIPv6(address) : parseIPv4(address);
  const bits = Number(length);
  if (first === undefined || bits > width[family]) return undefined;
  if (family === 'ipv6' && first >> 32n === MAPPED) return undefined;
  const rest = 1n << BigInt(width[family] - bits);
  return first % rest === 0n ? { family, bits, first, last: first + rest - 1n } : undefined;
}

/** The message about an invalid block. */
export interface InvalidCidr {
  readonly message: string;
  /** The block that was most likely meant. */
  readonly meant?: string;
}

export function describeInvalidCidr(text: string): InvalidCidr {
  const must = `must be a block of addresses such as '10.0.0.0/8', beginning at its first address`;
  const meant = networkOf(text);
  return { message: `${must}, got ${show(text)}`, ...(meant !== undefined && { meant }) };
}

/** Formats the message with the block that was most likely meant. */
export function formatInvalidCidr(text: string): string {
  const { message, meant } = describeInvalidCidr(text);
  return `${message}${didYouMean(meant)}`;
}

/** Returns the block that contains an address with a prefix length: `10.1.0.0/16` for `10.1.2.3/16`. */
function networkOf(text: string): string | undefined {
  const [, address = '', length = ''] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const parse = family === 'ipv6' ? parseIPv6 : parseIPv4;
  const value = parse(address, 'sloppy');
  const bits = Number(length);
  if (value === undefined || bits > width[family]) return undefined;
  const rest = BigInt(width[family] - bits);
  const isMapped = family === 'ipv6' && value >> 32n === MAPPED;
  if (isMapped && bits < 96) return undefined;
  const first = (value >> rest) << rest;
  return isMapped
    ? `${formatAddress(first & 0xffff_ffffn, 'ipv4')}/${bits - 96}`
    : `${formatAddress(first, family)}/${bits}`;
}

/** Whether the first block contains the second one. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}
