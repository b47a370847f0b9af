import type { KubeObject } from '../../kube/object.ts';
import type { Hook } from '../../crds/tenantry/types.ts';
import type { Cluster, Platform } from '../tenant/declaration.ts';
import { OPERATOR } from './access.ts';
import { METRICS_PORT, podLabels } from './deployment.ts';
import { portsOf } from './hooks.ts';

/** Of whom Prometheus reads; each pod for itself, so it needs no address. */
export function metricsService(namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: OPERATOR, namespace, labels: podLabels },
    spec: {
      clusterIP: 'None',
      selector: podLabels,
      ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' }],
    },
  };
}

/** Undefined where the platform does not say that there is the kind. */
export function serviceMonitor({
  kinds,
  operatorNamespace: namespace,
  operatorMonitoring,
}: Platform): KubeObject | undefined {
  if (!kinds.has('monitoring.coreos.com/ServiceMonitor')) return undefined;
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: OPERATOR, namespace, labels: { ...operatorMonitoring.labels, ...podLabels } },
    spec: {
      selector: { matchLabels: podLabels },
      endpoints: [{ port: 'metrics', path: '/metrics' }],
    },
  };
}

/**
 * The platform's monitoring reads metrics, and the operator reaches DNS and the ports at which API servers
 * listen and hooks are called: their addresses are not known, and a policy cannot name a host. An empty list of
 * peers would be everybody.
 */
export function operatorNetworkPolicy(
  cluster: Cluster,
  namespace: string,
  hooks: readonly Hook[] = [],
): KubeObject {
  const { monitoring, dns } = cluster;
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  const dnsPorts = cluster.dnsPorts.flatMap((port) => [{ port, protocol: 'UDP' }, tcp(port)]);
  const scrape = { from: monitoring, ports: [tcp(METRICS_PORT)] };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: OPERATOR, namespace },
    spec: {
      podSelector: { matchLabels: podLabels },
      policyTypes: ['Ingress', 'Egress'],
      ...(monitoring.length > 0 && { ingress: [scrape] }),
      egress: [
        ...(dns.length > 0 ? [{ to: dns, ports: dnsPorts }] : []),
        { ports: sorted([...apiServerPorts(cluster), ...portsOf(hooks)]).map(tcp) },
      ],
    },
  };
}

/** That of the Service `kubernetes`, that behind it by default, and that of the cluster's address. */
function apiServerPorts({ server }: Cluster): readonly number[] {
  const own = server === undefined || !URL.canParse(server) ? '' : new URL(server).port;
  return [443, 6443, ...(own === '' ? [] : [Number(own)])];
}

const sorted = (ports: readonly number[]): readonly number[] =>
  [...new Set(ports)].toSorted((a, b) => a - b);

/** One replica at a time goes when nodes are emptied. */
export function operatorDisruptionBudget(namespace: string): KubeObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: OPERATOR, namespace },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: podLabels },
      // A replica that is not ready must not keep a node from being emptied.
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}
