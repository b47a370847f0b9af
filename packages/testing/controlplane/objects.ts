/** Metadata of an object, loosely typed, as a server may answer anything. */
export interface Metadata {
  name?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  deletionTimestamp?: string;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[];
  managedFields?: { manager: string; operation: string; subresource?: string }[];
  [field: string]: unknown;
}

/** An object, a list of objects (`items`), or the Status of a refusal (`reason`, `message`). */
export interface Body {
  apiVersion?: string;
  kind?: string;
  metadata?: Metadata;
  spec?: Record<string, unknown>;
  status?: unknown;
  items?: Body[];
  /** Of a Status: 'NotFound', 'Forbidden', 'Conflict', 'Invalid', ... */
  reason?: string;
  message?: string;
  code?: number;
  details?: { causes?: { reason?: string; message?: string; field?: string }[] };
  [field: string]: unknown;
}

/** A kind, and the namespace of its objects; without one, the cluster or every namespace. */
export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
}

export interface ObjectReference extends KindReference {
  readonly name: string;
}

/** An answer of an API server. */
export interface Reply<T extends Body = Body> {
  /** The HTTP status; below 300 is success. */
  readonly status: number;
  /** The object, or a Status (`reason`, `message`) of a refusal. */
  readonly body: T;
  /** The texts of its Warning headers. */
  readonly warnings: readonly string[];
}

export function toReference(object: Body): ObjectReference {
  const { apiVersion, kind, metadata } = object;
  if (!apiVersion || !kind || !metadata?.name) {
    throw new TypeError(
      `an object must have an apiVersion, a kind and a name, got '${apiVersion}', '${kind}', '${metadata?.name}'`,
    );
  }
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
}
