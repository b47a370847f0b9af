import type { Finding } from './finding.ts';

/** What constructs and the generator agree on; stock cdk8s ignores the metadata. */

/** The folder of the output that holds everything of every cluster, and nothing of anybody else. */
export const CLUSTERS = 'clusters';

/** The type of construct metadata that says into which file a chart goes: an `OutputPath`. */
export const OUTPUT_PATH = 'tenantry:output-path';

/** The file of a chart, or the file of each of its objects. */
export type OutputPath = string | OutputPaths;

/** A chart whose objects go into several files. */
export interface OutputPaths {
  /** All files, in the order in which they are written. Each is written, also where no object goes into it. */
  readonly all: readonly [string, ...string[]];
  /** The file of one object, which is one of these. */
  pathOf(object: { readonly apiVersion: string; readonly kind: string }): string;
}

/** The type of construct metadata that holds what is wrong with a construct: `ConstructErrors`. */
export const ERRORS = 'tenantry:errors';

/** What is wrong with a construct, whose validation tells the same as text. */
export interface ConstructErrors {
  /** Asked once, when the tree is validated. */
  errors(): readonly Finding[];
  /** The stack where the construct was made, from its caller on. */
  readonly stack: string;
}

/** The type of construct metadata that holds a warning about a construct, as text. */
export const WARNING = 'tenantry:warning';

/** A file of the output that is for no cluster, such as a Dockerfile or the parts of an image. */
export interface Artifact {
  /** Relative to the output folder, with `/`: in a folder, and not in that of clusters. */
  readonly path: string;
  readonly text: string;
}

/** The type of construct metadata that holds files that a construct gives: `ConstructArtifacts`. */
export const ARTIFACTS = 'tenantry:artifacts';

/** The files that a construct gives. */
export interface ConstructArtifacts {
  /** Asked once, when the tree is valid. */
  artifacts(): readonly Artifact[];
}

/** What the root of a tree has whose artifacts are written; stock cdk8s passes over them. */
export const WRITES_ARTIFACTS = Symbol.for('tenantry:writes-artifacts');
