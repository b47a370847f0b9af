import type { ServiceSpec } from '@tenantry/kube/api/core';
import type { NetworkPolicyPort, NetworkPolicySpec } from '@tenantry/kube/api/networking';
import type { PodDisruptionBudgetSpec } from '@tenantry/kube/api/policy';
import type { Immutable } from '@tenantry/kube/immutable';
import type { KubeObject } from '@tenantry/kube/object';
import type { LabelSelector } from '@tenantry/crd/schema/language';
import { resolvePod, resolveMetrics, webhookPort } from './resolved-pod.ts';
import { METRICS, namespaceOf, selectorOf, webhookName, WEBHOOKS } from './names.ts';
import type { OperatorSpec } from './spec.ts';

/** An object with a spec of a type. */
type ObjectOf<Spec> = KubeObject & { readonly spec: Immutable<Spec> };

/** A Service of an operator (core/v1). */
export interface OperatorService extends KubeObject {
  readonly spec: OperatorServiceSpec;
}

/** The selector and the ports of a Service (core/v1, ServiceSpec). */
export interface OperatorServiceSpec extends Immutable<ServiceSpec> {
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly {
    readonly name: string;
    readonly port: number;
    /** The name of a port of the container. */
    readonly targetPort: string;
  }[];
}

/**
 * Builds the Service by which Prometheus finds the pods. It needs no address, because Prometheus
 * scrapes each pod.
 */
export function buildMetricsService(spec: OperatorSpec): OperatorService | undefined {
  const metrics = resolveMetrics(spec);
  if (!metrics) return undefined;
  const labels = selectorOf(spec);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: spec.name, namespace: namespaceOf(spec), labels },
    spec: {
      clusterIP: 'None',
      selector: labels,
      ports: [{ name: METRICS, port: metrics.port, targetPort: METRICS }],
    },
  };
}

/** Builds the Service by which API servers reach the webhooks. */
export function buildWebhookService(spec: OperatorSpec): OperatorService | undefined {
  if (!spec.webhooks) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: webhookName(spec), namespace: namespaceOf(spec) },
    spec: {
      selector: selectorOf(spec),
      ports: [{ name: WEBHOOKS, port: 443, targetPort: WEBHOOKS }],
    },
  };
}

/** Builds the ServiceMonitor; undefined unless the spec requests one. */
export function buildServiceMonitor(spec: OperatorSpec): KubeObject | undefined {
  const metrics = resolveMetrics(spec);
  if (!metrics?.monitor) return undefined;
  const labels = selectorOf(spec);
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: {
      name: spec.name,
      namespace: namespaceOf(spec),
      labels: { ...metrics.monitor.labels, ...labels },
    },
    spec: {
      selector: { matchLabels: labels },
      endpoints: [{ port: METRICS, path: metrics.path }],
    },
  };
}

/** Builds the budget that lets node drains evict one replica at a time; undefined with one replica. */
export function buildDisruptionBudget(
  spec: OperatorSpec,
): ObjectOf<PodDisruptionBudgetSpec> | undefined {
  if (resolvePod(spec).replicas < 2) return undefined;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: spec.name, namespace: namespaceOf(spec) },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: selectorOf(spec) },
      // A replica that is not ready must not block a node drain.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}

/** Builds the NetworkPolicy, see `OperatorNetwork`. An empty list of peers would mean everybody. */
export function buildNetworkPolicy(spec: OperatorSpec): ObjectOf<NetworkPolicySpec> | undefined {
  const { network = {} } = spec;
  if (network === false) return undefined;
  const { monitoring = defaultPeers.monitoring, dns = defaultPeers.dns, dnsPorts = [53] } = network;
  const { apiServerPorts = [443, 6443], destinations = [], clients = [] } = network;
  const numbers = new Map(
    resolvePod(spec).containers.flatMap(({ ports }) => ports.map(({ name, port }) => [name, port])),
  );
  const metrics = resolveMetrics(spec);
  const ingress = [
    ...(metrics && monitoring.length > 0 ? [{ from: monitoring, ports: [tcp(metrics.port)] }] : []),
    ...(spec.webhooks ? [{ ports: [tcp(webhookPort(spec))] }] : []),
    ...clients.map(({ from, ports }) => ({
      from,
      ports: ports.map((name) => tcp(numbers.get(name)!)),
    })),
  ];
  const dnsRule = {
    to: dns,
    ports: dnsPorts.flatMap((port) => [udp(port), tcp(port)]),
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: spec.name, namespace: namespaceOf(spec) },
    spec: {
      podSelector: { matchLabels: selectorOf(spec) },
      policyTypes: ['Ingress', 'Egress'],
      ...(ingress.length > 0 && { ingress }),
      egress: [
        ...(dns.length > 0 ? [dnsRule] : []),
        ...(apiServerPorts.length > 0 ? [{ ports: apiServerPorts.map(tcp) }] : []),
        ...destinations.map(({ to, ports }) => ({ ...(to && { to }), ports: ports.map(tcp) })),
      ],
    },
  };
}

const tcp = (port: number): Immutable<NetworkPolicyPort> => ({ port, protocol: 'TCP' });

const udp = (port: number): Immutable<NetworkPolicyPort> => ({ port, protocol: 'UDP' });

const selectNamespace = (name: string): LabelSelector => ({
  matchLabels: { 'kubernetes.io/metadata.name': name },
});

const defaultPeers = {
  monitoring: [{ namespaceSelector: selectNamespace('monitoring') }],
  dns: [
    {
      namespaceSelector: selectNamespace('kube-system'),
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
};
