import type { ExcludedNamespaces } from '../../import/live-namespaces.ts';

/** A cluster from which was imported. */
export interface ReportedCluster {
  /** The address of the API server. */
  readonly server: string;
  /** How many objects of each kind were read, with how many requests. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly objects: number;
    readonly requests: number;
  }[];
  /** Namespaces that were not imported, by the reason. */
  readonly excluded: readonly ExcludedNamespaces[];
  /** Parts of objects that are not declared, because a tool or a controller writes them for itself. */
  readonly dropped: readonly {
    readonly what: string;
    readonly writer: string;
    readonly objects: number;
  }[];
  /** Kinds that were not read, such as `ConfigMap`. */
  readonly notRead: readonly string[];
  /** APIs whose kinds the API server does not know, because another server does not answer. */
  readonly unavailable: readonly string[];
}
