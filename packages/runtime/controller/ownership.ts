import { groupOf } from '@tenantry/kube/object';
import {
  apiVersionOf,
  keyOf,
  type Kind,
  type Live,
  type ObjectName,
  type OwnerReference,
  type WrittenMeta,
} from '../kinds/kind.ts';

/** Returns the object that a change of this one affects: its controller, if that is of the kind. */
export function findController(owner: Kind, { metadata }: Live): ObjectName | undefined {
  const reference = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (!reference || !isOfKind(owner, reference)) return undefined;
  return owner.scope === 'Cluster'
    ? { name: reference.name }
    : { name: reference.name, namespace: metadata.namespace };
}

/**
 * The index for objects that an object controls. It uses the uid, to exclude children of an earlier object of the same
 * name.
 */
export function controllerUid({ metadata }: { readonly metadata: WrittenMeta }): readonly string[] {
  const reference = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return reference ? [reference.uid] : [];
}

/**
 * Returns the object with the owner as its controller. The garbage collector deletes it with its owner, which waits for
 * it in a foreground deletion. A namespaced owner owns objects in its namespace, which is filled in. In a reconcile,
 * use `owned` of the context.
 *
 * @example
 * ```ts
 * import { core, ownedBy, type Live, type Written } from '@tenantry/runtime';
 *
 * const apiVersion = 'v1';
 * const metadata = { name: 'shop', uid: '1', resourceVersion: '7', creationTimestamp: '' };
 * const shop: Live<typeof core.Namespace> = { apiVersion, kind: 'Namespace', metadata };
 * const quota: Written<typeof core.ResourceQuota> = {
 *   metadata: { name: 'default', namespace: 'shop' },
 *   spec: { hard: { pods: '0' } },
 * };
 * const owned = ownedBy(core.Namespace, shop, quota);
 * console.log(owned.metadata.ownerReferences?.map(({ name }) => name)); // [ 'shop' ]
 * ```
 *
 * @throws {Error} if the garbage collector would not find the owner, or the object has another controller
 */
export function ownedBy<W extends { readonly metadata: WrittenMeta }>(
  kind: Kind,
  owner: Live,
  object: W,
): W {
  const { name, namespace, uid } = owner.metadata;
  const { metadata } = object;
  const who = `${kind.kind} ${keyOf(owner.metadata)}`;
  const what = metadata.name ?? metadata.generateName ?? 'an object';
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace) {
    throw new Error(
      `${who} must own objects in its namespace, got ${what} in ${metadata.namespace}`,
    );
  }
  const others = metadata.ownerReferences?.filter((one) => one.uid !== uid) ?? [];
  const other = others.find(({ controller }) => controller === true);
  if (other) throw new Error(`${what} must have one controller, got ${other.kind} ${other.name}`);
  const reference: OwnerReference = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const ownerReferences = [...others, reference];
  const place = namespace === undefined ? {} : { namespace };
  return { ...object, metadata: { ...metadata, ...place, ownerReferences } };
}

export function isControlledBy(kind: Kind, { ownerReferences }: WrittenMeta): boolean {
  return ownerReferences?.some((one) => one.controller === true && isOfKind(kind, one)) ?? false;
}

export function isOwnedBy(kind: Kind, { ownerReferences }: WrittenMeta): boolean {
  return ownerReferences?.some((one) => isOfKind(kind, one)) ?? false;
}

function isOfKind(kind: Kind, reference: OwnerReference): boolean {
  return reference.kind === kind.kind && groupOf(reference.apiVersion) === kind.group;
}
