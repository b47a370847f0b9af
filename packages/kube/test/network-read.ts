import { BlockList, isIPv6 } from 'node:net';
import { matchesRequirement, NAME_LABEL } from '../label-selector.ts';
import {
  matchesPods,
  type Connection,
  type Direction,
  type PodNetwork,
} from '../network-policy.ts';
import type { End, EndPort } from '@tenantry/test-tools/go/connections';

/** Reads from the table of a network whether a connection is listed, in the way that the documentation describes. */
export function isListed(network: PodNetwork, from: End, to: End, port: EndPort): boolean {
  const came = sides(network, to, 'Ingress', from, port);
  const went = sides(network, from, 'Egress', to, port);
  if (!came) return went?.some(() => true) ?? true;
  if (!went) return came.length > 0;
  const isByName = [...came, ...went].some(({ with: { kind } }) => kind === 'namespace');
  return isByName || (came.length > 0 && went.length > 0);
}

/** Returns the lines of one side that are about the connection; undefined if that side is unknown. */
export function sides(
  network: PodNetwork,
  own: End,
  direction: Direction,
  other: End,
  port: EndPort,
): readonly Connection[] | undefined {
  if (own.namespace === undefined || !network.get(own.namespace)) return undefined;
  return network
    .connections(own.namespace, direction)
    .filter(
      (line) =>
        matchesPods(line.pods, own.labels ?? {}) &&
        isWith(line, other) &&
        line.ports.some(
          ({ protocol, first, last, names }) =>
            protocol === port.protocol &&
            first <= port.port &&
            port.port <= last &&
            names.every((name) => name === port.name),
        ),
    );
}

function isWith({ with: side }: Connection, other: End): boolean {
  if (side.kind === 'addresses') {
    return other.namespace === undefined && isWithin(other.address, side.cidr, side.except);
  }
  if (other.namespace === undefined) return side.kind === 'anyone' && side.everywhere;
  if (!matchesPods(side.pods, other.labels ?? {})) return false;
  if (side.kind === 'anyone') return true;
  if (side.kind === 'namespace') return side.namespace === other.namespace;
  const labels = { ...other.namespaceLabels, [NAME_LABEL]: other.namespace };
  return (
    (side.namespace ?? other.namespace) === other.namespace &&
    side.labels.every((condition) => matchesRequirement(condition, labels))
  );
}

function isWithin(address: string, cidr: string, except: readonly string[]): boolean {
  const isIn = (block: string): boolean => {
    const list = new BlockList();
    const [first = '', bits] = block.split('/');
    list.addSubnet(first, Number(bits), isIPv6(first) ? 'ipv6' : 'ipv4');
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
  return isIn(cidr) && !except.some(isIn);
}
