import {
  dropNameRequirements,
  matchesLabels,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type LabelSelector,
  type Requirement,
} from '../label-selector.ts';
import type { Direction, Flow, PolicyPeer } from './flows.ts';
import { intersectPods, EVERY_POD, selectPods, formatPods, type Pods } from './pods.ts';
import { intersectPorts, mergePorts, type Ports } from './ports.ts';

/** The other side of a connection. */
export type ConnectionPeer =
  /** Whoever lets it happen on their own side; `everywhere` includes addresses outside of the cluster. */
  | { readonly kind: 'anyone'; readonly everywhere: boolean; readonly pods: Pods }
  /** Pods of a namespace that is known, which lets it happen. */
  | { readonly kind: 'namespace'; readonly namespace: string; readonly pods: Pods }
  /** Pods of namespaces that are not known; so nobody can say what their own policies let happen. */
  | {
      readonly kind: 'external';
      readonly namespace?: string;
      /** What else their labels must be. */
      readonly labels: readonly Requirement[];
      readonly pods: Pods;
    }
  | { readonly kind: 'addresses'; readonly cidr: string; readonly except: readonly string[] };

/** What some pods of a namespace may talk about, and with whom, in one direction. */
export interface Connection {
  readonly pods: Pods;
  readonly with: ConnectionPeer;
  /** Of the destination. */
  readonly ports: Ports;
}

/** A namespace, and what its own policies let through. */
export interface NetworkNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly flows: Readonly<Record<Direction, readonly Flow[]>>;
}

/** The namespaces of a cluster, and which of them a selector selects. */
export interface Namespaces {
  get(name: string): NetworkNamespace | undefined;
  selected(selector: LabelSelector): readonly NetworkNamespace[];
}

/**
 * What may happen in one direction between the pods of a namespace and others: both sides let it
 * happen, as far as the other side is known.
 */
export function computeConnections(
  own: NetworkNamespace,
  direction: Direction,
  namespaces: Namespaces,
): Connection[] {
  const found = own.flows[direction].flatMap((flow) => [
    ...ofFlow(own, flow, direction, namespaces),
  ]);
  return merged(found);
}

function* ofFlow(
  own: NetworkNamespace,
  { pods, peer, ports }: Flow,
  direction: Direction,
  namespaces: Namespaces,
): Generator<Connection> {
  if (!peer) {
    yield { pods, with: { kind: 'anyone', everywhere: true, pods: EVERY_POD }, ports };
  } else if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    yield { pods, with: { kind: 'addresses', cidr, except }, ports };
  } else if (peer.namespaceSelector && isForAll(peer.namespaceSelector)) {
    const theirs = selectPods(peer.podSelector);
    yield { pods, with: { kind: 'anyone', everywhere: false, pods: theirs }, ports };
  } else {
    const known = peer.namespaceSelector ? namespaces.selected(peer.namespaceSelector) : [own];
    for (const other of known)
      yield* connectNamespaces(own, { pods, peer, ports }, direction, other);
    for (const external of listExternalPeers(peer, namespaces))
      yield { pods, with: external, ports };
  }
}

/** What the other side lets happen of a flow. */
function* connectNamespaces(
  own: NetworkNamespace,
  { pods, peer, ports }: Flow,
  direction: Direction,
  other: NetworkNamespace,
): Generator<Connection> {
  const asked = selectPods(peer?.podSelector);
  for (const flow of other.flows[direction === 'Ingress' ? 'Egress' : 'Ingress']) {
    const answered = peerPods(flow.peer, other, own);
    const ours = answered && intersectPods(pods, answered);
    const theirs = intersectPods(asked, flow.pods);
    const both = intersectPorts(ports, flow.ports);
    if (!ours || !theirs || both.length === 0) continue;
    const side: ConnectionPeer = { kind: 'namespace', namespace: other.name, pods: theirs };
    yield { pods: ours, with: side, ports: both };
  }
}

/**
 * The pods of a namespace that a peer in a policy of another one selects. A block of addresses
 * selects none: it is for what lies outside of the cluster.
 */
function peerPods(
  peer: PolicyPeer | undefined,
  of: NetworkNamespace,
  namespace: NetworkNamespace,
): Pods | undefined {
  if (!peer) return EVERY_POD;
  if (peer.ipBlock) return undefined;
  const { namespaceSelector, podSelector } = peer;
  const isSelected = namespaceSelector
    ? matchesLabels(namespaceSelector, namespace.labels)
    : of.name === namespace.name;
  return isSelected ? selectPods(podSelector) : undefined;
}

function isForAll(selector: LabelSelector): boolean {
  return listRequirements(selector).every(
    ({ key, operator }) => key === NAME_LABEL && operator === 'Exists',
  );
}

/** Those that a peer selects, or could, besides the namespaces that are known. */
function listExternalPeers(
  { namespaceSelector, podSelector }: PolicyPeer,
  namespaces: Namespaces,
): ConnectionPeer[] {
  if (!namespaceSelector) return [];
  const wanted = listRequirements(namespaceSelector);
  const pods = selectPods(podSelector);
  const labels = dropNameRequirements(wanted);
  const names = findPossibleNames(wanted);
  if (!names) return [{ kind: 'external', labels, pods }];
  return names
    .filter((namespace) => !namespaces.get(namespace))
    .map((namespace) => ({ kind: 'external', namespace, labels, pods }));
}

/** One connection for the same pods on both sides, in the order in which the first of them came. */
function merged(connections: readonly Connection[]): Connection[] {
  const byEnds = new Map<string, Connection>();
  for (const one of connections) {
    const key = JSON.stringify([formatPods(one.pods), one.with]);
    const before = byEnds.get(key);
    byEnds.set(key, before ? { ...one, ports: mergePorts([...before.ports, ...one.ports]) } : one);
  }
  return [...byEnds.values()];
}
