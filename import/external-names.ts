import { valueAt } from '@tenantry/kube/mapping';
import { isSubdomain } from '@tenantry/kube/names';
import { groupOf } from '@tenantry/kube/object';
import type { SelfService } from '../crds/self-service.ts';
import { isInsideCluster } from '../model/classes/services.ts';
import { listFrequent } from './counting.ts';
import type { FoundNamespace } from './namespaces.ts';

/** The maximum number of names that a class allows, by its schema. */
const MAX_NAMES = 100;

/**
 * Derives which names Services of type ExternalName may have: those that they have, the most frequent first, or their
 * domains where there are too many for a class. `selfService` has no exceptions, so the class allows them to all of its
 * tenants.
 */
export function deriveSelfService(namespaces: readonly FoundNamespace[]): SelfService | undefined {
  const names = namespaces
    .flatMap(({ objects }) => objects.map(({ object }) => object))
    .filter(({ apiVersion, kind }) => groupOf(apiVersion) === '' && kind === 'Service')
    .filter((object) => valueAt(object, ['spec', 'type']) === 'ExternalName')
    .flatMap((object) => valueAt(object, ['spec', 'externalName']) ?? [])
    .filter((name) => typeof name === 'string')
    .map((name) => name.replace(/\.$/, ''))
    .filter(isSubdomain);
  const externalNames = joinNames(listFrequent(names, 1)).slice(0, MAX_NAMES);
  return externalNames.length > 0 ? { services: { externalNames } } : undefined;
}

/**
 * Joins names to patterns of their domains until a class can have them all: the domain with the most names first, and
 * only then the domains above. A pattern covers no name inside the cluster, and no top-level domain.
 */
function joinNames(names: readonly string[]): readonly string[] {
  let joined = names;
  while (joined.length > MAX_NAMES) {
    const [largest] = [...Map.groupBy(joined, readDomain)]
      .filter(([domain, members]) => domain !== undefined && members.length > 1)
      .toSorted(([, some], [, others]) => others.length - some.length);
    if (!largest) return joined;
    const [domain, members] = largest;
    const covered = new Set(members);
    joined = [...joined.filter((name) => !covered.has(name)), `*.${domain}`];
  }
  return joined;
}

/** Returns the domain of a name, or the domain above that of a pattern; undefined if no pattern may cover it. */
function readDomain(name: string): string | undefined {
  const [, ...labels] = name.replace(/^\*\./, '').split('.');
  const domain = labels.join('.');
  return labels.length < 2 || isInsideCluster(domain) ? undefined : domain;
}
