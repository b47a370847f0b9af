import { takeLeast, type Bounds } from '../least-bounds.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { QUOTA_LABEL, type HierarchicalResourceQuota } from './hnc-kinds.ts';
import { listAncestors, listSubtree, type Forest, type TreeNode } from './namespace-tree.ts';

type Quota = SystemObject<HierarchicalResourceQuota>;

const HARD = ['spec', 'hard'];

/**
 * Declares HierarchicalResourceQuotas: of a whole tree as the total of its tenant, and of one namespace as a
 * ResourceQuota. Those of other subtrees are left.
 *
 * Source: internal/hrq and internal/forest/namespacehrq.go
 */
export function translateQuotas(
  { nodes }: Forest,
  source: SystemSource,
  translation: Translation,
): void {
  const all = source.objectsOf<HierarchicalResourceQuota>('HierarchicalResourceQuota');
  const byNode = new Map<TreeNode, Quota[]>();
  for (const one of all) {
    const namespace = source.namespaceOf(one.found);
    const node = namespace === undefined ? undefined : nodes.get(namespace);
    if (node) byNode.set(node, [...(byNode.get(node) ?? []), one]);
    else {
      const why = namespace
        ? `the source has no Namespace '${namespace}'`
        : 'it names no namespace';
      translation.leaveOut(one.found, why);
    }
  }
  for (const [node, quotas] of byNode) {
    if (node.children.length === 0) addToNamespace(node, quotas, translation);
    else if (!node.parent) setTotal(node, quotas, translation);
    else {
      const members = listSubtree(node).map(({ name }) => name);
      const shown = members.slice(0, 5).join(', ') + (members.length > 5 ? ', ...' : '');
      const reason = `it bounds a part of the tenant together (${shown}): give each of these namespaces a quota, or make them a tenant of their own with --map`;
      for (const one of quotas) one.leave(HARD, reason);
    }
  }
  explainCounting(nodes, byNode, source, translation);
}

function addToNamespace(node: TreeNode, quotas: readonly Quota[], translation: Translation): void {
  for (const one of quotas) {
    const { hard } = one.content.spec ?? {};
    if (!hard) continue;
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: one.name },
      spec: { hard },
    };
    translation.addObject(node.name, quota, one);
    one.take(HARD, `ResourceQuota ${node.name}/${one.name}`);
  }
}

/** Several quotas of a namespace apply together, so the least bound of each resource is the total. */
function setTotal(node: TreeNode, quotas: readonly Quota[], translation: Translation): void {
  let total: Bounds = {};
  for (const one of quotas) total = takeLeast(total, one.content.spec?.hard ?? {});
  for (const one of quotas) {
    if (Object.keys(one.content.spec?.hard ?? {}).length === 0) continue;
    translation.setForTenant({
      tenant: node.name,
      spec: { quota: { total } },
      within: new Set(listSubtree(node).map(({ name }) => name)),
      covers: listSubtree(node).map(({ name }) => name),
      origin: one,
      path: HARD,
      difference:
        'HNC bounds what all namespaces use together; here each namespace gets a part, by its `weight`',
    });
  }
}

/** HNC counts with a ResourceQuota in each namespace that a HierarchicalResourceQuota bounds. */
function explainCounting(
  nodes: ReadonlyMap<string, TreeNode>,
  byNode: ReadonlyMap<TreeNode, readonly Quota[]>,
  source: SystemSource,
  translation: Translation,
): void {
  for (const found of source.objects) {
    const { kind, metadata } = found.object;
    if (kind !== 'ResourceQuota' || metadata.labels?.[QUOTA_LABEL] === undefined) continue;
    const node = nodes.get(source.namespaceOf(found) ?? '');
    const isBounded = node && [node, ...listAncestors(node)].some((one) => byNode.has(one));
    if (isBounded)
      translation.explainMade(found, 'HNC counts with it for a HierarchicalResourceQuota');
    else
      translation.leaveOut(
        found,
        'HNC counts with it for a HierarchicalResourceQuota that the source lacks',
      );
  }
}
