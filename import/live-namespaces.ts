import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { groupOf } from '@tenantry/kube/object';
import type { PlatformSpec } from '../crds/platform.ts';
import type { Platform } from '../model/declaration.ts';
import { TENANT_LABEL } from '../model/ownership.ts';
import { resolvePlatform } from '../model/platform.ts';
import { findProtection } from '../model/protected.ts';
import type { FoundObject } from './manifests.ts';

/** The namespaces of a cluster from which objects are imported. */
export interface SelectedNamespaces {
  /** All objects of the cluster that are in them, and their Namespaces. */
  readonly objects: readonly FoundObject[];
  /** The names of all namespaces of the cluster. */
  readonly existing: ReadonlySet<string>;
  /** Selected namespaces that are not imported, by the reason. */
  readonly excluded: readonly ExcludedNamespaces[];
}

/** Namespaces that are not imported for one reason. */
export interface ExcludedNamespaces {
  /** The end of a sentence about them: `they are protected (kube-*)`. */
  readonly reason: string;
  /** Sorted. */
  readonly namespaces: readonly string[];
}

/** Which namespaces of a cluster are imported. */
export interface NamespaceChoices {
  readonly selector: LabelSelector;
  /** The platform of the repository. Default: one that protects what is usual. */
  readonly platform: PlatformSpec | undefined;
}

/**
 * Selects the namespaces of a cluster that tenants may have, with the objects in them. Left out are protected namespaces,
 * those that are being deleted, and those that belong to a tenant already. Cluster-scoped objects stay.
 */
export function selectNamespaces(
  found: readonly FoundObject[],
  { selector, platform }: NamespaceChoices,
): SelectedNamespaces {
  const resolved = resolvePlatform(platform);
  const existing = new Set<string>();
  const selected = new Set<string>();
  const excluded = new Map<string, string[]>();
  for (const one of found.filter(isNamespace)) {
    const { name, labels = {} } = one.object.metadata;
    existing.add(name);
    if (!matchesLabels(selector, labels)) continue;
    const reason = findExclusion(one, resolved);
    if (reason === undefined) selected.add(name);
    else excluded.set(reason, [...(excluded.get(reason) ?? []), name]);
  }
  return {
    objects: found.filter((one) => {
      const { name, namespace } = one.object.metadata;
      if (isNamespace(one)) return selected.has(name);
      return namespace === undefined || selected.has(namespace);
    }),
    existing,
    excluded: [...excluded].map(([reason, namespaces]) => ({
      reason,
      namespaces: namespaces.toSorted(),
    })),
  };
}

function findExclusion({ object, live }: FoundObject, platform: Platform): string | undefined {
  const { name, labels } = object.metadata;
  const protection = findProtection(platform, name);
  if (protection) return `they are protected (${protection.pattern})`;
  if (live?.isTerminating) return 'they are being deleted';
  if (live?.fault !== undefined) return live.fault;
  return labels?.[TENANT_LABEL] === undefined ? undefined : 'they belong to tenants already';
}

const isNamespace = ({ object: { apiVersion, kind } }: FoundObject): boolean =>
  groupOf(apiVersion) === '' && kind === 'Namespace';
