import type { FoundObject } from '../../manifests.ts';
import { hasField } from '../../namespaces.ts';
import type { SystemSource, TenancySystem } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { addCopies, isCopy } from './copies.ts';
import { readCopiedKinds } from './copied-kinds.ts';
import { HNC, hncKinds, isHncKey, QUOTA_LABEL } from './hnc-kinds.ts';
import { listSubtree, readForest, type Forest } from './namespace-tree.ts';
import { translateQuotas } from './subtree-quotas.ts';
import { keepSelectedLabels, setManagedKeys } from './tree-metadata.ts';

/**
 * The Hierarchical Namespace Controller: a root and all its descendants are a tenant with the name of the root.
 *
 * Source: github.com/kubernetes-sigs/hierarchical-namespaces (v1.1)
 */
export const hnc: TenancySystem = {
  name: HNC,
  kinds: hncKinds,
  isMade: (object) => isCopy(object) || object.metadata.labels?.[QUOTA_LABEL] !== undefined,
  translate(source, translation) {
    if (!isInUse(source)) return;
    const forest = readForest(source, translation);
    if (translation.problems.length > 0) return;
    assignTenants(forest, translation);
    const managed = setManagedKeys(forest, translation);
    addCopies(forest, managed, readCopiedKinds(source, translation), source, translation);
    translateQuotas(forest, source, translation);
    keepSelectedLabels(forest, source, translation);
    dropAnnotations(source, translation);
  },
};

/** Most sources have nothing of HNC, and pay nothing for it. */
function isInUse({ objectsOf, namespaces, objects }: SystemSource): boolean {
  const hasKey = ({ object: { metadata } }: FoundObject): boolean =>
    Object.keys(metadata.labels ?? {}).some(isHncKey) ||
    Object.keys(metadata.annotations ?? {}).some(isHncKey);
  return (
    hncKinds.some(({ kind }) => objectsOf(kind).length > 0) ||
    namespaces.some(hasKey) ||
    objects.some(({ object }) => hnc.isMade!(object))
  );
}

/** A namespace alone is no tree: its name or a label may join it with others. */
function assignTenants({ roots, nodes }: Forest, translation: Translation): void {
  for (const root of roots) {
    if (root.children.length === 0) continue;
    for (const node of listSubtree(root)) {
      translation.assignTenant(node.name, root.name);
      if (node.parent) node.config?.take(['spec', 'parent'], `a part of the tenant ${root.name}`);
    }
  }
  for (const { config } of nodes.values()) {
    const path = ['spec', 'allowCascadingDeletion'];
    if (!config?.content.spec?.allowCascadingDeletion) {
      config?.take(path, 'no namespace is deleted together with another one');
    } else {
      config.leave(
        path,
        'no namespace is deleted because another one is: retire the tenant to delete all of them',
      );
    }
  }
}

/** Objects of kinds with fields lack HNC's annotations; in all others they stay, and nobody reads them. */
function dropAnnotations(source: SystemSource, translation: Translation): void {
  for (const found of source.objects) {
    const namespace = source.namespaceOf(found);
    if (namespace === undefined || !hasField(found.object) || translation.explained.has(found))
      continue;
    translation.dropObjectKeys(HNC, namespace, found, isHncKey);
  }
}
