import { pruneOutcome, type PruneOutcome } from '../../model/objects/retention.ts';
import { valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatList } from '@tenantry/kube/problem';
import { definePlanRules, type ReportChange } from './change.ts';
import {
  TENANT_GROUP,
  parseApplication,
  filterByKind,
  type ClusterChange,
  type Pair,
  type LocatedObject,
} from './cluster-changes.ts';

const rules = definePlanRules('data', {
  deleted: [
    'namespace-deleted',
    'high',
    'a Namespace is removed that Argo CD may delete: everything in it is deleted with it',
  ],
  asked: [
    'namespace-asked',
    'high',
    'a Namespace is removed, and Argo CD waits for a person before it deletes it with everything in it',
  ],
  left: [
    'namespace-left',
    'medium',
    'a Namespace is removed from Git, and stays in the cluster until a person deletes it',
  ],
  bare: [
    'namespace-bare',
    'high',
    'a Namespace stays in the cluster with what runs in it, and Argo CD deletes what bounds and isolates it, at once or when a person confirms that',
  ],
  unprotected: [
    'namespace-unprotected',
    'medium',
    'Argo CD may delete a Namespace from now on once it leaves Git, and could not before',
  ],
  namespaceAdded: ['namespace-added', 'low', 'a Namespace is new'],
  tenantRemoved: [
    'tenant-removed',
    'medium',
    'a Tenant is removed from a cluster: its access is revoked',
  ],
  tenantAdded: ['tenant-added', 'low', 'a Tenant is new on a cluster'],
  lifecycle: [
    'lifecycle-changed',
    'medium',
    'the lifecycle of a tenant or a namespace changes: access is revoked or restored',
  ],
  moved: [
    'object-moved',
    'medium',
    'an object moves to a folder that another Application syncs: the old one prunes it, whichever of the two comes first',
  ],
});

export const dataRules = Object.values(rules);

/** Reports Namespaces that leave Git with their data, and those that may now be deleted. */
export function judgeData(change: ClusterChange, report: ReportChange): void {
  const { pairs } = change;
  for (const pair of filterByKind(pairs, '', 'Namespace')) judgeNamespace(pair, change, report);
  for (const { where, before, after } of filterByKind(pairs, TENANT_GROUP, 'Tenant')) {
    const { name } = (after ?? before)!.object.metadata;
    const subject = `Tenant ${name}`;
    if (!before) report(rules.tenantAdded, subject, 'is new', where);
    else if (!after)
      report(rules.tenantRemoved, subject, 'is removed, and its access is revoked', where);
    else judgeLifecycle(subject, { before: before.object, after: after.object }, where, report);
  }
  for (const { where, before, after } of pairs) {
    if (!before || !after) continue;
    const [from, to] = [parseApplication(before.path), parseApplication(after.path)];
    const { kind, metadata } = after.object;
    if (from !== to)
      report(rules.moved, `${kind} ${metadata.name}`, `moves from ${from} to ${to}`, where);
  }
}

function judgeNamespace(
  { where, before, after }: Pair,
  change: ClusterChange,
  report: ReportChange,
): void {
  const subject = `Namespace ${where.namespace}`;
  if (!before) return report(rules.namespaceAdded, subject, 'is new', where);
  if (after) {
    if (!isDeletedUnasked(before.object) && isDeletedUnasked(after.object)) {
      const message = 'may be deleted by Argo CD without a question from now on';
      report(rules.unprotected, subject, message, where);
    }
    return;
  }
  const was = resolvePruneOutcome(before, change);
  if (was !== 'left') {
    const message = {
      deleted: 'is deleted by Argo CD, with everything in it',
      asked: 'is deleted with everything in it, once a person confirms that to Argo CD',
    }[was];
    return report({ deleted: rules.deleted, asked: rules.asked }[was], subject, message, where);
  }
  const gone = findPrunedWithin(where.namespace!, change);
  const [deleted, asked] = [gone.deleted, gone.asked].map(countKinds);
  const effects = [
    ...(deleted === '' ? [] : [`Argo CD deletes ${deleted} in it`]),
    ...(asked === '' ? [] : [`once a person confirms that, Argo CD deletes ${asked} in it`]),
  ];
  const stays = 'is removed from Git, and stays in the cluster until a person deletes it';
  const isGuarded = [...gone.deleted, ...gone.asked].some(isGuard);
  const isBare = isGuarded && !isAtRest(where.namespace!, change.before);
  report(isBare ? rules.bare : rules.left, subject, [stays, ...effects].join('; '), where);
}

