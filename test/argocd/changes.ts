import type { Body, ObjectReference } from '@tenantry/testing/controlplane/objects';
import { tenant } from '../cli/project.ts';
import type { JsonPatchOperation } from '@tenantry/runtime/webhooks/json-patch';

/** A manual change of an object. No two changes affect the same object. */
export interface Change {
  readonly what: string;
  readonly kind: keyof typeof apiVersions;
  /** The last letter of the namespace's name. */
  readonly at: 'a' | 'b' | 'c' | 'd';
  /** Absent for the Namespace itself. */
  readonly name?: string;
  /** The object is patched, created, or deleted. */
  readonly how: readonly JsonPatchOperation[] | Body | 'deleted';
  /** Who reports the change; with `both`, the reported fields are equal. */
  readonly reportedBy: 'both' | 'the operator' | 'Argo CD' | 'nobody';
  /** The entries in the status of the Tenant: `type field declared → there by manager`. */
  readonly statusEntries: readonly string[];
}

const apiVersions = {
  Namespace: 'v1',
  ResourceQuota: 'v1',
  LimitRange: 'v1',
  ServiceAccount: 'v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
} as const;

/** Returns the object of a change for a tenant. */
export function changedObject({ kind, at, name }: Change, tenant: string): ObjectReference {
  const apiVersion = apiVersions[kind];
  const namespace = `${tenant}-${at}`;
  return name === undefined
    ? { apiVersion, kind, name: namespace }
    : { apiVersion, kind, namespace, name };
}

interface Declared {
  readonly editors?: readonly string[];
  /** The users with the tenant's own role; without users it has no binding. */
  readonly restarters?: readonly string[];
  /** The scope of the scoped quota. */
  readonly scope?: string;
  /** The pods that the quota allows. */
  readonly pods?: number;
}

/** A tenant with all objects that are changed. */
export function declaration(
  name: string,
  {
    editors = ['alice', 'bob'],
    restarters = ['carol'],
    scope = 'BestEffort',
    pods = 9,
  }: Declared = {},
): string {
  const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }];
  return tenant(name, {
    namespaces: ['a', 'b', 'c', 'd'].map((end) => ({ name: `${name}-${end}` })),
    access: {
      editors: { users: editors },
      roles: [{ name: 'restarter', rules, users: restarters }],
    },
    network: { egress: 'SameTenant', ingressControllers: 'Deny', monitoring: 'Deny' },
    quota: {
      preset: 'none',
      hard: { pods, 'requests.cpu': '500m' },
      scoped: [{ name: 'scoped', hard: { pods: 3 }, scopes: [scope] }],
    },
    serviceAccounts: [{ name: 'deploy' }],
  });
}

const apiGroup = 'rbac.authorization.k8s.io';
const mallory = { apiGroup, kind: 'User', name: 'mallory' };
/** A role that no declared binding grants. */
export const view = { apiGroup, kind: 'ClusterRole', name: 'view' };
const editorsBinding = 'tenant-clusterrole-edit';

