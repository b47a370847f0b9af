import { expect } from '@jest/globals';
import { matchesLabels } from '@tenantry/kube/label-selector';
import type { NetworkPolicySpec, Peer } from '../../../crds/network.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Check, Verdict } from './check.ts';

interface Place {
  readonly labels: Readonly<Record<string, string>>;
  readonly policies: readonly NetworkPolicySpec[];
}

/** The state of a namespace on the API server. */
async function placeOf({ admin }: ClusterAccess, name: string): Promise<Place> {
  const namespace = await admin.get({ apiVersion: 'v1', kind: 'Namespace', name });
  const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', namespace: name };
  const { items = [] } = (await admin.list(kind)).body;
  expect(namespace.status).toBe(200);
  return {
    labels: namespace.body.metadata!.labels!,
    policies: items.map(({ spec }) => spec as NetworkPolicySpec),
  };
}

/**
 * Returns whether a pod without labels reaches one in another namespace, by the definition of both namespaces'
 * policies; the test has no network. Pods have no address in a block here. Source:
 * https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
function connects(from: Place, to: Place): boolean {
  return (
    lets('Egress', from.policies, to, ({ egress = [] }) => egress.map((rule) => rule.to)) &&
    lets('Ingress', to.policies, from, ({ ingress = [] }) => ingress.map((rule) => rule.from))
  );
}

function lets(
  direction: 'Ingress' | 'Egress',
  policies: readonly NetworkPolicySpec[],
  other: Place,
  peersOf: (policy: NetworkPolicySpec) => readonly (readonly Peer[] | undefined)[],
): boolean {
  const selecting = policies.filter(
    ({ podSelector = {}, policyTypes }) =>
      policyTypes!.includes(direction) && matchesLabels(podSelector, {}),
  );
  if (selecting.length === 0) return true;
  return selecting.some((policy) =>
    peersOf(policy).some((peers = []) => peers.length === 0 || peers.some((p) => isPeer(p, other))),
  );
}

function isPeer({ namespaceSelector, podSelector = {}, ipBlock }: Peer, other: Place): boolean {
  if (ipBlock || !namespaceSelector) return false;
  return matchesLabels(namespaceSelector, other.labels) && matchesLabels(podSelector, {});
}

/** Returns whether pods of one namespace reach those of the other, in either direction. */
export async function reach(cluster: ClusterAccess, a: string, b: string): Promise<Verdict> {
  const [one, two] = await Promise.all([placeOf(cluster, a), placeOf(cluster, b)]);
  return connects(one, two) || connects(two, one) ? 'open' : 'passes';
}

/** Network checks that are only planned upstream. */
export const networkChecks: readonly Check[] = [
  {
    name: 'Block network access across tenant namespaces',
    ask: ({ cluster, tenant, other }) => reach(cluster, tenant.namespace, other.namespace),
  },
];