type PrunedObjects = Readonly<Record<'deleted' | 'asked', readonly KubeObject[]>>;

/** Returns the objects of a namespace that leave Git and that Argo CD deletes, at once or when a person confirms it. */
function findPrunedWithin(namespace: string, change: ClusterChange): PrunedObjects {
  const pruned = { deleted: [] as KubeObject[], asked: [] as KubeObject[] };
  for (const { before, after } of change.pairs) {
    if (!before || after || before.object.metadata.namespace !== namespace) continue;
    const outcome = resolvePruneOutcome(before, change);
    if (outcome !== 'left') pruned[outcome].push(before.object);
  }
  return pruned;
}

/** `1 ResourceQuota, 4 RoleBindings`. */
function countKinds(objects: readonly KubeObject[]): string {
  const kinds = [...Map.groupBy(objects, ({ kind }) => kind)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return formatList(
    kinds.map(([kind, { length }]) => `${length} ${length === 1 ? kind : toPlural(kind)}`),
  );
}

const toPlural = (kind: string): string =>
  kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;

/** Kinds that bound or isolate what runs in a namespace. */
const guards: ReadonlySet<string> = new Set(['NetworkPolicy', 'ResourceQuota', 'LimitRange']);

const isGuard = ({ kind }: KubeObject): boolean => guards.has(kind);

/** Whether no pod can start in a namespace, as in one that is Retired. */
function isAtRest(namespace: string, objects: readonly KubeObject[]): boolean {
  return objects.some(
    (object) =>
      object.kind === 'ResourceQuota' &&
      object.metadata.namespace === namespace &&
      String(valueAt(object, ['spec', 'hard', 'pods'])) === '0',
  );
}

/**
 * Returns the prune outcome of an object. The Application of its folder is removed with the last
 * file in it.
 */
export function resolvePruneOutcome(
  { path, object }: LocatedObject,
  { applications }: ClusterChange,
): PruneOutcome {
  return pruneOutcome(applications.has(parseApplication(path)) ? 'Prune' : 'Delete', object);
}

/** Whether Argo CD deletes the object without confirmation, by a prune or with its Application. */
function isDeletedUnasked(object: KubeObject): boolean {
  return (
    pruneOutcome('Prune', object) === 'deleted' || pruneOutcome('Delete', object) === 'deleted'
  );
}

interface Both {
  readonly before: KubeObject;
  readonly after: KubeObject;
}

function judgeLifecycle(
  subject: string,
  { before, after }: Both,
  where: Pair['where'],
  report: ReportChange,
): void {
  const [old, now] = [readLifecycles(before), readLifecycles(after)];
  for (const [name, life] of now) {
    const was = old.get(name);
    if (was === undefined || was === life) continue;
    const whose = name === '' ? subject : `Namespace ${name}`;
    report(rules.lifecycle, whose, `${was} -> ${life}`, where);
  }
}

/** Returns the lifecycles by the declared name of a namespace; under '' that of the tenant. */
function readLifecycles(object: KubeObject): ReadonlyMap<string, string> {
  const own = readLifecycle(valueAt(object, ['spec', 'lifecycle'])) ?? 'Active';
  const entries = valueAt(object, ['spec', 'namespaces']);
  const named = (Array.isArray(entries) ? entries : []).map((entry) => {
    const name = valueAt(entry, ['name']);
    const life = readLifecycle(valueAt(entry, ['lifecycle'])) ?? 'Active';
    return [typeof name === 'string' ? name : '', life] as const;
  });
  return new Map([...named.filter(([name]) => name !== ''), ['', own]]);
}

function readLifecycle(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
