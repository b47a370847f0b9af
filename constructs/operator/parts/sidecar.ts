import type {
  EnvironmentSource,
  EnvironmentValue,
  MountedFiles,
  OperatorPort,
  OperatorResources,
} from './pod-spec.ts';

/**
 * A container beside that of the operator, in each of its pods: one that authenticates whoever reads metrics, say. It
 * is held in as the operator is, and has the same ServiceAccount. The two start and end together.
 */
export interface OperatorSidecar {
  /** A DNS label, and not `operator`. */
  readonly name: string;
  /** With a tag other than `latest`, or a digest. It has a user of its own, by number, that is not root. */
  readonly image: string;
  /** @default - the image's */
  readonly command?: readonly string[];
  /** @default - the image's */
  readonly args?: readonly string[];
  /** Variables by name. @default - none */
  readonly environment?: Readonly<Record<string, EnvironmentValue>>;
  /** Variables by the keys of objects; `environment` goes before them. @default - none */
  readonly environmentFrom?: readonly EnvironmentSource[];
  /**
   * What it finds in its file system, which it cannot write otherwise. Under a name that another container has, too,
   * it is the same volume: both see what one writes. @default - what the image has
   */
  readonly files?: readonly MountedFiles[];
  /** @default - requests of 50m and 128Mi, a limit of 256Mi */
  readonly resources?: OperatorResources;
  /** Their names and numbers are of one container of the pod. @default - none */
  readonly ports?: readonly OperatorPort[];
  /** @default - none */
  readonly probes?: SidecarProbes;
}

/** Where a sidecar answers the kubelet. */
export interface SidecarProbes {
  /** The name of one of its ports. */
  readonly port: string;
  /** The path at which it is asked whether it lives. @default - it is not */
  readonly live?: string;
  /** The path at which it is asked whether it is ready. @default - it is not */
  readonly ready?: string;
}
