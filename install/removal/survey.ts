import type { Kind, ObjectMeta } from '../../runtime/kinds/kind.ts';
import type { NamedObject } from '../objects/placed.ts';

/** An object that the cluster has. */
export interface FoundObject extends NamedObject {
  readonly metadata: ObjectMeta;
}

/** What of manifests is there, and what would go with it. */
export interface Survey {
  /** In the order of the manifests. */
  readonly objects: readonly FoundObject[];
  /** Of the manifests, those that the cluster does not have. */
  readonly absent: readonly NamedObject[];
  /** Of each definition among the objects, by its name. */
  readonly instances: ReadonlyMap<string, Instances>;
  /** Of each namespace among the objects, by its name. */
  readonly contents: ReadonlyMap<string, Contents>;
}

/** The objects of a definition. */
export interface Instances {
  /** Undefined where nothing of the definition is served. */
  readonly kind: Kind | undefined;
  readonly found: readonly FoundObject[];
  /** Why they are not known. */
  readonly unknown?: string;
}

/** What lies in a namespace. */
export interface Contents {
  readonly found: readonly FoundObject[];
  /** What could not be listed: it is not known whether the namespace is empty of others. */
  readonly unknown: readonly string[];
}
