import type { Kind, ObjectMeta } from '../../runtime/kinds/kind.ts';
import type { NamedObject } from '../objects/placed.ts';

/** An object that the cluster has. */
export interface FoundObject extends NamedObject {
  readonly metadata: ObjectMeta;
}

/** The objects of manifests in a cluster, and what their deletion would delete. */
export interface Survey {
  /** In the order of the manifests. */
  readonly objects: readonly FoundObject[];
  /** The objects that the cluster lacks. */
  readonly absent: readonly NamedObject[];
  /** The objects of each definition, by its name. */
  readonly instances: ReadonlyMap<string, Instances>;
  /** The content of each namespace, by its name. */
  readonly contents: ReadonlyMap<string, Contents>;
}

/** The objects of a definition. */
export interface Instances {
  /** Undefined if no version of the definition is served. */
  readonly kind: Kind | undefined;
  readonly found: readonly FoundObject[];
  /** The reason why the objects are unknown. */
  readonly unknown?: string;
}

/** The content of a namespace. */
export interface Contents {
  readonly found: readonly FoundObject[];
  /** Kinds that could not be listed, so that the namespace may hold foreign objects. */
  readonly unknown: readonly string[];
}
