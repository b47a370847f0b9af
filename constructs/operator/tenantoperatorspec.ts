import type { Cluster, Platform } from '../tenant/declaration.ts';
import { OPERATOR } from './access.ts';
import { hooksOn, portsOf } from './hooks.ts';
import type { OperatorSpec } from './parts/spec.ts';
import { PLATFORM_CONFIG_MAP, PLATFORM_FILE } from './platformconfigmap.ts';

const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
const MOUNTED = '/etc/tenantry';
/** The default of the setting `hookCredentials`. Not within the other folder, which is mounted read-only. */
const CREDENTIALS = '/etc/tenantry-hooks';

/** What the tenant operator of a cluster depends on. */
export interface TenantOperatorSpecProps {
  readonly platform: Platform;
  readonly cluster: Cluster;
  readonly image: string;
  /** Of the Platform's text: where that changes, the pods are made anew. */
  readonly digest: string;
}

/** The tenant operator as any operator is written down, but for its access: see `operatorObjects`. */
export function tenantOperatorSpec(props: TenantOperatorSpecProps): OperatorSpec {
  const { platform, cluster, image, digest } = props;
  const { memory = '512Mi', priorityClass } = platform.declared.operator ?? {};
  const { kinds, operatorNamespace: namespace, operatorMonitoring } = platform;
  const { monitoring, dns, dnsPorts } = cluster;
  const hooks = hooksOn(platform, cluster.name);
  return {
    name: OPERATOR,
    namespace,
    image,
    access: [],
    args: [
      'operator',
      'run',
      `--cluster=${cluster.name}`,
      `--platform=${MOUNTED}/${PLATFORM_FILE}`,
      `--platform-digest=${digest}`,
      `--metrics-address=:${METRICS_PORT}`,
      `--health-address=:${HEALTH_PORT}`,
    ],
    metrics: {
      port: METRICS_PORT,
      // The platform says that there is the kind.
      ...(kinds.has('monitoring.coreos.com/ServiceMonitor') && {
        monitor: { labels: operatorMonitoring.labels },
      }),
    },
    probes: { port: HEALTH_PORT },
    resources: { requests: { cpu: '50m', memory }, limits: { memory } },
    files: [
      { name: 'platform', path: MOUNTED, from: { configMap: PLATFORM_CONFIG_MAP } },
      ...hooks.map(({ name, secret }) => ({
        name: `hook-${name}`,
        path: `${CREDENTIALS}/${name}`,
        // Without it, the operator runs all the same, and the hook says what it lacks.
        from: { secret, isOptional: true },
      })),
    ],
    ...(priorityClass !== undefined && { priorityClass }),
    network: {
      monitoring,
      dns,
      dnsPorts,
      apiServerPorts: sorted([...apiServerPorts(cluster), ...portsOf(hooks)]),
    },
    podLabels: { 'app.kubernetes.io/part-of': 'tenantry' },
  };
}

/** That of the Service `kubernetes`, that behind it by default, and that of the cluster's address. */
function apiServerPorts({ server }: Cluster): readonly number[] {
  const own = server === undefined || !URL.canParse(server) ? '' : new URL(server).port;
  return [443, 6443, ...(own === '' ? [] : [Number(own)])];
}

const sorted = (ports: readonly number[]): readonly number[] =>
  [...new Set(ports)].toSorted((a, b) => a - b);
