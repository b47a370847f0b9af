import { valueAt } from '@tenantry/kube/mapping';
import { isSubdomain } from '@tenantry/kube/names';
import { groupOf } from '@tenantry/kube/object';
import type { SelfService } from '../crds/self-service.ts';
import { listFrequent } from './counting.ts';
import type { FoundNamespace } from './namespaces.ts';

/** The maximum number of names that a class allows, by its schema. */
const MAX_NAMES = 100;

/**
 * Derives which names Services of type ExternalName may have: those that they have, the most frequent first.
 * `selfService` has no exceptions, so the class allows them to all of its tenants.
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
  const externalNames = listFrequent(names, 1).slice(0, MAX_NAMES);
  return externalNames.length > 0 ? { services: { externalNames } } : undefined;
}
