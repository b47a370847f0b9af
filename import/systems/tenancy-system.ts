import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { KubeObject } from '@tenantry/kube/object';
import type { FoundObject } from '../manifests.ts';
import type { SystemObject } from './system-object.ts';
import type { Translation } from './translation.ts';

/** A kind of objects of a tenancy system. */
export interface SystemKind {
  readonly group: string;
  readonly kind: string;
  /**
   * The fields that the translation reads, and their types. Fields of the object that it lacks are reported as left, and
   * are no error.
   */
  readonly schema: JSONSchemaProps;
  /**
   * Whether the schema has every field of the kind. A field that it lacks is then reported as unknown wherever it is,
   * also below a field that the translation records as a whole. Default: false
   */
  readonly isComplete?: boolean;
}

/** A cluster on which the namespaces are declared. */
export interface SourceCluster {
  readonly name: string;
  /** Its address in Argo CD, if it is known. */
  readonly server?: string;
}

/** What a source has in the terms of a tenancy system. */
export interface SystemSource {
  /** At least one; the tenants will be on each of them. */
  readonly clusters: readonly SourceCluster[];
  /** The valid objects of a kind of the system. */
  objectsOf<Content>(kind: string): readonly SystemObject<Content>[];
  /** The Namespaces of the source, and those that systems before this one make. */
  readonly namespaces: readonly FoundObject[];
  /** All other objects of the source, including those that the system's controllers made. */
  readonly objects: readonly FoundObject[];
  /** Returns the namespace of an object: that which it names, or else the one of its folder, if there is exactly one. */
  namespaceOf(found: FoundObject): string | undefined;
}

/**
 * Another tenancy system. Its translation computes what the controllers of the system make of its objects: RoleBindings,
 * quotas, labels of Namespaces. The import then declares these like objects that people wrote.
 */
export interface TenancySystem {
  /** As its users call it. */
  readonly name: string;
  readonly kinds: readonly SystemKind[];
  /** Must be pure but for what it records. Is called also if the source has none of the system's objects. */
  translate(source: SystemSource, translation: Translation): void;
  /**
   * Whether a controller of the system made an object. It is left out if a translated object has the same effect.
   * Default: none.
   */
  isMade?(object: KubeObject): boolean;
}
