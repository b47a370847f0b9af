import { listRequirements, matchesLabels, matchesRequirement } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { Peer } from '../../../crds/network.ts';
import { networkReport, type ReportedSide } from '../../network-report.ts';
import type { FleetFacts } from './fleet-facts.ts';

/** The ingress controllers and the monitoring of a cluster, from which tenants may let in. */
export class TrustedPeers {
  readonly #peers: readonly Peer[];
  readonly #keys: ReadonlySet<string>;

  constructor(peers: readonly Peer[]) {
    this.#peers = peers;
    this.#keys = new Set(describePeers(peers).map(keyOf));
  }

  /** Whether a label of a namespace decides that it is one of them, and its value before or after is selected. */
  selects(key: string, was: string | undefined, is: string | undefined): boolean {
    const labels = [was, is].map((value) => (value === undefined ? {} : { [key]: value }));
    return this.#peers.some(({ namespaceSelector = {} }) =>
      listRequirements(namespaceSelector).some((one) => {
        const [before, after] = labels.map((each) => matchesRequirement(one, each));
        return one.key === key && before !== after;
      }),
    );
  }

  /** Whether a peer of a connection is one of them, or some pods of one. */
  covers(side: ReportedSide, facts: FleetFacts): boolean {
    if (side.kind === 'addresses') return this.#keys.has(keyOf(side));
    if (side.kind === 'external')
      return this.#keys.has(keyOf(side)) || this.#keys.has(keyOf(withoutPods(side)));
    if (side.kind !== 'namespace') return false;
    const labels = facts.labelsOf(side.namespace) ?? {};
    return this.#peers.some(({ namespaceSelector, podSelector }) => {
      return (
        namespaceSelector !== undefined &&
        podSelector === undefined &&
        Object.keys(namespaceSelector).length > 0 &&
        matchesLabels(namespaceSelector, labels)
      );
    });
  }
}

/** Describes peers as a report of the network does, by a policy that lets them in. */
function describePeers(peers: readonly Peer[]): ReportedSide[] {
  if (peers.length === 0) return [];
  const metadata = { name: 'peers', namespace: 'peers' };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'peers' } },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: peers }] },
    },
  ] as unknown as KubeObject[];
  const [network] = networkReport([{ name: '', objects }]);
  return network!.namespaces[0]!.in.map((one) => one.with).filter(
    ({ kind }) => kind === 'addresses' || kind === 'external',
  );
}

const withoutPods = ({ pods: _pods, ...side }: ReportedSide & { readonly pods?: string }): object =>
  side;

const keyOf = (side: object): string => JSON.stringify(Object.entries(side).toSorted());
