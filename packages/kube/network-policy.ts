import {
  matchesLabels,
  NAME_LABEL,
  findPossibleNames,
  listRequirements,
  type LabelSelector,
} from './label-selector.ts';
import {
  computeConnections,
  computeFlows,
  type Connection,
  type Namespaces,
  type NetworkNamespace,
  type Direction,
  type PolicySpec,
} from './network-policy/connections.ts';
import type { KubeObject } from './object.ts';

export {
  isIsolated,
  listAllowedFlows,
  type Connection,
  type ConnectionPeer,
  type Direction,
  type PolicyPeer,
  type PolicySpec,
} from './network-policy/connections.ts';
export { formatRequirement, matchesPods, formatPods } from './network-policy/pods.ts';
export {
  intersectPorts,
  EVERY_PORT,
  formatPorts,
  mergePorts,
  type Ports,
} from './network-policy/ports.ts';

/**
 * Computes which pods of a cluster may connect to which others, only by its Namespaces and NetworkPolicies; other
 * objects are ignored. Pods are not known, so they are described by their labels.
 *
 * A connection is possible if the destination allows it in and the source allows it out. Between two known namespaces,
 * each connection that both sides allow is listed on both sides. The exception is `anyone`: a namespace that is open to
 * anyone does not list its peers, and one of two that are open to anyone reaches the other.
 *
 * No policy can block traffic of nodes, or of pods in the network of their node.
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

  /** The names of the namespaces, in the order of the input. */
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
   * Lists the connections into the pods of a namespace (`Ingress`), or out of them (`Egress`).
   * @throws {Error} when there is no such namespace
   */
  connections(name: string, direction: Direction): readonly Connection[] {
    const own = this.get(name);
    if (!own) throw new Error(`must be a namespace of the cluster, got '${name}'`);
    return computeConnections(own, direction, this);
  }
}
