import { brief, show } from '../../../kube/problem.ts';
import type { NetworkPolicySpec, Peer } from '../../../crds/tenantry/network.ts';
import { contains, notCidr, parseCidr } from './cidr.ts';
import { selectorFaults } from './selectors.ts';

type Ports = NonNullable<NonNullable<NetworkPolicySpec['ingress']>[number]['ports']>;

/**
 * What is wrong with a NetworkPolicy that its schema lets through, in Kubernetes' own rules.
 * Source: k8s.io/kubernetes pkg/apis/networking/validation ValidateNetworkPolicySpec
 */
export function policyFaults(spec: NetworkPolicySpec): string[] {
  const rules = [
    ...(spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports })),
    ...(spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports })),
  ];
  return [
    ...selectorFaults(spec.podSelector),
    ...rules.flatMap(({ peers = [], ports = [] }) => [
      ...peers.flatMap(peerFaults),
      ...portFaults(ports),
    ]),
  ];
}

function peerFaults(peer: Peer): string[] {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (!ipBlock) {
    if (!namespaceSelector && !podSelector) return ['must have a peer, got an empty one'];
    return [...selectorFaults(namespaceSelector), ...selectorFaults(podSelector)];
  }
  const faults: string[] = [];
  if (namespaceSelector || podSelector) {
    faults.push('must have either an ipBlock or selectors in a peer, got both');
  }
  const block = parseCidr(ipBlock.cidr);
  if (!block) faults.push(notCidr(ipBlock.cidr));
  for (const except of ipBlock.except ?? []) {
    const part = parseCidr(except);
    if (!part) faults.push(notCidr(except));
    else if (block && (part.bits === block.bits || !contains(block, part))) {
      faults.push(`must except a part of ${brief(ipBlock.cidr)}, got ${show(except)}`);
    }
  }
  return faults;
}

function portFaults(ports: Ports): string[] {
  return ports.flatMap(({ port, endPort }) => {
    if (endPort === undefined) return [];
    if (typeof port !== 'number') return ['must have a port number where endPort is given'];
    return endPort < port ? [`must have an endPort of at least ${port}, got ${endPort}`] : [];
  });
}
