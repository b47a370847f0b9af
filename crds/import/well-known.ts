import type { Structure, Use } from './structure.ts';

/** The fields that identify a type of Kubernetes, and the fields that contain it. */
interface WellKnown {
  readonly name: string;
  /** All of them are there. */
  readonly has: readonly string[];
  /** No other is there. */
  readonly only?: readonly string[];
  /** One of the fields that contain it in every place. */
  readonly at?: readonly string[];
}

const key = ['key', 'name', 'optional'];

/**
 * Types that many CRDs embed, under the names that Kubernetes gives them.
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/
 */
const table: readonly WellKnown[] = [
  { name: 'LabelSelector', has: ['matchExpressions', 'matchLabels'], only: [] },
  { name: 'Condition', has: ['type', 'status'], at: ['conditions'] },
  { name: 'PodTemplateSpec', has: ['metadata', 'spec'], only: [], at: ['template', 'podTemplate'] },
  { name: 'PodSpec', has: ['containers', 'volumes', 'restartPolicy', 'tolerations'] },
  { name: 'EphemeralContainer', has: ['image', 'imagePullPolicy', 'targetContainerName'] },
  { name: 'Container', has: ['image', 'imagePullPolicy', 'livenessProbe', 'volumeMounts'] },
  { name: 'ContainerPort', has: ['containerPort', 'hostPort', 'protocol'] },
  { name: 'ResourceRequirements', has: ['limits', 'requests'], only: ['claims'] },
  { name: 'SecurityContext', has: ['allowPrivilegeEscalation', 'capabilities', 'runAsUser'] },
  { name: 'PodSecurityContext', has: ['fsGroup', 'runAsUser', 'supplementalGroups'] },
  { name: 'Probe', has: ['failureThreshold', 'periodSeconds', 'timeoutSeconds', 'httpGet'] },
  { name: 'Lifecycle', has: ['postStart', 'preStop'] },
  { name: 'LifecycleHandler', has: ['exec', 'httpGet', 'tcpSocket'], at: ['postStart', 'preStop'] },
  { name: 'HTTPGetAction', has: ['port', 'path', 'scheme'], at: ['httpGet'] },
  { name: 'EnvVar', has: ['name', 'value', 'valueFrom'], only: [] },
  { name: 'EnvVarSource', has: ['configMapKeyRef', 'fieldRef', 'secretKeyRef'] },
  { name: 'EnvFromSource', has: ['configMapRef', 'secretRef', 'prefix'], only: [] },
  { name: 'ConfigMapKeySelector', has: key, only: [], at: ['configMapKeyRef', 'configMap'] },
  { name: 'SecretKeySelector', has: key, only: [] },
  { name: 'ObjectFieldSelector', has: ['apiVersion', 'fieldPath'], only: [] },
  { name: 'ResourceFieldSelector', has: ['containerName', 'divisor', 'resource'], only: [] },
  { name: 'KeyToPath', has: ['key', 'mode', 'path'], only: [] },
  { name: 'VolumeMount', has: ['mountPath', 'name', 'subPath'] },
  { name: 'VolumeDevice', has: ['devicePath', 'name'], only: [] },
  { name: 'Volume', has: ['configMap', 'emptyDir', 'hostPath', 'secret', 'projected'] },
  { name: 'PersistentVolumeClaimSpec', has: ['accessModes', 'resources', 'storageClassName'] },
  { name: 'Affinity', has: ['nodeAffinity', 'podAffinity', 'podAntiAffinity'], only: [] },
  { name: 'NodeAffinity', has: [], at: ['nodeAffinity'] },
  { name: 'PodAffinity', has: [], at: ['podAffinity'] },
  { name: 'PodAntiAffinity', has: [], at: ['podAntiAffinity'] },
  { name: 'PodAffinityTerm', has: ['labelSelector', 'namespaces', 'topologyKey'] },
  { name: 'NodeSelectorTerm', has: ['matchExpressions', 'matchFields'], only: [] },
  {
    name: 'Toleration',
    has: ['effect', 'key', 'operator', 'tolerationSeconds', 'value'],
    only: [],
  },
  { name: 'TopologySpreadConstraint', has: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
  { name: 'HostAlias', has: ['hostnames', 'ip'], only: [] },
  { name: 'PodDNSConfig', has: ['nameservers', 'options', 'searches'], only: [] },
  { name: 'ObjectReference', has: ['apiVersion', 'kind', 'name', 'resourceVersion', 'uid'] },
];

/** The name that Kubernetes gives a type that looks and is used like this one. */
export function wellKnownName({ fields }: Structure, uses: readonly Use[]): string | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const found = table.find(
    ({ has, only, at }) =>
      has.every((name) => names.has(name)) &&
      (!only || names.size === has.length + only.filter((name) => names.has(name)).length) &&
      (!at || uses.every(({ field }) => at.includes(field))),
  );
  return found?.name;
}
