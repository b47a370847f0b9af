/** A port at which the pods listen. */
export interface OperatorPort {
  /** At most 15 lower-case letters, digits and `-`. */
  readonly name: string;
  /** Of TCP, from 1024 on: below, a process that is not root cannot listen everywhere. */
  readonly port: number;
}

/** A key of a Secret or a ConfigMap in the namespace of the operator. */
export interface KeyOfObject {
  readonly name: string;
  readonly key: string;
  /** Whether pods start without it. @default false */
  readonly isOptional?: boolean;
}

/** What a variable is set to. */
export type EnvironmentValue =
  | string
  | { readonly secret: KeyOfObject }
  | { readonly configMap: KeyOfObject }
  /** Such as `metadata.name`, of the pod. */
  | { readonly field: string }
  /** What the container has, such as `limits.memory`; in bytes and whole CPUs where no divisor is said. */
  | { readonly resource: ContainerResource; readonly divisor?: string };

/**
 * Variables by all keys of a ConfigMap or a Secret in the namespace of the operator; of several with the same key the
 * last one holds.
 */
export type EnvironmentSource = ({ readonly configMap: string } | { readonly secret: string }) & {
  /** Before each key. @default - nothing */
  readonly prefix?: string;
  /** Whether pods start without it. @default false */
  readonly isOptional?: boolean;
};

/** What a container asks for, or has at most. */
export type ContainerResource = `${'requests' | 'limits'}.${ComputeResource}`;

/** What a container needs of its node. */
export type ComputeResource = 'cpu' | 'memory' | 'ephemeral-storage';

/** Files in a folder of the pods. */
export interface MountedFiles {
  /** Of the volume: a DNS label. */
  readonly name: string;
  /** Of the folder, from `/` on. */
  readonly path: string;
  readonly from:
    | { readonly configMap: string; readonly isOptional?: boolean }
    | { readonly secret: string; readonly isOptional?: boolean }
    /** An empty folder, which alone can be written; at most so large. */
    | { readonly emptyDir: { readonly sizeLimit?: string } }
    /** A token of its ServiceAccount for somebody else than the API server, in the file `token`. */
    | { readonly token: AudienceToken };
}

/** A token by which others know an operator: a cloud, or a Vault. The kubelet renews it. */
export interface AudienceToken {
  /** Whom it is for: the token says it, and who gets it asks for it. */
  readonly audience: string;
  /** Seconds for which it is good, at least 600. @default 3600 */
  readonly lifetime?: number;
}

/** Quantities by `cpu`, `memory` and `ephemeral-storage`. */
export interface OperatorResources {
  readonly requests?: Readonly<Partial<Record<ComputeResource, string>>>;
  readonly limits?: Readonly<Partial<Record<ComputeResource, string>>>;
}
