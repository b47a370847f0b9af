import type {
  EnvironmentSource,
  EnvironmentValue,
  MountedFiles,
  OperatorPort,
  OperatorResources,
} from './pod-spec.ts';

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
