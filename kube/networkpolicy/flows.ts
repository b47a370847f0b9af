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

/** Some pods of a namespace, and whom they may talk to in one direction. */
export interface Flow {
  readonly pods: Pods;
  /** Absent: anyone. */
  readonly peer?: PolicyPeer;
  readonly ports: Ports;
}

/**
 * What the policies of one namespace let through in a direction, one flow a peer. They add up. Pods
 * that none of them selects may talk to anyone.
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

/** Whom a policy lets through in a direction, on which ports; none where it is not about it. */
export function listAllowedFlows(policy: PolicySpec, direction: Direction): Omit<Flow, 'pods'>[] {
  if (!resolvePolicyTypes(policy).includes(direction)) return [];
  return rulesOf(policy, direction).flatMap(({ peers = [], ports }): Omit<Flow, 'pods'>[] => {
    const opening = { ports: resolvePorts(ports) };
    return peers.length === 0 ? [opening] : peers.map((peer) => ({ ...opening, peer }));
  });
}

/** Whether every pod of a namespace is under one of its policies in a direction. */
export function isIsolated(policies: readonly PolicySpec[], direction: Direction): boolean {
  const isolating = policies.filter((policy) => resolvePolicyTypes(policy).includes(direction));
  return excludePods(isolating.map(({ podSelector = {} }) => podSelector)) === undefined;
}

/** As the API server fills it in: Ingress always, Egress where there are rules for it. */
function resolvePolicyTypes({ policyTypes = [], egress = [] }: PolicySpec): readonly Direction[] {
  if (policyTypes.length > 0) return policyTypes;
  return egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function rulesOf({ ingress = [], egress = [] }: PolicySpec, direction: Direction) {
  return direction === 'Ingress'
    ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
    : egress.map(({ to, ports }) => ({ peers: to, ports }));
}
