/**
 * The kinds of HNC, and its labels and annotations.
 *
 * Source: github.com/kubernetes-sigs/hierarchical-namespaces, api/v1alpha2 (v1.1)
 */
import { boolean, object, required, type Static } from '@tenantry/crd/schema';
import { map } from '../../../crds/schema-builders.ts';
import { list, quantity, text } from '../system-schemas.ts';
import type { SystemKind } from '../tenancy-system.ts';

/** The name of the system in reports. */
export const HNC = 'HNC';

/** The group of the kinds, and the domain of the keys. */
export const HNC_GROUP = 'hnc.x-k8s.io';

/** The label of a copy; its value is the namespace of the original. */
export const INHERITED_FROM = `${HNC_GROUP}/inherited-from`;

/** The label of the ResourceQuotas with which HNC counts for a HierarchicalResourceQuota. */
export const QUOTA_LABEL = `${HNC_GROUP}/hrq`;

/** The label of every Namespace that HNC manages. */
export const INCLUDED = `${HNC_GROUP}/included-namespace`;

/** The annotation of a subnamespace; its value is the parent. */
export const SUBNAMESPACE_OF = `${HNC_GROUP}/subnamespace-of`;

/** The annotation of a namespace whose place in a tree another program decides. */
export const MANAGED_BY = `${HNC_GROUP}/managed-by`;

/** The end of the label that a namespace has for itself and each ancestor; its value is the distance. */
export const DEPTH_SUFFIX = `.tree.${HNC_GROUP}/depth`;

const pairs = (description: string) =>
  list(
    description,
    object('A key and its value.', {
      key: required(text('The key.')),
      value: required(text('The value.')),
    }),
  );

const hierarchyConfiguration = object('A HierarchyConfiguration.', {
  spec: object('Its spec.', {
    parent: text('The parent of the namespace.'),
    allowCascadingDeletion: boolean('Whether subnamespaces are deleted with the namespace.'),
    labels: pairs('Labels of the namespace and its descendants.'),
    annotations: pairs('Annotations of the namespace and its descendants.'),
  }),
});
export type HierarchyConfiguration = Static<typeof hierarchyConfiguration>;

const subnamespaceAnchor = object('A SubnamespaceAnchor.', {
  spec: object('Its spec.', {
    labels: pairs('Labels of the subnamespace and its descendants.'),
    annotations: pairs('Annotations of the subnamespace and its descendants.'),
  }),
});
export type SubnamespaceAnchor = Static<typeof subnamespaceAnchor>;

const hierarchicalResourceQuota = object('A HierarchicalResourceQuota.', {
  spec: object('Its spec.', {
    hard: map('The bounds of the subtree.', quantity, { maxProperties: 1000 }),
  }),
});
export type HierarchicalResourceQuota = Static<typeof hierarchicalResourceQuota>;

const hncConfiguration = object('An HNCConfiguration.', {
  spec: object('Its spec.', {
    resources: list(
      'What HNC copies.',
      object('A resource.', {
        group: text('Its group.'),
        resource: required(text('Its plural name.')),
        mode: text('Whether it is copied.'),
      }),
    ),
  }),
});
export type HncConfiguration = Static<typeof hncConfiguration>;

/** The kinds of HNC. */
export const hncKinds: readonly SystemKind[] = [
  { group: HNC_GROUP, kind: 'HierarchyConfiguration', schema: hierarchyConfiguration },
  { group: HNC_GROUP, kind: 'SubnamespaceAnchor', schema: subnamespaceAnchor },
  { group: HNC_GROUP, kind: 'HierarchicalResourceQuota', schema: hierarchicalResourceQuota },
  { group: HNC_GROUP, kind: 'HNCConfiguration', schema: hncConfiguration },
];

/** Whether a key belongs to HNC, as HNC decides which keys of an original a copy lacks. */
export function isHncKey(key: string): boolean {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  return prefix.endsWith(HNC_GROUP);
}
