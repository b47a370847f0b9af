import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { isDnsLabel } from '@tenantry/kube/names';
import { takeLeast, type Bounds } from '../least-bounds.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { ClusterResourceQuota } from './openshift-kinds.ts';
import type { NamespaceKeys } from './projects.ts';

type Quota = SystemObject<ClusterResourceQuota>;

const QUOTA = ['spec', 'quota'];
const HARD = [...QUOTA, 'hard'];

/**
 * Declares ClusterResourceQuotas: of one namespace as its ResourceQuota, and of several as the total of the tenant that
 * they become. Quotas of several namespaces that others share in part are left.
 *
 * Source: github.com/openshift/library-go, pkg/quota/clusterquotamapping
 */
export function translateClusterQuotas(
  namespaces: ReadonlyMap<string, NamespaceKeys>,
  source: SystemSource,
  translation: Translation,
): void {
  const groups = new Map<string, { members: readonly string[]; quotas: Quota[] }>();
  for (const quota of source.objectsOf<ClusterResourceQuota>('ClusterResourceQuota')) {
    const members = selectMembers(quota, namespaces);
    recordSelector(quota, members);
    const [only] = members;
    if (only === undefined) quota.leave(QUOTA, 'it selects no namespace of the source');
    else if (members.length === 1) addToNamespace(quota, only, translation);
    else {
      const id = members.join(' ');
      const group = groups.get(id) ?? { members, quotas: [] };
      group.quotas.push(quota);
      groups.set(id, group);
    }
  }
  const counts = new Map<string, number>();
  for (const name of [...groups.values()].flatMap(({ members }) => members)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const { members, quotas } of groups.values()) {
    const shared = members.find((name) => counts.get(name)! > 1);
    for (const quota of quotas) {
      const reason = findReason(quota, shared);
      if (reason !== undefined) quota.leave(QUOTA, reason);
    }
    setTotal(
      members,
      quotas.filter((one) => findReason(one, shared) === undefined),
      translation,
    );
  }
}

function selectMembers(
  { content }: Quota,
  namespaces: ReadonlyMap<string, NamespaceKeys>,
): readonly string[] {
  const { labels: byLabels, annotations: wanted = {} } = content.spec.selector;
  // The API server refuses a quota that selects by nothing.
  if (!byLabels && Object.keys(wanted).length === 0) return [];
  return [...namespaces]
    .filter(
      ([, { labels, annotations }]) =>
        (!byLabels || matchesLabels(byLabels as LabelSelector, labels)) &&
        Object.entries(wanted).every(([key, value]) => annotations[key] === value),
    )
    .map(([name]) => name)
    .toSorted();
}

function recordSelector(quota: Quota, members: readonly string[]): void {
  const { labels, annotations } = quota.content.spec.selector;
  const shown = members.slice(0, 3).join(', ') + (members.length > 3 ? ', ...' : '');
  const becomes = `the namespaces that have these keys today: ${shown || 'none'}`;
  const at = ['spec', 'selector'];
  for (const key of Object.keys(annotations ?? {}))
    quota.take([...at, 'annotations', key], becomes);
  for (const key of Object.keys(labels?.matchLabels ?? {})) {
    quota.take([...at, 'labels', 'matchLabels', key], becomes);
  }
  for (const i of (labels?.matchExpressions ?? []).keys()) {
    for (const field of ['key', 'operator', 'values']) {
      quota.take([...at, 'labels', 'matchExpressions', i, field], becomes);
    }
  }
}

function addToNamespace(quota: Quota, namespace: string, translation: Translation): void {
  const spec = quota.content.spec.quota;
  const metadata = { name: quota.name };
  translation.addObject(
    namespace,
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec },
    quota,
  );
  quota.take(QUOTA, `ResourceQuota ${namespace}/${quota.name}`);
}

/** Returns why a quota of several namespaces is no total. */
function findReason({ content }: Quota, shared: string | undefined): string | undefined {
  const { hard, ...others } = content.spec.quota;
  if (shared !== undefined) {
    return `another ClusterResourceQuota bounds ${shared} together with other namespaces: give each namespace a quota of its own`;
  }
  if (!hard || Object.keys(hard).length === 0) return 'it bounds nothing';
  const scope = ['scopes', 'scopeSelector'].find((field) => Object.hasOwn(others, field));
  return scope && `a total has no ${scope}: give each namespace a quota in \`quota.scoped\``;
}

/** Several quotas of the same namespaces apply together, so the lower bound of each resource is the total. */
function setTotal(
  members: readonly string[],
  quotas: readonly Quota[],
  translation: Translation,
): void {
  const [first] = quotas;
  if (!first) return;
  const tenant = nameTenant(first.name, members);
  for (const name of members) translation.assignTenant(name, tenant);
  let total: Bounds = {};
  for (const { content } of quotas) total = takeLeast(total, content.spec.quota.hard ?? {});
  for (const origin of quotas) {
    translation.setForTenant({
      tenant,
      spec: { quota: { total } },
      within: new Set(members),
      covers: members,
      origin,
      path: HARD,
      difference:
        'OpenShift bounds what all namespaces use together; here each namespace gets a part, by its `weight`',
    });
  }
}

/** The name of the quota, if a tenant can have it, or of the first namespace. */
const nameTenant = (name: string, [first = '']: readonly string[]): string =>
  isDnsLabel(name) ? name : first;
