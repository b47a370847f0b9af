/** A port on which the pods listen. */
export interface OperatorPort {
  /** At most 15 lower-case letters, digits and `-`. */
  readonly name: string;
  /** A TCP port of at least 1024: a process that is not root cannot listen on lower ports everywhere. */
  readonly port: number;
}

/** A key of a Secret or a ConfigMap in the namespace of the operator. */
export interface KeyOfObject {
  readonly name: string;
  readonly key: string;
  /** Whether pods start without the key. @default false */
  readonly isOptional?: boolean;
}

/** The value of a variable. */
export type EnvironmentValue =
  | string
  | { readonly secret: KeyOfObject }
  | { readonly configMap: KeyOfObject }
  /** A field of the pod, such as `metadata.name`. */
  | { readonly field: string }
  /** A resource of the container, such as `limits.memory`. Without a divisor it is in bytes or whole CPUs. */
  | { readonly resource: ContainerResource; readonly divisor?: string };

/**
 * A ConfigMap or a Secret in the operator's namespace whose keys all become variables. If several
 * have the same key, the last one wins.
 */
export type EnvironmentSource = ({ readonly configMap: string } | { readonly secret: string }) & {
  /** The prefix of each key. @default - none */
  readonly prefix?: string;
  /** Whether pods start without the object. @default false */
  readonly isOptional?: boolean;
};

/** A request or a limit of a container. */
export type ContainerResource = `${'requests' | 'limits'}.${ComputeResource}`;

/** A resource of the node. */
export type ComputeResource = 'cpu' | 'memory' | 'ephemeral-storage';

/** Files in a folder of the pods. */
export interface MountedFiles {
  /** The name of the volume, a DNS label. */
  readonly name: string;
  /** The absolute path of the folder. */
  readonly path: string;
  readonly from:
    | { readonly configMap: string; readonly isOptional?: boolean }
    | { readonly secret: string; readonly isOptional?: boolean }
    /** An empty folder of at most this size: the only kind that can be written. */
    | { readonly emptyDir: { readonly sizeLimit?: string } }
    /** A token of the operator's ServiceAccount for a system other than the API server, in the file `token`. */
    | { readonly token: AudienceToken };
}

/** A token by which another system identifies an operator, such as a cloud or a Vault. The kubelet renews it. */
export interface AudienceToken {
  /** The system that the token is for. The token names it, and the system verifies it. */
  readonly audience: string;
  /** The lifetime in seconds, at least 600. @default 3600 */
  readonly lifetime?: number;
}

/** Quantities by `cpu`, `memory` and `ephemeral-storage`. */
export interface OperatorResources {
  readonly requests?: Readonly<Partial<Record<ComputeResource, string>>>;
  readonly limits?: Readonly<Partial<Record<ComputeResource, string>>>;
}
