import type { Kind, ObjectName } from '../../runtime/kinds/kind.ts';
import { keyOf, resourceOf } from '../../runtime/kinds/kind.ts';
import type { KubeObject } from '../../kube/object.ts';

/** An object of a manifest, and where the cluster has it. */
export interface PlacedObject {
  readonly kind: Kind;
  /** With its namespace, where the kind has one. */
  readonly object: KubeObject;
}

/** Which object of a kind. */
export interface NamedObject {
  readonly kind: Kind;
  readonly name: ObjectName;
}

/** Which object it is. */
export function namedOf({ kind, object }: PlacedObject): NamedObject {
  const { name, namespace } = object.metadata;
  return { kind, name: { name, namespace } };
}

/** As people name it: `Deployment shops/shops`. */
export function formatObjectName({ kind, name }: NamedObject): string {
  return `${kind.kind} ${keyOf(name)}`;
}

/** By this two are the same object: `deployments.apps shops/shops`. */
export function identityOf({ kind, name }: NamedObject): string {
  return `${resourceOf(kind)} ${keyOf(name)}`;
}
