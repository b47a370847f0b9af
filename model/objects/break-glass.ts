import type { KubeObject } from '@tenantry/kube/object';
import { accessRequest } from '../../crds/access-request.ts';
import { mergeBreakGlass, type RequestableRole } from '../layers/break-glass.ts';
import { buildSubjects, RBAC_GROUP } from '../layers/grants.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import type { MetadataFactory } from './metadata.ts';

/**
 * The resource and the verb that allow somebody to request a ClusterRole, which is the name of the object. There are no
 * such objects: only the admission policy of requests checks the right, as Kubernetes does for `signers`.
 */
export const REQUESTABLE = { resource: 'breakglassroles', verb: 'request' } as const;

/** The annotation of such a Role with the most hours of a grant, so that a review of the output shows it. */
export const MAX_HOURS = 'tenantry.dev/max-hours';

/** Returns the name of the Role that allows requests for a ClusterRole, and of its RoleBinding. */
export function requestRoleName(clusterRole: string): string {
  return `tenant-break-glass-${clusterRole}`;
}

/** Whether a rendered object lets people request a ClusterRole. */
export function isRequestRole({ kind, metadata }: KubeObject): boolean {
  return kind === 'Role' && metadata.annotations?.[MAX_HOURS] !== undefined;
}

/**
 * Lists what can be requested in a namespace. Nothing can in a namespace whose lifecycle takes access away, nor unless
 * the operator heals the tenant, because nobody else makes and ends grants.
 */
export function listRequestableRoles(namespace: ResolvedNamespace): readonly RequestableRole[] {
  return namespace.lifecycle === 'Active' ? listKnownRoles(namespace) : [];
}

function listKnownRoles({ settings, driftPolicy }: ResolvedNamespace): readonly RequestableRole[] {
  return driftPolicy === 'Heal' ? mergeBreakGlass(settings.breakGlass) : [];
}

/**
 * Builds the Roles that allow requests for ClusterRoles. As all Roles, they stay in a namespace whose lifecycle takes
 * access away.
 */
export function buildRequestRoles(
  namespace: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  return listKnownRoles(namespace).map(({ clusterRole, maxHours }) => ({
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'Role',
    metadata: metadata(requestRoleName(clusterRole), {
      annotations: { [MAX_HOURS]: String(maxHours) },
    }),
    rules: buildRules(clusterRole),
  }));
}

/** Builds the RoleBindings by which people may request ClusterRoles. */
export function buildRequestBindings(
  namespace: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  return listRequestableRoles(namespace).map(({ clusterRole, users, groups }) => {
    const name = requestRoleName(clusterRole);
    const holders = { users, groups };
    const subjects = buildSubjects({ holders, byTenant: true }, namespace.lifecycle);
    return {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(name),
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
      subjects: subjects.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, subject]) => subject),
    };
  });
}

/** Nobody may delete requests: they are the record of who had access. */
function buildRules(clusterRole: string): readonly object[] {
  const apiGroups = [accessRequest.group];
  return [
    {
      apiGroups,
      resources: [accessRequest.plural],
      verbs: ['create', 'get', 'list', 'watch', 'update', 'patch'],
    },
    {
      apiGroups,
      resources: [REQUESTABLE.resource],
      resourceNames: [clusterRole],
      verbs: [REQUESTABLE.verb],
    },
  ];
}
