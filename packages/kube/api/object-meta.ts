/** The metadata of an object as an API server returns it (meta/v1, ObjectMeta). */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The number of changes of the spec. Kinds without a generation have none. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  /** Set when the object is being deleted and waits for its finalizers. */
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

/** An object whose deletion also deletes this one (meta/v1, OwnerReference). */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** At most one owner is the controller. */
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The fields that a manager has written (meta/v1, ManagedFieldsEntry). */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
}

/** The metadata of an object to write; undefined fields are left out. */
export type WrittenMeta = { readonly [F in keyof ObjectMeta]?: ObjectMeta[F] | undefined };
