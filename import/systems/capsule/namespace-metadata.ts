import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import { CAPSULE, namespaceAnnotations, namespaceLabels, NODE_SELECTOR, TENANT_LABEL } from './keys.ts';
import type { CapsuleTenant, Member } from './members.ts';
import { fillText } from './placeholders.ts';
import type { TenantContent } from './tenant-schema.ts';

const NOT_SET: ReadonlySet<string> = new Set([...namespaceLabels, ...namespaceAnnotations]);

/**
 * Computes the metadata that Capsule gives a Namespace. An item of `additionalMetadataList` never overwrites, and may
 * select by labels that others set.
 *
 * Source: pkg/tenant/metdata.go
 */
export function computeMetadata(
  { name, content }: SystemObject<TenantContent>,
  metadata: KubeObject['metadata'],
): Pick<Member, 'labels' | 'managed'> {
  const { namespaceOptions, nodeSelector } = content.spec ?? {};
  const { additionalMetadata, additionalMetadataList = [] } = namespaceOptions ?? {};
  const values = new Map([
    ['tenant.name', name],
    ['namespace', metadata.name],
  ]);
  const labels = new Map(Object.entries(additionalMetadata?.labels ?? {}));
  const annotations = new Map(Object.entries(additionalMetadata?.annotations ?? {}));
  if (nodeSelector) annotations.set(NODE_SELECTOR, formatNodeSelector(nodeSelector));
  const own = metadata.labels ?? {};
  const listLabels = (): Record<string, string> => ({
    ...own,
    ...Object.fromEntries(labels),
    'kubernetes.io/metadata.name': metadata.name,
    [TENANT_LABEL]: name,
  });
  const waiting = new Set(additionalMetadataList);
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const item of waiting) {
      const { namespaceSelector } = item;
      if (namespaceSelector && !matchesLabels(namespaceSelector as LabelSelector, listLabels()))
        continue;
      waiting.delete(item);
      isChanged = true;
      addAbsent(labels, item.labels, values);
      addAbsent(annotations, item.annotations, values);
    }
  }
  return { labels: listLabels(), managed: { labels, annotations } };
}

function addAbsent(
  entries: Map<string, string>,
  added: Readonly<Record<string, string>> = {},
  values: ReadonlyMap<string, string>,
): void {
  for (const [key, value] of Object.entries(added)) {
    const name = fillText(key, values);
    if (!entries.has(name)) entries.set(name, fillText(value, values));
  }
}

function formatNodeSelector(selector: Readonly<Record<string, string>>): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
}

/**
 * Sets the metadata of a tenant's Namespaces, and drops what only Capsule reads.
 * @param kept keys that other objects select by
 */
export function translateMetadata(
  { one, spec, members }: CapsuleTenant,
  kept: ReadonlySet<string>,
  translation: Translation,
): void {
  for (const { name, found, managed } of members) {
    for (const part of ['labels', 'annotations'] as const) {
      const keys = part === 'labels' ? namespaceLabels : namespaceAnnotations;
      const own = found.object.metadata[part] ?? {};
      for (const key of keys) {
        if (own[key] !== undefined && !kept.has(key)) translation.dropKey(CAPSULE, name, part, key);
      }
      for (const [key, value] of managed[part]) {
        if (!NOT_SET.has(key)) translation.setKey(name, part, key, value);
      }
    }
    if (kept.has(TENANT_LABEL)) translation.setKey(name, 'labels', TENANT_LABEL, one.name);
  }
  const become = '`labels` and `annotations` of the namespaces';
  const options = ['spec', 'namespaceOptions'];
  one.take([...options, 'additionalMetadata'], become);
  for (const i of (spec.namespaceOptions?.additionalMetadataList ?? []).keys()) {
    one.take([...options, 'additionalMetadataList', i], become);
  }
  one.take(['spec', 'nodeSelector'], `the annotation ${NODE_SELECTOR} of the namespaces`);
  if (spec.namespaceOptions?.managedMetadataOnly) {
    one.leave(
      [...options, 'managedMetadataOnly'],
      'Tenantry declares every label and annotation that the source has: remove from the Namespaces what Capsule removes, or import an export of the cluster',
    );
  } else one.take([...options, 'managedMetadataOnly'], 'what is so anyway');
}
