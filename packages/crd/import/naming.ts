import { pascal, singular } from './identifiers-and-literals.ts';
import type { Structure, Use } from './structure.ts';

/** The maximum length of a type's name in characters; with defaults filled in it has six more. */
const MAX_NAME_LENGTH = 74;

/** Names of the types of one version, each once. */
export class TypeNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<Structure, string>();
  readonly #paths = new Map<Structure, string>();

  /**
   * Computes the names from field names and equal objects only, and not from their order.
   * @param prefix the prefix of all names: the kind
   * @param taken names that are already in use
   */
  constructor(prefix: string, structures: readonly Structure[], taken: Iterable<string>) {
    this.#taken = new Set(taken);
    // A structure that contains another one is higher, and is named first.
    const heights = structures.toSorted((a, b) => b.height - a.height);
    for (let i = 0, end; i < heights.length; i = end) {
      end = i;
      while (heights[end]?.height === heights[i]!.height) end += 1;
      const level = heights.slice(i, end);
      for (const one of level) this.#paths.set(one, this.#path(prefix, one.uses));
      for (const one of level.toSorted((a, b) => this.#byPath(a, b))) this.#name(prefix, one);
    }
  }

  nameOf(structure: Structure): string {
    return this.#names.get(structure)!;
  }

  /** Returns the name of the same type with defaults filled in. */
  storedNameOf(structure: Structure): string {
    return `${this.nameOf(structure)}Stored`;
  }

  #name(prefix: string, structure: Structure): void {
    const candidates = this.#candidates(prefix, structure);
    let name = candidates.find((one) => this.#isFree(one, structure));
    for (let i = 2; name === undefined; i += 1) {
      const numbered = shortened(`${candidates.at(-1)!}${i}`);
      if (this.#isFree(numbered, structure)) name = numbered;
    }
    this.#taken.add(name);
    if (structure.hasDefaults) this.#taken.add(`${name}Stored`);
    this.#names.set(structure, name);
  }

  #isFree(name: string, { hasDefaults }: Structure): boolean {
    return !this.#taken.has(name) && !(hasDefaults && this.#taken.has(`${name}Stored`));
  }

  /** The best first; the last is as good as unique. */
  #candidates(prefix: string, structure: Structure): string[] {
    const { uses } = structure;
    const known = wellKnownName(structure, uses);
    const path = this.#paths.get(structure)!;
    const local = uses.map((use) => this.#under(prefix, use, (parent) => this.nameOf(parent)));
    const fields = new Set(uses.map(fieldOf));
    const [field] = fields;
    const isShared = new Set(uses.map(({ parent }) => parent)).size > 1;
    return [
      ...(known === undefined ? [] : [known]),
      ...(isShared && fields.size === 1 ? [`${prefix}${field}`] : []),
      ...local.toSorted(byLength).slice(0, 1),
      path,
    ].map(shortened);
  }

  /** The shortest way from the kind, all field names in it. */
  #path(prefix: string, uses: readonly Use[]): string {
    const paths = uses.map((use) => this.#under(prefix, use, (one) => this.#paths.get(one)!));
    return paths.toSorted(byLength)[0]!;
  }

  #under(prefix: string, use: Use, nameOf: (parent: Structure) => string): string {
    return `${use.parent ? nameOf(use.parent) : prefix}${fieldOf(use)}`;
  }

  #byPath(a: Structure, b: Structure): number {
    return byLength(this.#paths.get(a)!, this.#paths.get(b)!);
  }
}

/**
 * A name of at most 74 characters: of a longer one the beginning and the end, and between them a
 * number that is made of all of it, so that it is the same whenever the name is.
 */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME_LENGTH) return name;
  const number = `_${numberOf(name)}_`;
  const kept = MAX_NAME_LENGTH - number.length;
  const [head, tail] = [Math.ceil(kept / 2), Math.floor(kept / 2)];
  return [...characters.slice(0, head), number, ...characters.slice(-tail)].join('');
}

/** FNV-1a of 32 bits, as eight digits. */
function numberOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function fieldOf({ field, repeated }: Use): string {
  return pascal(repeated ? singular(field) : field) || 'Field';
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

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
function wellKnownName({ fields }: Structure, uses: readonly Use[]): string | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const found = table.find(
    ({ has, only, at }) =>
      has.every((name) => names.has(name)) &&
      (!only || names.size === has.length + only.filter((name) => names.has(name)).length) &&
      (!at || uses.every(({ field }) => at.includes(field))),
  );
  return found?.name;
}
