import type { Definition } from '@tenantry/crd/definition';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import {
  deploymentDefaults,
  eventDefaults,
  namespaceDefaults,
  networkPolicyDefaults,
  podDefaults,
  replicaSetDefaults,
  roleBindingDefaults,
  secretDefaults,
  statefulSetDefaults,
} from './builtin-defaults.ts';
import { NotSimulated, notServed } from './errors.ts';
import { builtinScope, type Scope } from '@tenantry/kube/builtin-kinds';
import type { ScaleSubresource } from '@tenantry/crd/custom-resource-definition';
import type { Fields } from './object-store.ts';

type Traits = Partial<ServedKind>;

function builtin(group: string, kind: string, plural: string, traits: Traits = {}): ServedKind {
  return {
    group,
    kind,
    plural,
    scope: builtinScope(group, kind) ?? 'Namespaced',
    versions: ['v1'],
    hasStatus: false,
    hasGeneration: false,
    isUpdatedBlindly: true,
    isMadeByUpdate: false,
    ...traits,
  };
}

const counted = { hasStatus: true, hasGeneration: true } as const;
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
} as const;
const admission = 'admissionregistration.k8s.io';
const rbac = 'rbac.authorization.k8s.io';

/** The built-in kinds that are simulated. */
const builtins: readonly ServedKind[] = [
  builtin('', 'Namespace', 'namespaces', {
    hasStatus: true,
    defaults: namespaceDefaults,
    firstStatus: { phase: 'Active' },
    selectable: ['status.phase'],
  }),
  builtin('', 'Pod', 'pods', {
    ...counted,
    defaults: podDefaults,
    firstStatus: { phase: 'Pending', qosClass: 'BestEffort' },
    selectable: ['spec.nodeName', 'status.phase'],
    fixed: ['spec'],
  }),
  builtin('', 'ConfigMap', 'configmaps'),
  builtin('', 'Secret', 'secrets', {
    defaults: secretDefaults,
    selectable: ['type'],
    fixed: ['type'],
  }),
  builtin('', 'ServiceAccount', 'serviceaccounts'),
  builtin('', 'ResourceQuota', 'resourcequotas', { hasStatus: true, firstStatus: {} }),
  builtin('', 'LimitRange', 'limitranges', { isMadeByUpdate: true }),
  // They are stored, and not evaluated.
  builtin(admission, 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', {
    hasGeneration: true,
  }),
  builtin(admission, 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', {
    hasGeneration: true,
  }),
  builtin('apps', 'Deployment', 'deployments', {
    ...counted,
    scale,
    defaults: deploymentDefaults,
    firstStatus: {},
    fixed: ['spec.selector'],
  }),
  builtin('apps', 'StatefulSet', 'statefulsets', {
    ...counted,
    scale,
    defaults: statefulSetDefaults,
    firstStatus: { replicas: 0, availableReplicas: 0 },
    fixed: ['spec.selector', 'spec.serviceName', 'spec.volumeClaimTemplates'],
  }),
  builtin('apps', 'ReplicaSet', 'replicasets', {
    ...counted,
    scale,
    defaults: replicaSetDefaults,
    firstStatus: { replicas: 0 },
    fixed: ['spec.selector'],
  }),
  builtin('coordination.k8s.io', 'Lease', 'leases', {
    isUpdatedBlindly: false,
    isMadeByUpdate: true,
  }),
  builtin('events.k8s.io', 'Event', 'events', { isMadeByUpdate: true, defaults: eventDefaults }),
  builtin('networking.k8s.io', 'NetworkPolicy', 'networkpolicies', {
    hasGeneration: true,
    defaults: networkPolicyDefaults,
  }),
  builtin('policy', 'PodDisruptionBudget', 'poddisruptionbudgets', {
    ...counted,
    isUpdatedBlindly: false,
    firstStatus: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
  builtin(rbac, 'Role', 'roles', { isMadeByUpdate: true }),
  builtin(rbac, 'ClusterRole', 'clusterroles', { isMadeByUpdate: true }),
  builtin(rbac, 'RoleBinding', 'rolebindings', {
    isMadeByUpdate: true,
    defaults: roleBindingDefaults,
    fixed: ['roleRef'],
  }),
  builtin(rbac, 'ClusterRoleBinding', 'clusterrolebindings', {
    isMadeByUpdate: true,
    defaults: roleBindingDefaults,
    fixed: ['roleRef'],
  }),
];

/** The kinds that a server serves: the simulated built-in ones, and those of definitions. */
export class ServedKinds {
  readonly #byResource = new Map<string, ServedKind>();

  constructor(definitions: readonly Definition[]) {
    for (const one of [...builtins, ...definitions.map(buildServedKind)]) {
      this.#byResource.set(`${one.plural}.${one.group}`, one);
    }
  }

  /**
   * @throws {ApiError} for a kind that the server does not serve
   * @throws {NotSimulated} for a kind that only a real server serves
   */
  get({ group, version, kind, plural }: Kind): ServedKind {
    const found = this.#byResource.get(`${plural}.${group}`);
    if (found?.versions.includes(version)) return found;
    if (!found && builtinScope(group, part(kind, plural)) !== undefined) {
      throw new NotSimulated(`the kind ${kind} of ${group || 'the core group'}`);
    }
    throw notServed();
  }

  /** Finds a kind as object references name it; undefined where it is not served. */
  findByKind(group: string, kind: string): ServedKind | undefined {
    return this.#byResource.values().find((one) => one.group === group && one.kind === kind);
  }

  all(): Iterable<ServedKind> {
    return this.#byResource.values();
  }
}

/** A scale is not served as a kind of its own. */
const part = (kind: string, plural: string): string => (kind === 'Scale' ? plural : kind);

/** Returns the kind that the objects have. */
export function toKind({ group, kind, plural, scope, versions }: ServedKind): Kind {
  return { group, kind, plural, scope, version: versions[0] ?? 'v1' };
}

/** How the server treats objects of a kind. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** The versions by their names. */
  readonly versions: readonly string[];
  /** Whether the status is a subresource, which other writes do not change. */
  readonly hasStatus: boolean;
  /** Whether changes outside of metadata and status increase the generation. */
  readonly hasGeneration: boolean;
  /** Whether an update may omit the resource version. */
  readonly isUpdatedBlindly: boolean;
  /** Whether an update creates an object that does not exist. */
  readonly isMadeByUpdate: boolean;
  readonly scale?: ScaleSubresource | undefined;
  /** The definition of a custom resource. */
  readonly definition?: Definition | undefined;
  /** Fills in defaults of built-in kinds. */
  readonly defaults?: ((object: Fields) => Fields) | undefined;
  /** The first status of an object, where it has one. */
  readonly firstStatus?: Fields | undefined;
  /** Fields for field selectors, besides name and namespace: `spec.nodeName`. */
  readonly selectable?: readonly string[] | undefined;
  /** Paths of immutable fields, with dots. */
  readonly fixed?: readonly string[] | undefined;
}

/** Builds the kind of a custom resource. @throws {Error} for versions that a webhook converts */
function buildServedKind(definition: Definition): ServedKind {
  const { group, kind, plural, scope, conversion } = definition;
  if (conversion && conversion.strategy !== 'None') {
    throw new Error(
      `${plural}.${group} must have versions that differ in apiVersion alone to be simulated, got conversion by ${conversion.strategy}`,
    );
  }
  const versions = Object.values(definition.versions);
  const stored = versions.find(({ storage }) => storage) ?? versions[0];
  return {
    group,
    kind,
    plural,
    scope,
    versions: versions.filter(({ served }) => served).map(({ name }) => name),
    hasStatus: stored?.subresources.status ?? false,
    hasGeneration: true,
    isUpdatedBlindly: false,
    isMadeByUpdate: false,
    scale: stored?.subresources.scale,
    selectable: stored?.selectableFields?.map((path) => path.slice(1)),
    definition,
  };
}