export const changes: readonly Change[] = [
  // Changes that the operator does not report come first: they were observed long before the last report.
  {
    what: 'a label that decides nothing is added',
    kind: 'ServiceAccount',
    at: 'd',
    name: 'deploy',
    how: [{ op: 'add', path: '/metadata/labels/team', value: 'red' }],
    reportedBy: 'nobody',
    statusEntries: [],
  },
  {
    what: 'the mark with which Argo CD recognizes its object is removed',
    kind: 'ServiceAccount',
    at: 'a',
    name: 'deploy',
    how: [{ op: 'remove', path: '/metadata/annotations/argocd.argoproj.io~1tracking-id' }],
    reportedBy: 'Argo CD',
    statusEntries: [],
  },
  {
    what: 'a label of a Namespace is changed',
    kind: 'Namespace',
    at: 'a',
    how: [
      {
        op: 'replace',
        path: '/metadata/labels/pod-security.kubernetes.io~1enforce',
        value: 'privileged',
      },
    ],
    reportedBy: 'both',
    statusEntries: [
      'Changed metadata.labels["pod-security.kubernetes.io/enforce"] "baseline" → "privileged" by kubectl-edit',
    ],
  },
  {
    what: 'an annotation of a Namespace is changed',
    kind: 'Namespace',
    at: 'b',
    how: [
      {
        op: 'replace',
        path: '/metadata/annotations/argocd.argoproj.io~1sync-options',
        value: 'Prune=true',
      },
    ],
    reportedBy: 'both',
    statusEntries: [
      'Changed metadata.annotations["argocd.argoproj.io/sync-options"] "Prune=false,Delete=false" → "Prune=true" by kubectl-edit',
    ],
  },
  {
    what: 'a label of a Namespace that a mesh evaluates is added',
    kind: 'Namespace',
    at: 'c',
    how: [{ op: 'add', path: '/metadata/labels/istio-injection', value: 'enabled' }],
    reportedBy: 'the operator',
    statusEntries: ['undeclared metadata.labels.istio-injection → "enabled" by kubectl-edit'],
  },
  {
    what: 'a label of Pod Security is added to a Namespace',
    kind: 'Namespace',
    at: 'd',
    how: [
      {
        op: 'add',
        path: '/metadata/labels/pod-security.kubernetes.io~1enforce-version',
        value: 'v1.25',
      },
    ],
    reportedBy: 'the operator',
    statusEntries: [
      'Extra metadata.labels["pod-security.kubernetes.io/enforce-version"] → "v1.25" by kubectl-edit',
    ],
  },
  {
    what: 'a value of a quota is changed',
    kind: 'ResourceQuota',
    at: 'a',
    name: 'tenant-quota',
    how: [{ op: 'replace', path: '/spec/hard/pods', value: '99' }],
    reportedBy: 'both',
    statusEntries: ['Changed spec.hard.pods "9" → "99" by kubectl-edit'],
  },
  {
    what: 'a key of a quota is added',
    kind: 'ResourceQuota',
    at: 'b',
    name: 'tenant-quota',
    how: [{ op: 'add', path: '/spec/hard/configmaps', value: '0' }],
    reportedBy: 'the operator',
    statusEntries: ['Extra spec.hard.configmaps → "0" by kubectl-edit'],
  },
  {
    what: 'a key of a quota is removed',
    kind: 'ResourceQuota',
    at: 'c',
    name: 'tenant-quota',
    how: [{ op: 'remove', path: '/spec/hard/requests.cpu' }],
    reportedBy: 'both',
    statusEntries: ['Missing spec.hard["requests.cpu"] "500m" →'],
  },
  {
    what: 'the label of the tenant is removed from a quota',
    kind: 'ResourceQuota',
    at: 'd',
    name: 'tenant-quota',
    how: [{ op: 'remove', path: '/metadata/labels/tenantry.dev~1tenant' }],
    reportedBy: 'both',
    statusEntries: ['Missing metadata.labels["tenantry.dev/tenant"] "{tenant}" →'],
  },
  {
    what: 'a value of a LimitRange is changed',
    kind: 'LimitRange',
    at: 'a',
    name: 'tenant-limits',
    how: [{ op: 'replace', path: '/spec/limits/0/default/memory', value: '8Gi' }],
    reportedBy: 'both',
    statusEntries: [
      'Changed spec.limits[type=Container].default.memory "512Mi" → "8Gi" by kubectl-edit',
    ],
  },
  {
    what: 'a value of a LimitRange is added',
    kind: 'LimitRange',
    at: 'b',
    name: 'tenant-limits',
    how: [{ op: 'add', path: '/spec/limits/0/max', value: { memory: '64Gi' } }],
    reportedBy: 'both',
    statusEntries: ['Extra spec.limits[type=Container].max → {"memory":"64Gi"} by kubectl-edit'],
  },
  {
    what: 'a pull secret of a ServiceAccount is added',
    kind: 'ServiceAccount',
    at: 'b',
    name: 'deploy',
    how: [{ op: 'add', path: '/imagePullSecrets', value: [{ name: 'pull' }] }],
    reportedBy: 'the operator',
    statusEntries: ['Extra imagePullSecrets → [{"name":"pull"}] by kubectl-edit'],
  },
  {
    what: 'a rule of a NetworkPolicy is changed',
    kind: 'NetworkPolicy',
    at: 'a',
    name: 'tenant-isolation',
    how: [{ op: 'add', path: '/spec/ingress/0/from/-', value: { podSelector: {} } }],
    reportedBy: 'both',
    statusEntries: ['Extra spec.ingress[0].from[1] → {"podSelector":{}} by kubectl-edit'],
  },
  {
    what: 'a rule of a NetworkPolicy is added to others',
    kind: 'NetworkPolicy',
    at: 'b',
    name: 'tenant-egress',
    how: [{ op: 'add', path: '/spec/egress/-', value: {} }],
    reportedBy: 'both',
    statusEntries: ['Extra spec.egress[2] → {} by kubectl-edit'],
  },
  {
    what: 'egress rules are added to a NetworkPolicy of ingress',
    kind: 'NetworkPolicy',
    at: 'c',
    name: 'tenant-isolation',
    how: [{ op: 'add', path: '/spec/egress', value: [{ ports: [{ protocol: 'TCP', port: 80 }] }] }],
    reportedBy: 'the operator',
    statusEntries: [
      'Extra spec.egress → [{"ports":[{"protocol":"TCP","port":80}]}] by kubectl-edit',
    ],
  },
  {
    what: 'a NetworkPolicy is changed to restrict egress, too',
    kind: 'NetworkPolicy',
    at: 'd',
    name: 'tenant-isolation',
    how: [{ op: 'add', path: '/spec/policyTypes/-', value: 'Egress' }],
    reportedBy: 'both',
    statusEntries: ['Extra spec.policyTypes[1] → "Egress" by kubectl-edit'],
  },
  {
    what: 'a rule of a Role is extended',
    kind: 'Role',
    at: 'a',
    name: 'restarter',
    how: [{ op: 'add', path: '/rules/0/verbs/-', value: 'delete' }],
    reportedBy: 'both',
    statusEntries: ['Extra rules[0].verbs[2] → "delete" by kubectl-edit'],
  },
  {
    what: 'a user is added to a RoleBinding',
    kind: 'RoleBinding',
    at: 'a',
    name: editorsBinding,
    how: [{ op: 'add', path: '/subjects/-', value: mallory }],
    reportedBy: 'both',
    statusEntries: [
      'Extra subjects[kind=User,name=mallory] → {"kind":"User","name":"mallory","apiGroup":"rbac.authorization.k8s.io"} by kubectl-edit',
    ],
  },
  {
    what: 'a user is removed from a RoleBinding',
    kind: 'RoleBinding',
    at: 'b',
    name: editorsBinding,
    how: [{ op: 'remove', path: '/subjects/0' }],
    reportedBy: 'both',
    statusEntries: [
      'Missing subjects[kind=User,name=alice] {"kind":"User","name":"alice","apiGroup":"rbac.authorization.k8s.io"} → by kubectl-edit',
    ],
  },
  {
    what: 'a RoleBinding with the label of the tenant is created',
    kind: 'RoleBinding',
    at: 'b',
    name: 'by-hand',
    how: {
      metadata: { labels: { 'tenantry.dev/tenant': '{tenant}' } },
      roleRef: view,
      subjects: [mallory],
    },
    reportedBy: 'the operator',
    statusEntries: ['Extra → by kubectl-edit'],
  },
  {
    what: 'a RoleBinding without the label is created',
    kind: 'RoleBinding',
    at: 'd',
    name: 'by-hand',
    how: { roleRef: view, subjects: [mallory] },
    reportedBy: 'the operator',
    statusEntries: ['undeclared → by kubectl-edit'],
  },
  {
    what: 'an object is deleted',
    kind: 'RoleBinding',
    at: 'c',
    name: editorsBinding,
    how: 'deleted',
    reportedBy: 'both',
    statusEntries: ['Missing →'],
  },
];
