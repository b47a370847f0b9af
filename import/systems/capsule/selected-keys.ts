import type { FoundObject } from '../../manifests.ts';
import type { SystemSource } from '../tenancy-system.ts';
import { CAPSULE, namespaceLabels, OBJECT_TENANT_LABEL } from './keys.ts';
import type { CapsuleTenant } from './members.ts';
import type { Translation } from '../translation.ts';

/** Kinds that select no namespaces and no pods. */
const plainKinds: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Event',
  'LimitRange',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'Role',
  'RoleBinding',
  'Secret',
  'ServiceAccount',
]);

/**
 * Finds the labels of Capsule by which other objects select: network policies, above all. Such a label of the
 * Namespaces stays declared, so that nothing is opened or closed. Pods no longer get theirs, which is a note.
 */
export function findSelectedKeys(
  { objects }: SystemSource,
  tenants: readonly CapsuleTenant[],
  translation: Translation,
): ReadonlySet<string> {
  const keys = new Map<string, string>();
  const search = (content: unknown, name: string): void => {
    const text = JSON.stringify(content) ?? '';
    for (const key of namespaceLabels) {
      if (!keys.has(key) && text.includes(`"${key}"`)) keys.set(key, name);
    }
  };
  for (const found of objects) {
    if (plainKinds.has(found.object.kind) || !mentionsKey(found)) continue;
    const { metadata, ...content } = found.object;
    search(content, `${found.object.kind} ${metadata.name}`);
  }
  for (const { name, spec } of tenants) search(spec.networkPolicies ?? {}, `Tenant ${name}`);
  for (const [key, name] of keys) {
    const what =
      key === OBJECT_TENANT_LABEL
        ? `Capsule's webhook puts it on pods, and nothing does so without it`
        : 'it stays declared on the Namespaces';
    translation.note(`${name} selects by the label ${key} of ${CAPSULE}: ${what}`);
  }
  return new Set(keys.keys());
}

/** Objects of a cluster have no text. */
const mentionsKey = ({ text }: FoundObject): boolean =>
  text === undefined || namespaceLabels.some((key) => text.includes(key));
