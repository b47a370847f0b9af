import { emitYaml } from '@tenantry/kube/yaml/write';
import type { FoundObject } from '../manifests.ts';
import type { TenancySystem } from './tenancy-system.ts';
import type { Translation } from './translation.ts';

/** Returns an object without the labels that only the systems read. */
export function removeObjectLabels(
  found: FoundObject,
  systems: readonly TenancySystem[],
  translation: Translation,
): FoundObject {
  const { object } = found;
  const { labels, namespace } = object.metadata;
  if (!labels || namespace === undefined) return found;
  const removed = new Set<string>();
  for (const { name, objectLabels = [] } of systems) {
    for (const key of objectLabels) {
      if (labels[key] === undefined) continue;
      removed.add(key);
      translation.addBookkeeping(name, key, namespace);
    }
  }
  if (removed.size === 0) return found;
  const { labels: _all, ...metadata } = object.metadata;
  const kept = Object.fromEntries(Object.entries(labels).filter(([key]) => !removed.has(key)));
  const left = Object.keys(kept).length > 0 ? { ...metadata, labels: kept } : metadata;
  const own = { ...object, metadata: left };
  return { ...found, object: own, text: emitYaml([own]) };
}
