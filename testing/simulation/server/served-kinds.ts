import type { Definition } from '../../../crds/definition.ts';
import type { Kind } from '../../../runtime/kinds/kind.ts';
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
import { NotSimulated } from './not-simulated.ts';
import { builtinScope } from '../../../kube/builtin-kinds.ts';
import { notServed } from './refusal.ts';
import { buildServedKind, type ServedKind } from './served-kind.ts';

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
