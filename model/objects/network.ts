import { contains, parseCidr } from '@tenantry/kube/address';
import { NAME_LABEL } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { PeerGroup } from '../../crds/types.ts';
import type { NetworkPolicySpec, Peer, PeerRule } from '../../crds/network.ts';
import type { Cluster } from '../declaration.ts';
import type { Network, ResolvedNamespace } from '../layers/resolved.ts';
import type { MetadataFactory } from './metadata.ts';

/** A NetworkPolicy before its namespace is set. */
type Policy = NonNullable<Network['policies']>[number];

/**
 * Builds the NetworkPolicies. Policies add up: once a policy selects a pod in a direction, only traffic that some
 * policy allows gets through. So where isolation is Open no policy is rendered, not even one that allows something.
 * Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function buildNetworkPolicies(
  { settings: { network } }: ResolvedNamespace,
  metadata: MetadataFactory,
  cluster: Cluster,
  tenantNamespaces: readonly string[],
): KubeObject[] {
  return [
    ...buildIsolationPolicies(network, tenantNamespaces),
    ...buildTrustedPolicies(network, cluster),
    ...buildEgressPolicies(network, cluster, tenantNamespaces),
    ...(network.allowFrom ?? []).map(buildAllowFromPolicy),
    ...(network.allowTo ?? []).map(buildAllowToPolicy),
    ...(network.policies ?? []),
  ].map(({ name, labels, annotations, spec }) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(name, {
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    }),
    spec: { podSelector: {}, ...spec },
  }));
}

function buildIsolationPolicies(network: Network, tenantNamespaces: readonly string[]): Policy[] {
  if (network.isolation === 'Open') return [];
  const from = buildIsolationPeers(network.isolation, tenantNamespaces);
  return [
    buildIngressPolicy(network.policyNames.isolation, from.length > 0 ? [{ from }] : undefined),
  ];
}

/**
 * Builds the policies for trusted peers; none if the platform trusts nobody, because `from: []` would allow everyone.
 */
function buildTrustedPolicies(network: Network, cluster: Cluster): Policy[] {
  if (network.isolation === 'Open') return [];
  return (['ingressControllers', 'monitoring'] as const)
    .filter((who) => network[who] === 'Allow' && cluster[who].length > 0)
    .map((who) => buildIngressPolicy(network.policyNames[who], [{ from: cluster[who] }]));
}

function buildEgressPolicies(
  network: Network,
  cluster: Cluster,
  tenantNamespaces: readonly string[],
): Policy[] {
  if (network.egress === 'Open') return [];
  const dns = { to: cluster.dns, ports: dnsPorts(cluster) };
  const within = { to: buildIsolationPeers(network.egress, tenantNamespaces) };
  const rules = [dns, within].filter(({ to }) => to.length > 0);
  const spec: NetworkPolicySpec = { policyTypes: ['Egress'], egress: rules };
  return [{ name: network.policyNames.egress, spec }];
}

function buildIngressPolicy(name: string, ingress: NetworkPolicySpec['ingress']): Policy {
  return { name, spec: { policyTypes: ['Ingress'], ...(ingress && { ingress }) } };
}

/** Builds the policy for an `allowFrom` rule. */
export function buildAllowFromPolicy(rule: PeerRule): Policy {
  const ingress = [{ from: buildPeers(rule), ...pickPorts(rule) }];
  return {
    name: rule.name,
    spec: { podSelector: selector(rule.pods), policyTypes: ['Ingress'], ingress },
  };
}

/** Builds the policy for an `allowTo` rule. */
export function buildAllowToPolicy(rule: PeerRule): Policy {
  const egress = [{ to: buildPeers(rule), ...pickPorts(rule) }];
  return {
    name: rule.name,
    spec: { podSelector: selector(rule.pods), policyTypes: ['Egress'], egress },
  };
}

function pickPorts({ ports }: PeerRule): Pick<PeerRule, 'ports'> {
  return ports ? { ports } : {};
}

function dnsPorts(cluster: Cluster) {
  return cluster.dnsPorts.flatMap((port) => [
    { port, protocol: 'UDP' as const },
    { port, protocol: 'TCP' as const },
  ]);
}

function buildIsolationPeers(
  within: Network['isolation'],
  tenantNamespaces: readonly string[],
): Peer[] {
  if (within === 'SameNamespace') return [{ podSelector: {} }];
  return within === 'SameTenant' ? [{ namespaceSelector: selectNamespaces(tenantNamespaces) }] : [];
}

function buildPeers({ peers = [], ...rule }: PeerRule): Peer[] {
  return [rule, ...peers].flatMap(buildGroupPeers);
}

function buildGroupPeers(rule: PeerGroup): Peer[] {
  const pods = rule.podLabels && { podSelector: { matchLabels: rule.podLabels } };
  const peers: Peer[] = [];
  if (rule.namespaces)
    peers.push({ namespaceSelector: selectNamespaces(rule.namespaces), ...pods });
  if (rule.namespaceLabels) {
    peers.push({ namespaceSelector: { matchLabels: rule.namespaceLabels }, ...pods });
  }
  if (pods && peers.length === 0) peers.push(pods);
  for (const cidr of rule.cidrs ?? []) peers.push({ ipBlock: buildIpBlock(cidr, rule.except) });
  return peers;
}

/** Builds the ipBlock, with the excluded parts that lie in it; NetworkPolicies accept no others. */
function buildIpBlock(cidr: string, left: readonly string[] = []): NonNullable<Peer['ipBlock']> {
  const block = parseCidr(cidr);
  const except = left.filter((one) => {
    const part = parseCidr(one);
    return block && part && block.bits !== part.bits && contains(block, part);
  });
  return { cidr, ...(except.length > 0 && { except }) };
}

function selectNamespaces(namespaces: readonly string[]) {
  return {
    matchExpressions: [
      { key: NAME_LABEL, operator: 'In' as const, values: [...new Set(namespaces)].toSorted() },
    ],
  };
}

function selector(labels: Readonly<Record<string, string>> | undefined) {
  return labels ? { matchLabels: labels } : {};
}
