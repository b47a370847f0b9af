import type { DeploymentSpec } from '@tenantry/kube/api/apps';
import type { PodSpec, TopologySpreadConstraint } from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';
import type { KubeObject } from '@tenantry/kube/object';
import { buildContainer, buildVolume, type OperatorContainer } from './container.ts';
import { resolvePod, type ResolvedPod } from './resolved-pod.ts';
import { CONTAINER, namespaceOf, OS, OS_LABEL, selectorOf } from './names.ts';
import type { OperatorSpec } from './spec.ts';

/** The Deployment of an operator (apps/v1). */
export interface OperatorDeployment extends KubeObject {
  readonly apiVersion: 'apps/v1';
  readonly kind: 'Deployment';
  readonly spec: OperatorDeploymentSpec;
}

/** The pods of an operator, and how they are replaced (apps/v1, DeploymentSpec). */
export interface OperatorDeploymentSpec extends Immutable<DeploymentSpec> {
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: {
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };
    readonly spec: OperatorPod;
  };
}

/** The pods of an operator (core/v1, PodSpec), which pass the Pod Security Standard `restricted`. */
export interface OperatorPod extends Immutable<PodSpec> {
  readonly serviceAccountName: string;
  readonly terminationGracePeriodSeconds: number;
  /** The operator's container first, then the sidecars. */
  readonly containers: readonly [OperatorContainer, ...OperatorContainer[]];
}

export function buildDeployment(spec: OperatorSpec): OperatorDeployment {
  const labels = selectorOf(spec);
  const filled = resolvePod(spec);
  const { version } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: spec.name,
      namespace: namespaceOf(spec),
      labels: { ...labels, ...(version !== undefined && { [VERSION]: version }) },
    },
    spec: {
      replicas: filled.replicas,
      selector: { matchLabels: labels },
      strategy:
        filled.election === 'None'
          ? // Two at once would both do the work.
            { type: 'Recreate' }
          : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...labels, ...spec.podLabels },
          annotations: {
            'kubectl.kubernetes.io/default-container': CONTAINER,
            ...spec.podAnnotations,
          },
        },
        spec: buildPod(spec, filled),
      },
    },
  };
}

const VERSION = 'app.kubernetes.io/version';

function buildPod(spec: OperatorSpec, filled: ResolvedPod): OperatorPod {
  const { priorityClass, imagePullSecrets = [] } = spec;
  const { volumes, gracePeriod } = filled;
  const [operator, ...sidecars] = filled.containers;
  return {
    serviceAccountName: spec.name,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    ...buildScheduling(spec, filled),
    ...(priorityClass !== undefined && { priorityClassName: priorityClass }),
    ...(imagePullSecrets.length > 0 && {
      imagePullSecrets: imagePullSecrets.map((name) => ({ name })),
    }),
    // No user: the image has one, and OpenShift gives its own.
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: gracePeriod,
    containers: [buildContainer(operator), ...sidecars.map(buildContainer)],
    ...(volumes.length > 0 && { volumes: volumes.map(buildVolume) }),
  };
}

type Scheduling = Pick<
  OperatorPod,
  'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints'
>;

/** On which nodes the pods run. */
function buildScheduling(spec: OperatorSpec, { replicas }: ResolvedPod): Scheduling {
  const { nodeSelector, tolerations = [], affinity } = spec;
  const spread = spec.topologySpreadConstraints ?? (replicas > 1 ? defaultSpread : []);
  const labelSelector = { matchLabels: selectorOf(spec) };
  return {
    nodeSelector: { [OS_LABEL]: OS, ...nodeSelector },
    ...(tolerations.length > 0 && { tolerations }),
    ...(affinity && { affinity }),
    ...(spread.length > 0 && {
      topologySpreadConstraints: spread.map((one) => ({
        ...one,
        labelSelector: one.labelSelector ?? labelSelector,
      })),
    }),
  };
}

/** One replica per node and per zone, as far as there is room. */
const defaultSpread = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map(
  (topologyKey): Immutable<TopologySpreadConstraint> => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
  }),
);
