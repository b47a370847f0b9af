import {
  dropNameRequirements,
  matchesLabels,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type LabelSelector,
  type Requirement,
} from '../label-selector.ts';
import {
  intersectPods,
  EVERY_POD,
  selectPods,
  formatPods,
  excludePods,
  type Pods,
} from './pods.ts';
import {
  intersectPorts,
  mergePorts,
  EVERY_PORT,
  resolvePorts,
  type Ports,
  type PolicyPort,
} from './ports.ts';

/** The other side of a connection. */
export type ConnectionPeer =
  /** Anyone whose own side allows the connection; `everywhere` includes addresses outside of the cluster. */
  | { readonly kind: 'anyone'; readonly everywhere: boolean; readonly pods: Pods }
  /** Pods of a known namespace, which allows the connection. */
  | { readonly kind: 'namespace'; readonly namespace: string; readonly pods: Pods }
  /** Pods of unknown namespaces, whose own policies are unknown too. */
  | {
      readonly kind: 'external';
      readonly namespace?: string;
      /** Further requirements for their labels. */
      readonly labels: readonly Requirement[];
      readonly pods: Pods;
    }
  | { readonly kind: 'addresses'; readonly cidr: string; readonly except: readonly string[] };

/** The connections that some pods of a namespace may have in one direction, with the peer and the ports. */
export interface Connection {
  readonly pods: Pods;
  readonly with: ConnectionPeer;
  /** The ports of the destination. */
  readonly ports: Ports;
}

/** A namespace, and what its own policies allow. */
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
 * Computes the connections in one direction between the pods of a namespace and others. Both sides must allow them, as
 * far as the other side is known.
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

/** Computes what the other side allows of a flow. */
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
 * Returns the pods of a namespace that a peer in a policy of another one selects. An address block selects none,
 * because it is for addresses outside of the cluster.
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

/** Lists peers that select, or could select, something besides the known namespaces. */
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

/** Merges connections of the same pods on both sides, in the order of the first ones. */
function merged(connections: readonly Connection[]): Connection[] {
  const byEnds = new Map<string, Connection>();
  for (const one of connections) {
    const key = JSON.stringify([formatPods(one.pods), one.with]);
    const before = byEnds.get(key);
    byEnds.set(key, before ? { ...one, ports: mergePorts([...before.ports, ...one.ports]) } : one);
  }
  return [...byEnds.values()];
}

/** `networkingv1.NetworkPolicyPeer`. */
export interface PolicyPeer {
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

/** `networkingv1.NetworkPolicySpec`. */
export interface PolicySpec {
  readonly podSelector?: LabelSelector;
  readonly policyTypes?: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly {
    readonly from?: readonly PolicyPeer[];
    readonly ports?: readonly PolicyPort[];
  }[];
  readonly egress?: readonly {
    readonly to?: readonly PolicyPeer[];
    readonly ports?: readonly PolicyPort[];
  }[];
}

export type Direction = 'Ingress' | 'Egress';

/** Some pods of a namespace, and their peer in one direction. */
interface Flow {
  readonly pods: Pods;
  /** The peer. Absent: anyone. */
  readonly peer?: PolicyPeer;
  readonly ports: Ports;
}

/**
 * Computes what the policies of one namespace allow in a direction, one flow for each peer. Policies add up. Pods that
 * no policy selects may connect to anyone.
 * Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function computeFlows(policies: readonly PolicySpec[], direction: Direction): Flow[] {
  const isolating = policies.filter((policy) => resolvePolicyTypes(policy).includes(direction));
  const others = excludePods(isolating.map(({ podSelector = {} }) => podSelector));
  return [
    ...isolating.flatMap((policy) => {
      const pods = selectPods(policy.podSelector);
      return listAllowedFlows(policy, direction).map((opening) => ({ ...opening, pods }));
    }),
    ...(others ? [{ pods: others, ports: EVERY_PORT }] : []),
  ];
}

/** Lists the peers and ports that a policy allows in a direction; none if the policy is not about it. */
export function listAllowedFlows(policy: PolicySpec, direction: Direction): Omit<Flow, 'pods'>[] {
  if (!resolvePolicyTypes(policy).includes(direction)) return [];
  return listRules(policy, direction).flatMap(({ peers = [], ports }): Omit<Flow, 'pods'>[] => {
    const opening = { ports: resolvePorts(ports) };
    return peers.length === 0 ? [opening] : peers.map((peer) => ({ ...opening, peer }));
  });
}

/** Whether every pod of a namespace is selected by one of its policies in a direction. */
export function isIsolated(policies: readonly PolicySpec[], direction: Direction): boolean {
  const isolating = policies.filter((policy) => resolvePolicyTypes(policy).includes(direction));
  return excludePods(isolating.map(({ podSelector = {} }) => podSelector)) === undefined;
}

/** Fills in the policy types as the API server does: Ingress always, Egress if there are rules for it. */
function resolvePolicyTypes({ policyTypes = [], egress = [] }: PolicySpec): readonly Direction[] {
  if (policyTypes.length > 0) return policyTypes;
  return egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function listRules({ ingress = [], egress = [] }: PolicySpec, direction: Direction) {
  return direction === 'Ingress'
    ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
    : egress.map(({ to, ports }) => ({ peers: to, ports }));
}
