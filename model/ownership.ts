import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import {
  COMPARE_OPTIONS,
  CONFIRM,
  SYNC_OPTIONS,
  SYNC_WAVE,
} from '@tenantry/kube/argocd-directives';
import type { KubeObject } from '@tenantry/kube/object';

/**
 * The metadata that Tenantry adds to an object that a tenant declares, and nothing more. A comparison with an imported
 * original ignores exactly these (docs/reference/metadata.md).
 */
export { COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE, TENANT_LABEL };
/** The label by which the owner of a live namespace releases it to a tenant that is healed. */
export const ADOPT_BY_LABEL = 'tenantry.dev/adopt-by';
export const ENVIRONMENT_LABEL = 'tenantry.dev/environment';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'tenantry';

/** Returns the labels that record the owner of an object; the guard policy checks the first. */
export function ownerLabels(tenant: string): Readonly<Record<string, string>> {
  return { [MANAGED_BY_LABEL]: MANAGED_BY, [TENANT_LABEL]: tenant };
}

/**
 * The annotations of a Namespace that the admission policies of tenants' namespaces (model/policies) read.
 * Each has one word a line, and is absent if it would be empty.
 */
export const FACTS = {
  /** The namespaces of the tenant on the cluster. */
  namespaces: 'policy.tenantry.dev/namespaces',
  /** `User alice`, `Group blue`, `ServiceAccount namespace/name`. */
  subjects: 'policy.tenantry.dev/subjects',
  /** The same with one `*` for any text. */
  subjectPatterns: 'policy.tenantry.dev/subject-patterns',
  /** The ClusterRoles that people may bind. */
  clusterRoles: 'policy.tenantry.dev/cluster-roles',
  /** `anywhere`, `namespace name`, `cidr 10.0.0.0/8`. */
  ingressFrom: 'policy.tenantry.dev/ingress-from',
  egressTo: 'policy.tenantry.dev/egress-to',
  externalIPs: 'policy.tenantry.dev/external-ips',
  /** A DNS name, `*.domain`, `*`. */
  externalNames: 'policy.tenantry.dev/external-names',
  /** The types that Services may have. Absent for all of them. */
  serviceTypes: 'policy.tenantry.dev/service-types',
  /** Names with a `*` at the end for any rest, and NO_CLASS. Absent for all of them. */
  loadBalancerClasses: 'policy.tenantry.dev/load-balancer-classes',
  /** A number. */
  tokenSeconds: 'policy.tenantry.dev/token-seconds',
  /** Taints that pods may tolerate: `key`, `key=value`, a `*` at the end of the key for any rest. */
  tolerations: 'policy.tenantry.dev/tolerations',
  /** A number. */
  terminationSeconds: 'policy.tenantry.dev/termination-seconds',
  /** The most pods of the namespace, as its quota has it: a number. */
  pods: 'policy.tenantry.dev/most-pods',
  /** The labels of pods that the platform declares, or that its budgets select: `app=web,tier=db`. */
  podLabels: 'policy.tenantry.dev/pod-labels',
  /** `RoleBinding.rbac.authorization.k8s.io name`: what the platform has or may come to have there. */
  names: 'policy.tenantry.dev/names',
  /** `docker.io/library/nginx`, `ghcr.io/acme/*`, `*`. */
  images: 'policy.tenantry.dev/images',
  /** Names of classes and schedulers, with a `*` at the end for any rest. */
  storageClasses: 'policy.tenantry.dev/storage-classes',
  volumeSnapshotClasses: 'policy.tenantry.dev/volume-snapshot-classes',
  volumeAttributesClasses: 'policy.tenantry.dev/volume-attributes-classes',
  ingressClasses: 'policy.tenantry.dev/ingress-classes',
  gatewayClasses: 'policy.tenantry.dev/gateway-classes',
  runtimeClasses: 'policy.tenantry.dev/runtime-classes',
  deviceClasses: 'policy.tenantry.dev/device-classes',
  schedulers: 'policy.tenantry.dev/schedulers',
} as const;

/** The subject of a `TenantPolicy`. */
export type Concern =
  | 'names'
  | 'roleBindings'
  | 'networkPolicies'
  | 'services'
  | 'tokenSecrets'
  | 'tokens'
  | 'pods'
  | 'disruptionBudgets'
  | 'templates';

/**
 * All concerns, with one admission policy each. The name of a concern is also the field of `selfService` in a class.
 */
export const CONCERNS: readonly Concern[] = [
  'names',
  'roleBindings',
  'networkPolicies',
  'services',
  'tokenSecrets',
  'tokens',
  'pods',
  'disruptionBudgets',
  'templates',
];

/** Returns the concern as names and labels contain it: `role-bindings`. */
export function concernName(concern: Concern): string {
  return concern.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** Returns the label that exempts a Namespace from a policy, with the value DISABLED. */
export function concernLabel(concern: Concern): string {
  return `policy.tenantry.dev/${concernName(concern)}`;
}
export const DISABLED = 'Disabled';

/**
 * The annotations of policies for Argo CD. Policies are applied before anybody has access, as the other bounds are, and
 * are deleted only when a person confirms it.
 */
export const POLICY_ANNOTATIONS: Readonly<Record<string, string>> = {
  [SYNC_OPTIONS]: `ServerSideApply=true,${CONFIRM}`,
  [SYNC_WAVE]: '-1',
};

/** Marks an object as part of Tenantry's own installation. */
export function addTenantryLabels(manifest: KubeObject): KubeObject {
  const { metadata } = manifest;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        'app.kubernetes.io/managed-by': 'tenantry',
        'app.kubernetes.io/part-of': 'tenantry',
      },
    },
  };
}
