import { crdManifest } from '@tenantry/crd/definition';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { Cluster, Platform } from '../declaration.ts';
import { OPERATOR } from './access.ts';
import { findHooks, listHookPorts } from './hooks.ts';
import type { OperatorNetwork, OperatorSpec } from '@tenantry/operator-kit/parts/spec';
import { CLUSTER_KEY, PLATFORM_CONFIG_MAP, PLATFORM_FILE } from './platform-config-map.ts';

const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
const PLATFORM_FOLDER = '/etc/tenantry';
/** The default of the setting `hookCredentials`. It is outside the other folder, which is mounted read-only. */
const CREDENTIALS_FOLDER = '/etc/tenantry-hooks';

/** What the spec of a cluster's tenant operator depends on. */
interface TenantOperatorSpecProps {
  readonly platform: Platform;
  readonly cluster: Cluster;
  readonly image: string;
  /** The digest of the Platform's text: a change of it replaces the pods. */
  readonly digest: string;
}

/** Builds the spec of the tenant operator, without its access: see `buildOperatorObjects`. */
export function tenantOperatorSpec(props: TenantOperatorSpecProps): OperatorSpec {
  const { platform, cluster, image, digest } = props;
  const { files = [], ...spec } = buildCommonSpec(platform, image);
  const hooks = findHooks(platform, cluster.name);
  return {
    ...spec,
    access: [],
    args: [
      'serve',
      `--cluster=${cluster.name}`,
      `--platform=${PLATFORM_FOLDER}/${PLATFORM_FILE}`,
      `--platform-digest=${digest}`,
      `--metrics-address=:${METRICS_PORT}`,
      `--health-address=:${HEALTH_PORT}`,
    ],
    files: [
      ...files,
      ...hooks.map(({ name, secret }) => ({
        name: `hook-${name}`,
        path: `${CREDENTIALS_FOLDER}/${name}`,
        // The operator also runs without the Secret, and then the hook reports what is missing.
        from: { secret, isOptional: true },
      })),
    ],
    network: buildNetwork([cluster], listHookPorts(hooks)),
  };
}

/**
 * Builds the spec of the tenant operator in a bundle, for any of the platform's clusters. The
 * ConfigMap of the Platform names the cluster. The namespace depends on the installation.
 */
export function bundledOperatorSpec(
  platform: Platform,
  settings: Pick<OperatorSpec, 'image' | 'version' | 'access'>,
): OperatorSpec {
  const { clusters } = platform;
  const { image, version, access } = settings;
  return {
    ...buildCommonSpec(platform, image),
    ...(version !== undefined && { version }),
    access,
    owned: [crdManifest(tenant), crdManifest(tenantClass)],
    args: [
      'serve',
      `--platform=${PLATFORM_FOLDER}/${PLATFORM_FILE}`,
      `--metrics-address=:${METRICS_PORT}`,
      `--health-address=:${HEALTH_PORT}`,
    ],
    environment: {
      [formatVariableName('cluster')]: {
        configMap: { name: PLATFORM_CONFIG_MAP, key: CLUSTER_KEY, isOptional: true },
      },
      [formatVariableName('lease-namespace')]: { field: 'metadata.namespace' },
    },
    network: buildNetwork(clusters, []),
  };
}

/** Formats the environment variable of a setting. operator/ lists the settings. */
const formatVariableName = (flag: string): string =>
  `TENANTRY_${flag.replaceAll('-', '_').toUpperCase()}`;

function buildCommonSpec(platform: Platform, image: string): Omit<OperatorSpec, 'access'> {
  const { operator = {} } = platform.declared;
  const { memory = '512Mi', priorityClass, imagePullSecrets, tolerations } = operator;
  const { kinds, operatorNamespace: namespace, operatorMonitoring } = platform;
  return {
    name: OPERATOR,
    namespace,
    image,
    metrics: {
      port: METRICS_PORT,
      // The platform declares that the cluster has the kind.
      ...(kinds.has('monitoring.coreos.com/ServiceMonitor') && {
        monitor: { labels: operatorMonitoring.labels },
      }),
    },
    probes: { port: HEALTH_PORT },
    resources: { requests: { cpu: '50m', memory }, limits: { memory } },
    files: [{ name: 'platform', path: PLATFORM_FOLDER, from: { configMap: PLATFORM_CONFIG_MAP } }],
    ...(priorityClass !== undefined && { priorityClass }),
    ...(imagePullSecrets && { imagePullSecrets }),
    ...(tolerations && { tolerations }),
    podLabels: { 'app.kubernetes.io/part-of': 'tenantry' },
  };
}

/** Combines what several clusters need, so that each of them works. */
function buildNetwork(clusters: readonly Cluster[], others: readonly number[]): OperatorNetwork {
  return {
    monitoring: distinct(clusters.flatMap(({ monitoring }) => monitoring)),
    dns: distinct(clusters.flatMap(({ dns }) => dns)),
    dnsPorts: distinct(clusters.flatMap(({ dnsPorts }) => dnsPorts)),
    apiServerPorts: sortPorts([...clusters.flatMap(apiServerPorts), ...others]),
  };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/**
 * Lists the ports of the Service `kubernetes`, of the API server behind it by default, and of the
 * cluster's address.
 */
function apiServerPorts({ server }: Cluster): readonly number[] {
  const own = server === undefined || !URL.canParse(server) ? '' : new URL(server).port;
  return [443, 6443, ...(own === '' ? [] : [Number(own)])];
}

const sortPorts = (ports: readonly number[]): readonly number[] =>
  [...new Set(ports)].toSorted((a, b) => a - b);
