import type { LabelSelector } from '../label-selector.ts';
import { excludePods, selectPods, type Pods } from './pods.ts';
import { EVERY_PORT, resolvePorts, type PolicyPort, type Ports } from './ports.ts';

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
export interface Flow {
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
  return rulesOf(policy, direction).flatMap(({ peers = [], ports }): Omit<Flow, 'pods'>[] => {
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

function rulesOf({ ingress = [], egress = [] }: PolicySpec, direction: Direction) {
  return direction === 'Ingress'
    ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
    : egress.map(({ to, ports }) => ({ peers: to, ports }));
}
