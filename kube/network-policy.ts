import {
  matchesLabels,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type LabelSelector,
} from './label-selector.ts';
import {
  computeConnections,
  type Connection,
  type Namespaces,
  type NetworkNamespace,
} from './networkpolicy/connections.ts';
import { computeFlows, type Direction, type PolicySpec } from './networkpolicy/flows.ts';
import type { KubeObject } from './object.ts';

export type { Connection, ConnectionPeer } from './networkpolicy/connections.ts';
export {
  isIsolated,
  listAllowedFlows,
  type Direction,
  type PolicyPeer,
  type PolicySpec,
} from './networkpolicy/flows.ts';
export { formatRequirement, matchesPods, formatPods, type Pods } from './networkpolicy/pods.ts';
export {
  intersectPorts,
  EVERY_PORT,
  formatPorts,
  mergePorts,
  type Ports,
} from './networkpolicy/ports.ts';

/**
 * Who may talk to whom in a cluster, by its Namespaces and NetworkPolicies alone; other objects are
 * passed over. Pods are not known, so what is said of them is said by their labels.
 *
 * A connection happens when the destination lets it in and the source lets it out. Between two
 * namespaces that are known, each connection is listed that both sides let happen, on both sides,
 * apart from those with `anyone`: a namespace that is open to anyone does not list who comes, and one
 * of two that are open to anyone reaches the other.
 *
 * Traffic of nodes, and of pods in the network of their node, is no policy's to stop.
 * Source: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export class PodNetwork implements Namespaces {
  readonly #namespaces = new Map<string, NetworkNamespace>();
  readonly #selected = new Map<string, readonly NetworkNamespace[]>();

  constructor(objects: Iterable<KubeObject>) {
    const policies = new Map<string, PolicySpec[]>();
    const namespaces: KubeObject[] = [];
    for (const object of objects) {
      const { apiVersion, kind, metadata } = object;
      if (apiVersion === 'v1' && kind === 'Namespace') namespaces.push(object);
      if (apiVersion !== 'networking.k8s.io/v1' || kind !== 'NetworkPolicy') continue;
      const namespace = metadata.namespace ?? 'default';
      const spec = (object['spec'] ?? {}) as PolicySpec;
      policies.set(namespace, [...(policies.get(namespace) ?? []), spec]);
    }
    for (const { metadata } of namespaces) {
      const { name } = metadata;
      const own = policies.get(name) ?? [];
      this.#namespaces.set(name, {
        name,
        labels: { ...metadata.labels, [NAME_LABEL]: name },
        flows: { Ingress: computeFlows(own, 'Ingress'), Egress: computeFlows(own, 'Egress') },
      });
    }
  }

  /** The names of the namespaces, in the order in which they came. */
  get names(): readonly string[] {
    return [...this.#namespaces.keys()];
  }

  get(name: string): NetworkNamespace | undefined {
    return this.#namespaces.get(name);
  }

  selected(selector: LabelSelector): readonly NetworkNamespace[] {
    const key = JSON.stringify(selector);
    const known = this.#selected.get(key);
    if (known) return known;
    const names = findPossibleNames(listRequirements(selector));
    const candidates = names?.flatMap((name) => this.get(name) ?? []) ?? [
      ...this.#namespaces.values(),
    ];
    const selected = candidates.filter(({ labels }) => matchesLabels(selector, labels));
    this.#selected.set(key, selected);
    return selected;
  }

  /**
   * What may come into the pods of a namespace (`Ingress`), or go out of them (`Egress`).
   * @throws {Error} when there is no such namespace
   */
  connections(name: string, direction: Direction): readonly Connection[] {
    const own = this.get(name);
    if (!own) throw new Error(`must be a namespace of the cluster, got '${name}'`);
    return computeConnections(own, direction, this);
  }
}
