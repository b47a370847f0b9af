import { isMapping } from '../../kube/mapping.ts';

/**
 * What an API server makes of fields of its own kinds that are declared to be empty: whether a type holds
 * nothing apart from its empty value is written in its code, and nowhere else.
 * Source: an API server of Kubernetes 1.36, which test/cluster/operator-unsaid.property.test.ts asks.
 */

const POD = 'v1/Pod';

/** Texts that may be empty without being left out. */
const keptTexts = new Set(['storageClassName', 'volumeAttributesClassName', 'ingressClassName']);

/** Where an empty text is another one by default, or somebody's to fill in. */
const filledTexts = new Set([
  'Container.imagePullPolicy',
  'Container.terminationMessagePath',
  'Container.terminationMessagePolicy',
  'ContainerPort.protocol',
  'CronJobSpec.concurrencyPolicy',
  'DaemonSetUpdateStrategy.type',
  'DeploymentStrategy.type',
  'HTTPGetAction.path',
  'HTTPGetAction.scheme',
  'ObjectFieldSelector.apiVersion',
  'PersistentVolumeClaimSpec.volumeName',
  'PodSpec.dnsPolicy',
  'PodSpec.restartPolicy',
  'PodSpec.schedulerName',
  'PodSpec.serviceAccount',
  'ServicePort.protocol',
  'ServiceSpec.clusterIP',
  'ServiceSpec.externalTrafficPolicy',
  'ServiceSpec.sessionAffinity',
  'ServiceSpec.type',
  'StatefulSetSpec.podManagementPolicy',
  'StatefulSetUpdateStrategy.type',
]);

/** Fields of which false says as much as nothing. */
const absentFalse = new Set([
  'chapAuthDiscovery',
  'chapAuthSession',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'paused',
  'publishNotReadyAddresses',
  'readOnly',
  'stdin',
  'stdinOnce',
  'tty',
]);

/** Fields of which 0 says as much as nothing. */
const absentZero = new Set([
  'healthCheckNodePort',
  'hostPort',
  'initialDelaySeconds',
  'minReadySeconds',
  'partition',
]);

/** Where 0 is another number by default. */
const filledZeros = new Set([
  'Probe.failureThreshold',
  'Probe.periodSeconds',
  'Probe.successThreshold',
  'Probe.timeoutSeconds',
  'ServicePort.nodePort',
  'ServiceSpec.healthCheckNodePort',
]);

/** Lists to which the API server itself adds. */
const filledLists = new Set([
  'ServiceSpec.clusterIPs',
  'ServiceSpec.ipFamilies',
  'autoscaling.v2.HorizontalPodAutoscalerSpec.metrics',
]);

/** What admission and the scheduler fill in of Pods themselves. */
const filledTextsOfPods = new Set([
  'PodSpec.nodeName',
  'PodSpec.priorityClassName',
  'PodSpec.serviceAccountName',
]);

/** Lists of Pods to which admission adds: a volume with a token, tolerations, pull secrets. */
const filledOfPods = new Set([
  'Container.volumeMounts',
  'PodSpec.imagePullSecrets',
  'PodSpec.tolerations',
  'PodSpec.volumes',
]);

/** Where a key decides by being there. The API server adds none to those that are declared. */
const wholeMaps = new Set([
  'LabelSelector.matchLabels',
  'PodSpec.nodeSelector',
  'ServiceSpec.selector',
  'v1/ConfigMap.binaryData',
  'v1/ConfigMap.data',
]);

/** What the API server drops where another field says that it has no effect. */
const dropped = new Set(['ServiceSpec.sessionAffinityConfig']);

/** A field of a type of Kubernetes' own. */
export interface BuiltinField {
  /** The kind under its apiVersion, in which it is. */
  readonly root: string;
  /** The type that has it, and its name: `PodSpec`, `nodeName`. */
  readonly of: string;
  readonly name: string;
  /** What it holds, as `builtinFields` says it. */
  readonly type: string;
}

/** Whether a declared value is empty, and what is there is what the API server makes of that. */
export function isEmptyOf(declared: unknown, live: unknown, field: BuiltinField): boolean {
  const { root, of, name, type } = field;
  const isAbsent = live === undefined || live === null;
  const place = `${of}.${name}`;
  if (isAbsent && dropped.has(place)) return true;
  if (declared === '') {
    if (isAbsent) return !keptTexts.has(name);
    return filledTexts.has(place) || (root === POD && filledTextsOfPods.has(place));
  }
  if (declared === false) return isAbsent && absentFalse.has(name);
  if (declared === 0) return filledZeros.has(place) || (isAbsent && absentZero.has(name));
  if (Array.isArray(declared)) return declared.length === 0 && (isAbsent || filledLists.has(place));
  if (!isAbsent || !isMapping(declared)) return false;
  return type.startsWith('{}') && Object.values(declared).every(isNothing);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Whether the API server itself adds entries to a list that is declared. */
export function mayGrow({ root, of, name }: BuiltinField): boolean {
  const place = `${of}.${name}`;
  return filledLists.has(place) || (root === POD && filledOfPods.has(place));
}

/** Whether a key that nobody declared is a difference. */
export function isWhole({ of, name }: BuiltinField): boolean {
  return wholeMaps.has(`${of}.${name}`);
}
