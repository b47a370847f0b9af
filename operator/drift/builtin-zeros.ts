import { isMapping } from '@tenantry/kube/mapping';

/**
 * What an API server does with empty declared fields of built-in kinds. Whether a type distinguishes absent from empty
 * is defined only in the code of Kubernetes.
 * Source: an API server of Kubernetes 1.36, which test/cluster/operator-unsaid.property.test.ts queries.
 */

const POD = 'v1/Pod';

/** String fields that may be empty without being dropped. */
const keptTexts = new Set(['storageClassName', 'volumeAttributesClassName', 'ingressClassName']);

/** String fields in which an empty value is defaulted or filled in by a controller. */
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

/** Boolean fields in which false means the same as absent. */
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

/** Number fields in which 0 means the same as absent. */
const absentZero = new Set([
  'healthCheckNodePort',
  'hostPort',
  'initialDelaySeconds',
  'minReadySeconds',
  'partition',
]);

/** Number fields in which 0 is defaulted to another number. */
const filledZeros = new Set([
  'Probe.failureThreshold',
  'Probe.periodSeconds',
  'Probe.successThreshold',
  'Probe.timeoutSeconds',
  'ServicePort.nodePort',
  'ServiceSpec.healthCheckNodePort',
]);

/** Lists to which the API server itself adds entries. */
const filledLists = new Set([
  'ServiceSpec.clusterIPs',
  'ServiceSpec.ipFamilies',
  'autoscaling.v2.HorizontalPodAutoscalerSpec.metrics',
]);

/** String fields of Pods that admission and the scheduler fill in. */
const filledTextsOfPods = new Set([
  'PodSpec.nodeName',
  'PodSpec.priorityClassName',
  'PodSpec.serviceAccountName',
]);

/** Lists of Pods to which admission adds entries: a volume with a token, tolerations, pull secrets. */
const filledOfPods = new Set([
  'Container.volumeMounts',
  'PodSpec.imagePullSecrets',
  'PodSpec.tolerations',
  'PodSpec.volumes',
]);

/** Maps in which the presence of a key decides something. The API server adds no key to a declared one. */
const wholeMaps = new Set([
  'LabelSelector.matchLabels',
  'PodSpec.nodeSelector',
  'ServiceSpec.selector',
  'v1/ConfigMap.binaryData',
  'v1/ConfigMap.data',
]);

/** Fields that the API server drops when another field makes them ineffective. */
const dropped = new Set(['ServiceSpec.sessionAffinityConfig']);

/** A field of a built-in type. */
export interface BuiltinField {
  /** The apiVersion and kind of the object that contains it. */
  readonly root: string;
  /** The type that has the field, and the name of the field: `PodSpec`, `nodeName`. */
  readonly of: string;
  readonly name: string;
  /** The type of the value, as `builtinFields` names it. */
  readonly type: string;
}

/** Whether a declared value is empty and the live value is what the API server makes of it. */
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

/** Whether the API server itself adds entries to a declared list. */
export function mayGrow({ root, of, name }: BuiltinField): boolean {
  const place = `${of}.${name}`;
  return filledLists.has(place) || (root === POD && filledOfPods.has(place));
}

/** Whether an undeclared key of the field counts as drift. */
export function isWhole({ of, name }: BuiltinField): boolean {
  return wholeMaps.has(`${of}.${name}`);
}
