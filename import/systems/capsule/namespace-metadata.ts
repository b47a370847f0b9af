import type { Translation } from '../translation.ts';
import {
  CAPSULE,
  namespaceAnnotations,
  namespaceLabels,
  NODE_SELECTOR,
  TENANT_LABEL,
} from './keys.ts';
import type { CapsuleTenant } from './members.ts';

const NOT_SET: ReadonlySet<string> = new Set([...namespaceLabels, ...namespaceAnnotations]);

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
