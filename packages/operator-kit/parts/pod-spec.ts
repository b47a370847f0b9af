/**
 * A container beside that of the operator in each of its pods, such as one that authenticates the
 * clients of metrics. It has the same restrictions as the operator and the same ServiceAccount. The
 * two start and end together.
 */
export interface OperatorSidecar {
  /** A DNS label other than `operator`. */
  readonly name: string;
  /** With a tag other than `latest`, or a digest. The image runs as a user with a number, and not as root. */
  readonly image: string;
  /** @default - the image's */
  readonly command?: readonly string[];
  /** @default - the image's */
  readonly args?: readonly string[];
  /** Variables by name. @default - none */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>;
  /** Variables by the keys of objects; `environment` takes precedence. @default - none */
  readonly environmentFrom?: readonly EnvironmentSource[];
  /**
   * Files and folders in its file system, which is otherwise read-only. A name that another
   * container also uses is the same volume: both see what one of them writes.
   * @default - the files of the image
   */
  readonly files?: readonly MountedFiles[];
  /** @default - requests of 50m and 128Mi, a limit of 256Mi */
  readonly resources?: OperatorResources;
  /** Names and numbers must be unique among the containers of the pod. @default - none */
  readonly ports?: readonly OperatorPort[];
  /** @default - none */
  readonly probes?: SidecarProbes;
}

/** The probes of a sidecar. */
export interface SidecarProbes {
  /** The name of one of its ports. */
  readonly port: string;
  /** The path of the liveness probe. @default - no liveness probe */
  readonly live?: string;
  /** The path of the readiness probe. @default - no readiness probe */
  readonly ready?: string;
}

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
