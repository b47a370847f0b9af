import type { KubeObject } from '../../../kube/object.ts';
import type { NetworkPolicySpec, Peer, PeerRule } from '../../../crds/tenantry/network.ts';
import type { Cluster } from '../declaration.ts';
import type { ResolvedNamespace } from '../resolved.ts';
import type { Metadata } from './metadata.ts';

/** The label that the API server itself puts on every namespace; nobody can forge it. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * The NetworkPolicies. They add up: once a policy selects a pod in a direction, only what some
 * policy allows gets through. So nothing is said where isolation is Open, not even what is allowed.
 * Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function networkPolicyObjects(
  { settings }: ResolvedNamespace,
  metadata: Metadata,
  cluster: Cluster,
  tenantNamespaces: readonly string[],
): KubeObject[] {
  const { network } = settings;
  const names = network.policyNames ?? {};
  const policy = (name: string, spec: NetworkPolicySpec, own = {}): KubeObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(name, own),
    spec,
  });
  const ingress = (name: string, from: readonly Peer[]): KubeObject =>
    policy(name, { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from }] });
  const isolated = network.isolation !== 'Open';
  // `from: []` is for everyone: where the platform trusts nobody there is no policy at all.
  const trusts = (who: 'Allow' | 'Deny' | undefined, peers: readonly Peer[]): boolean =>
    isolated && who === 'Allow' && peers.length > 0;
  const own = peersWithin(network.isolation, tenantNamespaces);
  const reached = peersWithin(network.egress, tenantNamespaces);
  return [
    ...(isolated
      ? [
          policy(names.isolation!, {
            podSelector: {},
            policyTypes: ['Ingress'],
            ...(own.length > 0 && { ingress: [{ from: own }] }),
          }),
        ]
      : []),
    ...(trusts(network.ingressControllers, cluster.ingressControllers)
      ? [ingress(names.ingressControllers!, cluster.ingressControllers)]
      : []),
    ...(trusts(network.monitoring, cluster.monitoring)
      ? [ingress(names.monitoring!, cluster.monitoring)]
      : []),
    ...(network.egress !== 'Open'
      ? [
          policy(names.egress!, {
            podSelector: {},
            policyTypes: ['Egress'],
            egress: [
              ...(cluster.dns.length > 0 ? [{ to: cluster.dns, ports: dnsPorts(cluster) }] : []),
              ...(reached.length > 0 ? [{ to: reached }] : []),
            ],
          }),
        ]
      : []),
    ...(network.allowFrom ?? []).map((rule) =>
      policy(rule.name, {
        podSelector: selector(rule.pods),
        policyTypes: ['Ingress'],
        ingress: [{ from: peersOf(rule), ...(rule.ports && { ports: rule.ports }) }],
      }),
    ),
    ...(network.allowTo ?? []).map((rule) =>
      policy(rule.name, {
        podSelector: selector(rule.pods),
        policyTypes: ['Egress'],
        egress: [{ to: peersOf(rule), ...(rule.ports && { ports: rule.ports }) }],
      }),
    ),
    ...(network.policies ?? []).map(({ name, spec, labels, annotations }) =>
      policy(name, { podSelector: {}, ...spec }, { labels, annotations }),
    ),
  ];
}

function dnsPorts(cluster: Cluster) {
  return cluster.dnsPorts.flatMap((port) => [
    { port, protocol: 'UDP' as const },
    { port, protocol: 'TCP' as const },
  ]);
}

function peersWithin(
  within: 'Open' | 'SameTenant' | 'SameNamespace' | 'Closed' | undefined,
  tenantNamespaces: readonly string[],
): Peer[] {
  if (within === 'SameNamespace') return [{ podSelector: {} }];
  return within === 'SameTenant' ? [{ namespaceSelector: named(tenantNamespaces) }] : [];
}

/** The peers that an allowFrom or allowTo rule means. */
export function peersOf(rule: PeerRule): Peer[] {
  const pods = rule.podLabels && { podSelector: { matchLabels: rule.podLabels } };
  const peers: Peer[] = [];
  if (rule.namespaces) peers.push({ namespaceSelector: named(rule.namespaces), ...pods });
  if (rule.namespaceLabels) {
    peers.push({ namespaceSelector: { matchLabels: rule.namespaceLabels }, ...pods });
  }
  if (pods && peers.length === 0) peers.push(pods);
  for (const cidr of rule.cidrs ?? []) peers.push({ ipBlock: { cidr } });
  return peers;
}

function named(namespaces: readonly string[]) {
  return {
    matchExpressions: [
      { key: NAME_LABEL, operator: 'In' as const, values: [...new Set(namespaces)].toSorted() },
    ],
  };
}

function selector(labels: Readonly<Record<string, string>> | undefined) {
  return labels ? { matchLabels: labels } : {};
}
