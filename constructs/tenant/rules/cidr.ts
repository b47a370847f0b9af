import { BlockList, isIP } from 'node:net';

/** A block of addresses in CIDR notation, taken apart. */
export interface Cidr {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/**
 * Takes a block apart, or gives undefined when it is none that Kubernetes accepts: bits set behind
 * the prefix (`10.0.0.1/8`) are refused since 1.36.
 */
export function parseCidr(block: string): Cidr | undefined {
  const [address = '', length = ''] = block.split('/');
  const version = isIP(address);
  const bits = Number(length);
  if (version === 0 || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  if (bits > (version === 4 ? 32 : 128)) return undefined;
  const cidr = { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' } as const;
  return hasHostBits(cidr) ? undefined : cidr;
}

/** Whether all addresses of the second block are in the first. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  if (outer.family !== inner.family || inner.bits < outer.bits) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.bits, outer.family);
  return list.check(inner.address, inner.family);
}

/** Whether the address is not the first of its block. */
function hasHostBits({ address, bits, family }: Cidr): boolean {
  const groups = family === 'ipv4' ? address.split('.').map(Number) : groupsOf(address);
  const width = family === 'ipv4' ? 8 : 16;
  return groups.some((group, i) => {
    const kept = Math.min(Math.max(bits - i * width, 0), width);
    return (group & ((1 << (width - kept)) - 1)) !== 0;
  });
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? `${dotted[1]}${hex(dotted[2]!, dotted[3]!)}:${hex(dotted[4]!, dotted[5]!)}`
    : address;
  const [head = '', tail] = text.split('::');
  const parse = (part: string | undefined): number[] =>
    part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const before = parse(head);
  const after = parse(tail);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => 0), ...after];
}

function hex(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}
