const protocols = ['TCP', 'UDP', 'SCTP'] as const;
type Protocol = (typeof protocols)[number];

/** `networkingv1.NetworkPolicyPort`. */
export interface PolicyPort {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: Protocol;
}

/** Ports of one protocol, from the first to the last. */
interface PortRange {
  readonly protocol: Protocol;
  readonly first: number;
  readonly last: number;
  /** Restricts the range to ports to which the container of the destination gives each of these names. */
  readonly names: readonly string[];
}

/** The ports of a destination: the union of the ranges. */
export type Ports = readonly PortRange[];

const LAST = 65535;

const allOf = (protocol: Protocol, names: readonly string[] = []): PortRange => ({
  protocol,
  first: 1,
  last: LAST,
  names,
});

export const EVERY_PORT: Ports = protocols.map((protocol) => allOf(protocol));

/**
 * Resolves the ports of a rule; a rule without any is for every port.
 * Source: k8s.io/api/networking/v1 NetworkPolicyPort
 */
export function resolvePorts(ports: readonly PolicyPort[] | undefined): Ports {
  if (!ports || ports.length === 0) return EVERY_PORT;
  const ranges = ports.map(({ port, endPort, protocol = 'TCP' }): PortRange => {
    if (port === undefined) return allOf(protocol);
    if (typeof port === 'string') return allOf(protocol, [port]);
    return { protocol, first: port, last: endPort ?? port, names: [] };
  });
  return mergePorts(ranges);
}

/** Returns the ports in both sets. */
export function intersectPorts(some: Ports, others: Ports): Ports {
  const ranges = some.flatMap((one) =>
    others.flatMap((other): PortRange[] => {
      const first = Math.max(one.first, other.first);
      const last = Math.min(one.last, other.last);
      if (one.protocol !== other.protocol || first > last) return [];
      const names = [...new Set([...one.names, ...other.names])].toSorted();
      return [{ protocol: one.protocol, first, last, names }];
    }),
  );
  return mergePorts(ranges);
}

/** Merges and sorts ranges, without overlaps. */
export function mergePorts(ranges: Ports): Ports {
  const merged: PortRange[] = [];
  for (const range of ranges.toSorted(inOrder)) {
    const before = merged.at(-1);
    if (before && before.last + 1 >= range.first && isAlike(before, range)) {
      merged[merged.length - 1] = { ...before, last: Math.max(before.last, range.last) };
    } else merged.push(range);
  }
  return merged.filter((one) => !merged.some((other) => other !== one && covers(other, one)));
}

function inOrder(a: PortRange, b: PortRange): number {
  const protocol = protocols.indexOf(a.protocol) - protocols.indexOf(b.protocol);
  const [namesA, namesB] = [a.names.join(), b.names.join()];
  if (protocol !== 0) return protocol;
  if (namesA !== namesB) return namesA < namesB ? -1 : 1;
  return a.first - b.first || a.last - b.last;
}

function isAlike(a: PortRange, b: PortRange): boolean {
  return a.protocol === b.protocol && a.names.join() === b.names.join();
}

function covers(outer: PortRange, inner: PortRange): boolean {
  return (
    outer.protocol === inner.protocol &&
    outer.first <= inner.first &&
    inner.last <= outer.last &&
    outer.names.every((name) => inner.names.includes(name))
  );
}

/** Formats ports: `every port`, `53/UDP`, `http/TCP`, `8000-8999/TCP`, `UDP`. */
export function formatPorts(ports: Ports): string {
  const isEvery = EVERY_PORT.every((all) => ports.some((one) => covers(one, all)));
  return isEvery ? 'every port' : ports.map(rangeText).join(', ');
}

function rangeText({ protocol, first, last, names }: PortRange): string {
  const isAll = first === 1 && last === LAST;
  const numbers = first === last ? String(first) : `${first}-${last}`;
  if (names.length > 0) {
    const named = `${names.join(' and ')}/${protocol}`;
    return isAll ? named : `${named} where it is ${first === last ? '' : 'within '}${numbers}`;
  }
  return isAll ? protocol : `${numbers}/${protocol}`;
}
