import { resourceOf } from '../../runtime/kinds/kind.ts';
import { identityOf } from '../objects/placed.ts';
import type { FoundObject } from './survey.ts';

/** Kinds of objects that Kubernetes itself creates in every namespace, or records about other objects. */
const passing: ReadonlySet<string> = new Set([
  'events',
  'events.events.k8s.io',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'leases.coordination.k8s.io',
  'controllerrevisions.apps',
]);

const everywhere: ReadonlySet<string> = new Set([
  'serviceaccounts default',
  'configmaps kube-root-ca.crt',
  'configmaps openshift-service-ca.crt',
]);

/** The annotation of a token that names its account. */
const TOKEN_OF = 'kubernetes.io/service-account.name';

/**
 * Finds the foreign objects of a namespace: not deployed, not created by Kubernetes in every
 * namespace, not owned by deleted objects.
 * @param going the deleted objects, by `identityOf`
 * @param kinds resources of which all objects are deleted
 */
export function findForeignObjects(
  contents: readonly FoundObject[],
  going: ReadonlySet<string>,
  kinds: ReadonlySet<string>,
): readonly FoundObject[] {
  const here = new Map(contents.map((found) => [found.metadata.uid, found]));
  const isForeign = (found: FoundObject, seen: ReadonlySet<string> = new Set()): boolean => {
    const { kind, name, metadata } = found;
    const resource = resourceOf(kind);
    if (going.has(identityOf(found)) || kinds.has(resource) || passing.has(resource)) return false;
    if (everywhere.has(`${resource} ${name.name}`)) return false;
    if (resource === 'secrets' && metadata.annotations?.[TOKEN_OF] !== undefined) return false;
    const { ownerReferences = [] } = metadata;
    // Kubernetes deletes it when all of its owners are deleted.
    return !(
      ownerReferences.length > 0 &&
      ownerReferences.every(({ uid }) => {
        const owner = here.get(uid);
        return owner && !seen.has(uid) && !isForeign(owner, new Set([...seen, uid]));
      })
    );
  };
  return contents.filter((found) => isForeign(found));
}
