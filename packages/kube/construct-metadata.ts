import type { Finding } from './finding.ts';

/** The contract between constructs and the generator; stock cdk8s ignores the metadata. */

/** The folder of the output with everything of every cluster, and nothing else. */
export const CLUSTERS = 'clusters';

/** The type of construct metadata that sets the file of a chart: an `OutputPath`. */
export const OUTPUT_PATH = 'tenantry:output-path';

/** The file of a chart, or the file of each of its objects. */
export type OutputPath = string | OutputPaths;

/** The files of a chart whose objects are written to several files. */
export interface OutputPaths {
  /** All files, in the order in which they are written. Each is written, even if it gets no object. */
  readonly all: readonly [string, ...string[]];
  /** Returns the file of one object, which is in `all`. */
  pathOf(object: { readonly apiVersion: string; readonly kind: string }): string;
}

/** The type of construct metadata with the findings about a construct: `ConstructErrors`. */
export const ERRORS = 'tenantry:errors';

/** The findings about a construct, whose validation returns the same as text. */
export interface ConstructErrors {
  /** Returns the errors. Called once, when the tree is validated. */
  errors(): readonly Finding[];
  /** The stack at the creation of the construct, from its caller on. */
  readonly stack: string;
}

/** The type of construct metadata with a warning about a construct, as text. */
export const WARNING = 'tenantry:warning';

/** A file of the output that is for no cluster, such as a Dockerfile or the parts of an image. */
export interface Artifact {
  /** The path relative to the output folder, with `/`. It is in a folder other than that of clusters. */
  readonly path: string;
  readonly text: string;
}

/** The type of construct metadata with the files of a construct: `ConstructArtifacts`. */
export const ARTIFACTS = 'tenantry:artifacts';

/** The files of a construct. */
export interface ConstructArtifacts {
  /** Returns the files. Called once, when the tree is valid. */
  artifacts(): readonly Artifact[];
}

/** Marks the root of a tree whose artifacts are written; stock cdk8s ignores artifacts. */
export const WRITES_ARTIFACTS = Symbol.for('tenantry:writes-artifacts');
