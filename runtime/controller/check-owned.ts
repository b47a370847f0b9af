import { matchesLabels } from '../../kube/label-selector.ts';
import { parseLabelSelector } from '../../kube/label-selector-text.ts';
import { resourceOf, type Kind, type WrittenMeta } from '../kinds/kind.ts';
import type { Controller } from './declaration.ts';
import { isControlledBy, isOwnedBy } from './ownership.ts';
import { listWatchedKinds } from './watched-kinds.ts';

/**
 * Checks that an object which a controller is about to write can have its owner.
 *
 * @throws {Error} for a cluster-scoped object with a namespaced owner, which the garbage collector would delete. Also
 * for an object that the controller does not select, because it would never see it.
 */
export function checkOwned(controller: Controller, kind: Kind, metadata: WrittenMeta): void {
  const { for: owner } = controller;
  const name = metadata.name ?? metadata.generateName;
  if (kind.scope === 'Cluster' && owner.scope === 'Namespaced' && isOwnedBy(owner, metadata)) {
    throw new Error(
      `${owner.kind}, which is namespaced, must own namespaced kinds, got ${kind.kind} ${name}: the garbage collector would delete it`,
    );
  }
  if (!isControlledBy(owner, metadata)) return;
  const resource = resourceOf(kind);
  const watched = listWatchedKinds(controller).find((one) => resourceOf(one.kind) === resource);
  const { namespace, labelSelector = '' } = watched?.selection ?? {};
  const { labels = {} } = metadata;
  const who = `controller ${controller.name} must own ${resource}`;
  if (namespace !== undefined && metadata.namespace !== namespace) {
    throw new Error(
      `${who} in namespace ${namespace}, as it sees no others, got ${name} in ${metadata.namespace}`,
    );
  }
  if (!matchesLabels(parseLabelSelector(labelSelector), labels)) {
    const got = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    throw new Error(
      `${who} that ${labelSelector} selects, as it sees no others, got ${name} with ${got.length > 0 ? got.join() : 'no labels'}`,
    );
  }
}
