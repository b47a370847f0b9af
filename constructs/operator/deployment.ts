import type { KubeObject } from '../../kube/object.ts';
import type { Platform } from '../tenant/declaration.ts';
import { OPERATOR } from './access.ts';
import { hooksOn } from './hooks.ts';
import { PLATFORM_CONFIG_MAP, PLATFORM_FILE } from './platformconfigmap.ts';

/** Labels by which the operator's pods are found. They are the Deployment's selector: they never change. */
export const podLabels = { 'app.kubernetes.io/name': OPERATOR } as const;

export const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
const MOUNTED = '/etc/tenantry';
/** The default of the setting `hookCredentials`. Not within the other folder, which is mounted read-only. */
const CREDENTIALS = '/etc/tenantry-hooks';

/** What a Deployment of the operator depends on. */
export interface DeploymentProps {
  readonly platform: Platform;
  readonly cluster: string;
  readonly image: string;
  /** Of the Platform's text: where that changes, the pods are made anew. */
  readonly digest: string;
}

/** Two replicas, of which one leads. Nothing of them is privileged, and nothing writable. */
export function operatorDeployment(props: DeploymentProps): KubeObject {
  const { platform } = props;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: OPERATOR, namespace: platform.operatorNamespace, labels: podLabels },
    spec: {
      replicas: 2,
      selector: { matchLabels: podLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...podLabels, 'app.kubernetes.io/part-of': 'tenantry' },
          annotations: { 'kubectl.kubernetes.io/default-container': 'operator' },
        },
        spec: podOf(props),
      },
    },
  };
}

function podOf(props: DeploymentProps): object {
  const { priorityClass } = props.platform.declared.operator ?? {};
  return {
    serviceAccountName: OPERATOR,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    ...(priorityClass !== undefined && { priorityClassName: priorityClass }),
    // No user: the image has one, and OpenShift gives its own.
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    // More than the 30 s in which the operator stops.
    terminationGracePeriodSeconds: 40,
    topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map(
      (topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: podLabels },
      }),
    ),
    containers: [containerOf(props)],
    volumes: [
      { name: 'platform', configMap: { name: PLATFORM_CONFIG_MAP } },
      ...hooksOn(props.platform, props.cluster).map(({ name, secret }) => ({
        name: volumeOf(name),
        // Without it, the operator runs all the same, and the hook says what it lacks.
        secret: { secretName: secret, optional: true },
      })),
    ],
  };
}

const volumeOf = (hook: string): string => `hook-${hook}`;

function containerOf(props: DeploymentProps): object {
  const { platform, cluster, image, digest } = props;
  const { memory = '512Mi' } = platform.declared.operator ?? {};
  const probe = (path: string) => ({
    httpGet: { path, port: 'health' },
    periodSeconds: 10,
    timeoutSeconds: 5,
  });
  return {
    name: 'operator',
    image,
    args: [
      'operator',
      'run',
      `--cluster=${cluster}`,
      `--platform=${MOUNTED}/${PLATFORM_FILE}`,
      `--platform-digest=${digest}`,
      `--metrics-address=:${METRICS_PORT}`,
      `--health-address=:${HEALTH_PORT}`,
    ],
    ports: [
      { name: 'metrics', containerPort: METRICS_PORT },
      { name: 'health', containerPort: HEALTH_PORT },
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '50m', memory }, limits: { memory } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    // What a replica that cannot start says stands in `kubectl describe pod`.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: 'platform', mountPath: MOUNTED, readOnly: true },
      ...hooksOn(props.platform, props.cluster).map(({ name }) => ({
        name: volumeOf(name),
        mountPath: `${CREDENTIALS}/${name}`,
        readOnly: true,
      })),
    ],
  };
}
