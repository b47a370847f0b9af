import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { SystemObject } from '../system-object.ts';
import { NODE_SELECTOR, TENANT_LABEL } from './keys.ts';
import { fillText } from './placeholders.ts';
import type { TenantContent } from './tenant-schema.ts';

/** The metadata of a Namespace as Capsule leaves it. */
export interface ComputedMetadata {
  /** Its labels, and those that Capsule sets. */
  readonly labels: Readonly<Record<string, string>>;
  /** The labels and annotations that the Tenant sets. */
  readonly managed: Readonly<Record<'labels' | 'annotations', ReadonlyMap<string, string>>>;
}

/**
 * Computes the metadata that Capsule gives a Namespace. An item of `additionalMetadataList` never overwrites, and may
 * select by labels that others set.
 *
 * Source: pkg/tenant/metdata.go
 */
export function computeMetadata(
  { name, content }: SystemObject<TenantContent>,
  metadata: KubeObject['metadata'],
): ComputedMetadata {
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
  for (let isChanged = true; isChanged;) {
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
