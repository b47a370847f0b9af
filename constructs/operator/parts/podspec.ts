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
  | { readonly field: string };

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
    | { readonly emptyDir: { readonly sizeLimit?: string } };
}

/** Quantities by `cpu` and `memory`. */
export interface OperatorResources {
  readonly requests?: Readonly<Partial<Record<'cpu' | 'memory', string>>>;
  readonly limits?: Readonly<Partial<Record<'cpu' | 'memory', string>>>;
}
