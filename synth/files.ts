import type { KubeObject } from '../crds/object.ts';

/** One file of an output: objects to be written as YAML documents, or ready text (a README). */
export interface OutputFile {
  /** Relative to the output folder, with `/`; never absolute, never with `..`. */
  readonly path: string;
  readonly content: readonly KubeObject[] | string;
}

/**
 * Objects that come to an app without being constructs, a unit at a time, so that ten thousand
 * tenants are rendered in the memory of one.
 */
export interface Source {
  /** Called once a synthesis, before anything is written. Throws `InvalidInput` with every problem. */
  prepare(): Iterable<Unit>;
}

/** What is rendered, cached and dropped together: usually the tenants of one input file. */
export interface Unit {
  /** For messages: the input file, or the construct path. */
  readonly id: string;
  /** A hash of everything that the rendered bytes depend on. Absent: never cached. */
  readonly key?: string;
  /** `cluster/namespace` for every namespace that the unit alone may fill. */
  readonly namespaces: readonly string[];
  render(): Iterable<OutputFile>;
}
