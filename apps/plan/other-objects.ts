import { findChangedImmutableFields } from '@tenantry/kube/immutable-fields';
import { groupOf } from '@tenantry/kube/object';
import { formatPath, formatList, type Path } from '@tenantry/kube/problem';
import { MAX_HOURS } from '../../model/objects/break-glass.ts';
import { FACTS } from '../../model/ownership.ts';
import {
  definePlanRules,
  type PlanArea,
  type ReportChange,
  type ChangeLocation,
} from './change.ts';
import { BOUNDING } from './class-bounds.ts';
import { isIdentityKey } from './cloud-identities.ts';
import { resolvePruneOutcome } from './data.ts';
import { listDifferingPaths } from './differing-paths.ts';
import { ALLOWING, FORBIDDING } from './delivery.ts';
import { NAMESPACE_KEYS } from './isolation.ts';
import {
  ADMISSION_GROUP,
  ARGO_GROUP,
  DEFINITIONS_GROUP,
  NETWORK_GROUP,
  RBAC_GROUP,
  TENANT_GROUP,
  findNamespaceChanges,
  type ClusterChange,
  type LocatedObject,
} from './cluster-changes.ts';

const rules = definePlanRules('objects', {
  deleted: ['object-deleted', 'medium', 'an object is removed, and Argo CD deletes it'],
  left: [
    'object-left',
    'low',
    'an object is removed from Git, and stays in the cluster or waits for a person',
  ],
  changed: ['object-changed', 'low', 'an object changes in a way that no other rule covers'],
  added: ['object-added', 'low', 'an object is new'],
});

export const objectRules = Object.values(rules);

/**
 * Kinds whose added and removed objects other judges report. Roles with aggregated rules are an
 * exception.
 */
const coming: readonly (readonly [group: string, kind: string])[] = [
  [RBAC_GROUP, 'Role'],
  [RBAC_GROUP, 'ClusterRole'],
  [RBAC_GROUP, 'RoleBinding'],
  [RBAC_GROUP, 'ClusterRoleBinding'],
  [NETWORK_GROUP, 'NetworkPolicy'],
  [DEFINITIONS_GROUP, 'CustomResourceDefinition'],
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['', 'Namespace'],
  [TENANT_GROUP, 'Tenant'],
];

/** Further kinds of which other judges report only new objects. */
const addedElsewhere: readonly (readonly [group: string, kind: string])[] = [
  [TENANT_GROUP, 'TenantClass'],
  [ARGO_GROUP, 'AppProject'],
];

/** Whether changes of an area were reported for a namespace; '' is the cluster. */
type HasReported = (area: PlanArea, namespace: string) => boolean;

/**
 * Reports every changed object that no other judge reports, so that no change of the output is
 * silent. The report of a new or removed namespace covers the objects in it.
 */
export function judgeOtherObjects(
  change: ClusterChange,
  hasReported: HasReported,
  report: ReportChange,
): void {
  const { added, removed } = findNamespaceChanges(change.pairs);
  for (const pair of change.pairs) {
    const { before, after, where } = pair;
    const { apiVersion, kind, metadata } = (after ?? before)!.object;
    const group = groupOf(apiVersion);
    if (group === ADMISSION_GROUP) continue;
    const subject = `${kind} ${metadata.name}`;
    if (before && after) {
      const refused = findChangedImmutableFields(before.object, after.object);
      const paths = listDifferingPaths(before.object, after.object)
        .filter((path) => !isReportedElsewhere(path, { group, kind, where, hasReported }))
        .filter((path) => !refused.some((field) => isWithin(formatPath(path), field)));
      if (paths.length === 0) continue;
      const message = `changes at ${some(paths.map(formatPath))}`;
      report(rules.changed, subject, message, where, {
        kind: 'object',
        before: before.object,
        after: after.object,
        paths,
      });
      continue;
    }
    const isGathered = (after ?? before)!.object['aggregationRule'] !== undefined;
    if (!isGathered && coming.some(([one, of]) => one === group && of === kind)) continue;
    if ((before ? removed : added).has(where.namespace ?? '')) continue;
    const isReported = addedElsewhere.some(([one, of]) => one === group && of === kind);
    if (after) {
      if (isReported) continue;
      const detail = { kind: 'object', after: after.object } as const;
      report(rules.added, subject, 'is new', where, detail);
    } else if (group !== ARGO_GROUP) reportRemoved(subject, before!, change, where, report);
  }
}

const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`);

function reportRemoved(
  subject: string,
  before: LocatedObject,
  change: ClusterChange,
  where: ChangeLocation,
  report: ReportChange,
): void {
  const outcome = resolvePruneOutcome(before, change);
  const detail = { kind: 'object', before: before.object } as const;
  if (outcome === 'deleted')
    return report(rules.deleted, subject, 'is deleted by Argo CD', where, detail);
  const message =
    outcome === 'left'
      ? 'is removed from Git, and stays in the cluster'
      : 'is deleted once a person confirms it';
  report(rules.left, subject, message, where, detail);
}

interface ReportedContext {
  readonly group: string;
  readonly kind: string;
  readonly where: ChangeLocation;
  readonly hasReported: HasReported;
}

const PROJECT_LISTS = new Set<string>([...ALLOWING, ...FORBIDDING].map(([field]) => field));

/** Whether another judge reports the difference at a path. */
function isReportedElsewhere(
  path: Path,
  { group, kind, where, hasReported }: ReportedContext,
): boolean {
  const [first, second, third] = path.map(String);
  if (group === RBAC_GROUP) {
    if (second === 'annotations' && third === MAX_HOURS) return true;
    const changesAccess = ['rules', 'subjects', 'roleRef', 'aggregationRule'].includes(first ?? '');
    return changesAccess && hasReported('access', where.namespace ?? '');
  }
  if (group === NETWORK_GROUP)
    return first === 'spec' && hasReported('network', where.namespace ?? '');
  if (group === DEFINITIONS_GROUP) return first === 'spec';
  if (group === ARGO_GROUP && kind === 'AppProject') {
    if (second === 'roles') return hasReported('access', where.namespace ?? '');
    return PROJECT_LISTS.has(second ?? '');
  }
  if (group === TENANT_GROUP && kind === 'TenantClass')
    return first === 'spec' && BOUNDING.has(second ?? '');
  if (kind === 'ServiceAccount') return second === 'annotations' && isIdentityKey(third ?? '');
  if (kind === 'LimitRange') return first === 'spec' && hasReported('quota', where.namespace ?? '');
  if (kind === 'ResourceQuota') return first === 'spec' && second === 'hard';
  if (kind !== 'Namespace' || first !== 'metadata') return false;
  // The pod limit of a quota is repeated in this fact for the policies.
  if (third === FACTS.pods) return hasReported('quota', where.namespace ?? '');
  return NAMESPACE_KEYS.has(third ?? '');
}

/** The number of paths that a message names for one object. */
const NAMED = 8;

function some(paths: readonly string[]): string {
  if (paths.length <= NAMED) return formatList(paths);
  return `${paths.slice(0, NAMED).join(', ')} and ${paths.length - NAMED} more places`;
}
