import { keyOf, resourceOf, type Kind, type ObjectName } from '../../runtime/kinds/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

/** An object of a manifest, and its place in the cluster. */
export interface PlacedObject {
  readonly kind: Kind;
  /** The object, with its namespace if the kind is namespaced. */
  readonly object: KubeObject;
}

/** The kind and the name of an object. */
export interface NamedObject {
  readonly kind: Kind;
  readonly name: ObjectName;
}

/** Returns the kind and the name of an object. */
export function namedOf({ kind, object }: PlacedObject): NamedObject {
  const { name, namespace } = object.metadata;
  return { kind, name: { name, namespace } };
}

/** Formats an object for people: `Deployment shops/shops`. */
export function formatObjectName({ kind, name }: NamedObject): string {
  return `${kind.kind} ${keyOf(name)}`;
}

/** Returns a key that is equal for the same object: `deployments.apps shops/shops`. */
export function identityOf({ kind, name }: NamedObject): string {
  return `${resourceOf(kind)} ${keyOf(name)}`;
}
