import type { KubeObject } from '@tenantry/kube/object';
import type { Cluster } from '../declaration.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import { ENVIRONMENT_LABEL, ownerLabels } from '../ownership.ts';
import { buildFacts, buildSharedFacts, type SharedFacts, type Facts } from './facts.ts';
import { buildLimitRanges, buildNeighborQuotas, buildQuotas, buildScopedQuotas } from './quota.ts';
import { buildRequestBindings, buildRequestRoles } from './break-glass.ts';
import { createMetadataFactory, type MetadataFactory } from './metadata.ts';
import { buildNetworkPolicies } from './network.ts';
import { buildRetentionAnnotations } from './retention.ts';
import { buildDisruptionBudgets, buildExtraObjects, buildServiceAccounts } from './workload.ts';
import { resolveBindingName, RBAC_GROUP, buildSubjects, type Grant } from '../layers/grants.ts';

/** What all namespaces of a tenant on one cluster have in common. */
interface ClusterContext {
  readonly cluster: Cluster;
  readonly siblings: readonly ResolvedNamespace[];
  readonly names: readonly string[];
  readonly facts: SharedFacts;
}

/** Renders the objects of each namespace; what all namespaces of a cluster share is computed once. */
export function renderTenantObjects(resolved: ResolvedTenant): KubeObject[][] {
  return resolved.namespaces.map(createNamespaceRenderer(resolved));
}

/** Creates the function that renders the objects of one namespace of a tenant. */
export function createNamespaceRenderer(
  resolved: ResolvedTenant,
): (namespace: ResolvedNamespace) => KubeObject[] {
  const { namespaces, platform } = resolved;
  const byCluster = Map.groupBy(namespaces, ({ cluster }) => cluster);
  const surroundings = new Map(
    [...byCluster].map(([name, siblings]): [string, ClusterContext] => [
      name,
      {
        cluster: platform.clusters.find((one) => one.name === name)!,
        siblings,
        names: siblings.map((one) => one.name),
        facts: buildSharedFacts(resolved, siblings),
      },
    ]),
  );
  return (one) => renderNamespaceObjects(resolved, one, surroundings.get(one.cluster)!);
}

/**
 * Renders the objects of a namespace in the order in which they must be applied: the Namespace, its bounds, its
 * content, and access last. Quotas come after the other bounds, because they may count them. See
 * docs/adr/0019-bounds-before-access.md.
 */
function renderNamespaceObjects(
  resolved: ResolvedTenant,
  namespace: ResolvedNamespace,
  { cluster, siblings, names, facts }: ClusterContext,
): KubeObject[] {
  const { declaration, platform } = resolved;
  const staying = buildRetentionAnnotations(namespace, siblings);
  const metadata = createMetadataFactory(declaration.name, namespace.name, staying.content);
  const access = createMetadataFactory(declaration.name, namespace.name, staying.access);
  const bounds = [
    ...buildNetworkPolicies(namespace, metadata, cluster, names),
    ...buildLimitRanges(namespace, metadata),
  ];
  const content = [
    ...buildDisruptionBudgets(namespace, metadata),
    ...buildServiceAccounts(namespace, metadata),
    ...buildRoles(namespace, access),
    ...buildRequestRoles(namespace, access),
    ...buildExtraObjects(namespace, metadata, platform),
    ...buildRoleBindings(namespace, access),
    ...buildRequestBindings(namespace, access),
  ];
  const inside = [
    ...bounds,
    ...buildQuotas(namespace, metadata),
    ...buildScopedQuotas(namespace, metadata),
    ...buildNeighborQuotas(namespace, [...bounds, ...content], metadata),
    ...content,
  ];
  const read = buildFacts(declaration.name, namespace, inside, facts);
  const { metadataKeys } = platform;
  return [
    buildNamespace(declaration.name, namespace, metadataKeys, read, staying.namespace),
    ...inside,
  ];
}

/**
 * Builds the Namespace with the labels that Pod Security reads, its contact annotations, and the annotations that
 * Tenantry's admission policies read. It is applied before the objects in it, so they apply from the first moment.
 * Source:
 * https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces
 */
function buildNamespace(
  tenant: string,
  { name, environment, settings }: ResolvedNamespace,
  metadataKeys: Readonly<Record<string, string>>,
  facts: Facts,
  staying: Readonly<Record<string, string>>,
): KubeObject {
  const { version, ...modes } = settings.podSecurity;
  const podSecurity = Object.entries(modes).flatMap(([mode, level]) => [
    [`pod-security.kubernetes.io/${mode}`, level],
    ...(version === undefined ? [] : [[`pod-security.kubernetes.io/${mode}-version`, version]]),
  ]);
  const contact = Object.entries(settings.contact).map(([key, value]) => [
    metadataKeys[key] ?? key,
    value,
  ]);
  const annotations = {
    ...settings.annotations,
    ...Object.fromEntries(contact),
    ...staying,
    ...facts.annotations,
  };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        ...settings.labels,
        ...Object.fromEntries(podSecurity),
        ...(environment !== undefined && { [ENVIRONMENT_LABEL]: environment }),
        ...facts.labels,
        ...ownerLabels(tenant),
      },
      annotations,
    },
  };
}

/** Builds the Roles, one for each name; the rules ensure that two Roles with one name are equal. */
export function buildRoles(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  const roles = new Map(settings.roles.map((role) => [role.name, role]));
  return [...roles.values()].map(({ name, rules }) => ({
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'Role',
    metadata: metadata(name),
    rules,
  }));
}

/**
 * Builds the RoleBindings, one for each role and binding name, with all of its subjects. Without subjects there is no
 * binding: the lifecycle revokes people's access by leaving the object out.
 */
export function buildRoleBindings(
  { settings, lifecycle }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  if (lifecycle === 'Retired') return [];
  const bindings = new Map<string, { grant: Grant; subjects: Map<string, object> }>();
  for (const grant of settings.grants) {
    const name = resolveBindingName(grant);
    const key = `${name} ${grant.role.kind} ${grant.role.name}`;
    const binding = bindings.get(key) ?? { grant, subjects: new Map() };
    bindings.set(key, binding);
    for (const [id, subject] of buildSubjects(grant, lifecycle)) {
      binding.subjects.set(id, subject);
    }
  }
  return [...bindings.values()]
    .filter(({ subjects }) => subjects.size > 0)
    .map(({ grant, subjects }) => ({
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(resolveBindingName(grant)),
      roleRef: { apiGroup: RBAC_GROUP, ...grant.role },
      subjects: [...subjects.keys()].toSorted().map((id) => subjects.get(id)),
    }));
}
