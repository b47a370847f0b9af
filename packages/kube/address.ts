import { didYouMean, show } from './problem.ts';

/** Parses addresses as Go's packages net and net/mail do. */

const BIG = 0xffffff;

/**
 * How leniently an address is parsed: Kubernetes still accepts leading zeros, which Go no longer does.
 * Source: https://issue.k8s.io/100895
 */
type ParseMode = 'strict' | 'sloppy';

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const sloppyOctet = `0*${octet}`;
const dotted = {
  strict: new RegExp(`^(?:${octet}\\.){3}${octet}$`),
  sloppy: new RegExp(`^(?:${sloppyOctet}\\.){3}${sloppyOctet}$`),
};

/** Returns the 32 bits of an address; undefined if the text is not one. */
export function parseIPv4(text: string, reading: ParseMode = 'strict'): bigint | undefined {
  if (!dotted[reading].test(text)) return undefined;
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** Returns the 128 bits of an address without a zone; undefined if the text is not one. */
export function parseIPv6(text: string, reading: ParseMode = 'strict'): bigint | undefined {
  const [head = [], tail, ...more] = text
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')));
  if (more.length > 0) return undefined;
  const end = tail ?? head;
  const last = end.at(-1);
  if (last?.includes('.')) {
    const bits = parseIPv4(last, reading);
    if (bits === undefined) return undefined;
    end.splice(-1, 1, (bits >> 16n).toString(16), (bits & 0xffffn).toString(16));
  }
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return undefined;
  const group = reading === 'strict' ? /^[0-9a-fA-F]{1,4}$/ : /^0*[0-9a-fA-F]{1,4}$/;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  if (!groups.every((part) => group.test(part))) return undefined;
  return groups.reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n);
}

/**
 * Formats an address, IPv6 in the form of RFC 5952: hexadecimal in lower case, the longest run of zero groups as `::`.
 */
export function formatAddress(bits: bigint, family: 'ipv4' | 'ipv6'): string {
  if (family === 'ipv4') {
    return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  const runs = groups.join(':').match(/(?<![0-9a-f])0(?::0(?![0-9a-f]))+/g) ?? [];
  const longest = runs.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return groups.join(':');
  return groups.join(':').replace(new RegExp(`(^|:)${longest}(:|$)`), '::');
}

function isIP(text: string, reading: ParseMode): boolean {
  const first = /[.:]/.exec(text)?.[0];
  if (first === undefined) return false;
  return (first === '.' ? parseIPv4 : parseIPv6)(text, reading) !== undefined;
}

export function isIPv4(text: string): boolean {
  // Most addresses are plain ones, for which the bits are not needed.
  return isPlainIPv4(text) || (text.includes('.') && isIP(text, 'sloppy'));
}

const [ZERO, NINE, DOT] = [48, 57, 46];

/** Whether a text is four numbers to 255, of three digits at most. */
function isPlainIPv4(text: string): boolean {
  let [dots, digits, number] = [0, 0, 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      number = number * 10 + code - ZERO;
      if (digits > 3 || number > 255) return false;
    } else {
      if (code !== DOT || digits === 0) return false;
      dots += 1;
      digits = 0;
      number = 0;
    }
  }
  return dots === 3 && digits > 0;
}

export function isIPv6(text: string): boolean {
  return text.includes(':') && isIP(text, 'strict');
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^[0-9]+$/.test(bits) || Number(bits) >= BIG) return false;
  if (parseIPv4(address, 'sloppy') !== undefined) return Number(bits) <= 32;
  return parseIPv6(address, 'sloppy') !== undefined && Number(bits) <= 128;
}

/** Whether a text is 6, 8 or 20 bytes: separated by colons or hyphens, in pairs by dots, or without separators. */
export function isMac(text: string): boolean {
  if (!/^[0-9a-fA-F]{2}(?:[:-]?[0-9a-fA-F]{2}|\.[0-9a-fA-F]{2})+$/.test(text)) return false;
  const parts = text.split(/[:.-]/);
  const [separator] = text.match(/[:.-]/) ?? [''];
  if (parts.length > 1 && text.split(separator).length !== parts.length) return false;
  const size = separator === '.' ? 4 : separator === '' ? text.length : 2;
  if (!parts.every((part) => part.length === size)) return false;
  return [12, 16, 40].includes(parts.length * size);
}

const SPECIAL = /[^!-~\u0080-\uffff]|[()<>[\]:;\\,"]/;

/**
 * Whether net/mail's ParseAddress accepts a text. Undefined for addresses with names, comments, quotes or literal
 * domains, which are not decided here.
 */
export function isEmail(text: string): boolean | undefined {
  if (!text.includes('@')) return false;
  if (SPECIAL.test(text)) return undefined;
  const parts = text.split('@');
  return parts.length === 2 && parts.every((part) => part.split('.').every((atom) => atom !== ''));
}

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
  const meant = parseNetwork(text);
  return { message: `${must}, got ${show(text)}`, ...(meant !== undefined && { meant }) };
}

/** Formats the message with the block that was most likely meant. */
export function formatInvalidCidr(text: string): string {
  const { message, meant } = describeInvalidCidr(text);
  return `${message}${didYouMean(meant)}`;
}

/** Returns the block that contains an address with a prefix length: `10.1.0.0/16` for `10.1.2.3/16`. */
function parseNetwork(text: string): string | undefined {
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
