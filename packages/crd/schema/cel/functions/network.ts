import { formatAddress, parseIPv4, parseIPv6 } from '@tenantry/kube/address';
import { Failure, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { BoxedValue, type Value } from '../value.ts';

/** An address as a number of 32 or 128 bits. */
class Address extends BoxedValue {
  readonly bits: bigint;
  readonly width: 32 | 128;

  constructor(bits: bigint, width: 32 | 128) {
    super();
    this.bits = bits;
    this.width = width;
  }

  get typeName(): string {
    return 'net.IP';
  }

  equals(other: Value): boolean {
    if (!(other instanceof Address)) throw noSuchOverload();
    return other.bits === this.bits && other.width === this.width;
  }

  override isZero(): boolean {
    return false;
  }
}

/** An address and the length of its network prefix. */
class Network extends BoxedValue {
  readonly address: Address;
  readonly length: number;

  constructor(address: Address, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  get typeName(): string {
    return 'net.CIDR';
  }

  equals(other: Value): boolean {
    if (!(other instanceof Network)) throw noSuchOverload();
    return other.length === this.length && other.address.equals(this.address);
  }

  contains(address: Address): boolean {
    const rest = BigInt(this.address.width - this.length);
    return (
      address.width === this.address.width && address.bits >> rest === this.address.bits >> rest
    );
  }
}

/** Parses an address; undefined for an invalid text, an address with a zone, or an IPv4-mapped IPv6 address. */
function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const bits = parseIPv4(text);
    return bits === undefined ? undefined : new Address(bits, 32);
  }
  const bits = parseIPv6(text);
  if (bits === undefined || bits >> 32n === 0xffffn) return undefined;
  return new Address(bits, 128);
}

function parseNetwork(text: string): Network | undefined {
  const slash = text.lastIndexOf('/');
  const address = slash < 0 ? undefined : parseAddress(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!address || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  return Number(length) > address.width ? undefined : new Network(address, Number(length));
}

const toText = ({ bits, width }: Address): string =>
  formatAddress(bits, width === 32 ? 'ipv4' : 'ipv6');

const formatNetwork = ({ address, length }: Network): string => `${toText(address)}/${length}`;

function toAddress(text: string): Address {
  const address = parseAddress(text);
  if (address) return address;
  throw new Failure(`IP Address "${text}" parse error during conversion from string`);
}

function toNetwork(text: string): Network {
  const network = parseNetwork(text);
  if (network) return network;
  throw new Failure('network address parse error during conversion from string');
}

const within = ({ bits, width }: Address, v4: string, v6: string): boolean =>
  toNetwork(width === 32 ? v4 : v6).contains(new Address(bits, width));

const isLoopback = (ip: Address): boolean => within(ip, '127.0.0.0/8', '::1/128');
const isLinkLocal = (ip: Address): boolean => within(ip, '169.254.0.0/16', 'fe80::/10');
const isMulticast = (ip: Address): boolean => within(ip, '224.0.0.0/4', 'ff00::/8');
const isUnspecified = ({ bits }: Address): boolean => bits === 0n;

const contains = (outer: Network, inner: Network): boolean =>
  outer.length <= inner.length && outer.contains(inner.address);

/**
 * Functions for addresses and networks.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-ip-address-library
 */
export const network: Functions = {
  'isIP(string): bool': (text: string) => parseAddress(text) !== undefined,
  'ip(string): ip': toAddress,
  'ip.isCanonical(string): bool': (text: string) => toText(toAddress(text)) === text,
  'ip::family(): int': (ip: Address) => (ip.width === 32 ? 4n : 6n),
  'ip::isUnspecified(): bool': isUnspecified,
  'ip::isLoopback(): bool': isLoopback,
  'ip::isLinkLocalMulticast(): bool': (ip: Address) =>
    ip.width === 32
      ? within(ip, '224.0.0.0/24', '::/0')
      : ((ip.bits >> 112n) & 0xff0fn) === 0xff02n,
  'ip::isLinkLocalUnicast(): bool': isLinkLocal,
  'ip::isGlobalUnicast(): bool': (ip: Address) =>
    !isUnspecified(ip) &&
    !(ip.width === 32 && ip.bits === 0xffffffffn) &&
    !isLoopback(ip) &&
    !isMulticast(ip) &&
    !isLinkLocal(ip),
  'string(ip): string': toText,
  'isCIDR(string): bool': (text: string) => parseNetwork(text) !== undefined,
  'cidr(string): cidr': toNetwork,
  'cidr::containsIP(string): bool': (outer: Network, text: string) => {
    const address = parseAddress(text);
    if (!address) throw noSuchOverload();
    return outer.contains(address);
  },
  'cidr::containsIP(ip): bool': (outer: Network, ip: Address) => outer.contains(ip),
  'cidr::containsCIDR(string): bool': (outer: Network, inner: string) =>
    contains(outer, toNetwork(inner)),
  'cidr::containsCIDR(cidr): bool': contains,
  'cidr::ip(): ip': ({ address }: Network) => address,
  'cidr::prefixLength(): int': ({ length }: Network) => BigInt(length),
  'cidr::masked(): cidr': ({ address, length }: Network) => {
    const rest = BigInt(address.width - length);
    return new Network(new Address((address.bits >> rest) << rest, address.width), length);
  },
  'string(cidr): string': formatNetwork,
};
