import { formatBrief, show, type Path } from '../../../kube/problem.ts';
import type { NetworkPolicySpec, Peer } from '../../../crds/tenantry/network.ts';
import { describeInvalidCidr, contains, parseCidr, type InvalidCidr } from '../../../kube/cidr.ts';
import { listSelectorFaults } from './selectors.ts';

type Ports = NonNullable<NonNullable<NetworkPolicySpec['ingress']>[number]['ports']>;

/** A problem with a policy, and its place in the policy's spec. */
export interface PolicyFault extends InvalidCidr {
  readonly at: Path;
}

/**
 * Lists problems with a NetworkPolicy beyond its schema, by Kubernetes' own rules.
 * Source: k8s.io/kubernetes pkg/apis/networking/validation ValidateNetworkPolicySpec
 */
export function listPolicyFaults(spec: NetworkPolicySpec): PolicyFault[] {
  const rules = [
    ...(spec.ingress ?? []).map(({ from, ports }, i) => {
      return { at: ['ingress', i], side: 'from', peers: from, ports };
    }),
    ...(spec.egress ?? []).map(({ to, ports }, i) => {
      return { at: ['egress', i], side: 'to', peers: to, ports };
    }),
  ];
  return [
    ...toPolicyFaults(['podSelector'], listSelectorFaults(spec.podSelector)),
    ...rules.flatMap(({ at, side, peers = [], ports = [] }) => [
      ...peers.flatMap((peer, i) => listPeerFaults(peer, [...at, side, i])),
      ...toPolicyFaults([...at, 'ports'], listPortFaults(ports)),
    ]),
  ];
}

function toPolicyFaults(at: Path, faults: readonly string[]): PolicyFault[] {
  return faults.map((message) => ({ at, message }));
}

/** Lists problems with one peer of a rule; `at` is its place. */
export function listPeerFaults(peer: Peer, at: Path): PolicyFault[] {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (!ipBlock) {
    if (!namespaceSelector && !podSelector)
      return toPolicyFaults(at, ['must have a peer, got an empty one']);
    return toPolicyFaults(at, [
      ...listSelectorFaults(namespaceSelector),
      ...listSelectorFaults(podSelector),
    ]);
  }
  const both = 'must have either an ipBlock or selectors in a peer, got both';
  const block = parseCidr(ipBlock.cidr);
  return [
    ...toPolicyFaults(at, namespaceSelector || podSelector ? [both] : []),
    ...(block ? [] : [{ at: [...at, 'ipBlock', 'cidr'], ...describeInvalidCidr(ipBlock.cidr) }]),
    ...(ipBlock.except ?? []).flatMap((except, i) => {
      const part = parseCidr(except);
      const isInside = block && part && part.bits !== block.bits && contains(block, part);
      if (isInside || (part && !block)) return [];
      const message = `must except a part of ${formatBrief(ipBlock.cidr)}, got ${show(except)}`;
      return [
        {
          at: [...at, 'ipBlock', 'except', i],
          ...(part ? { message } : describeInvalidCidr(except)),
        },
      ];
    }),
  ];
}

function listPortFaults(ports: Ports): string[] {
  return ports.flatMap(({ port, endPort }) => {
    if (endPort === undefined) return [];
    if (typeof port !== 'number') return ['must have a port number where endPort is given'];
    return endPort < port ? [`must have an endPort of at least ${port}, got ${endPort}`] : [];
  });
}
