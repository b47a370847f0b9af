import type { Finding } from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import type { Position } from '../../kube/yaml/read.ts';
import type { ClusterServiceVersion } from './cluster-service-version.ts';
import type { Decoded } from './decoded.ts';

/**
 * An operator's bundle (registry+v1) as it was read: everything in it, well made or not. Nothing here
 * is refused; what is wrong with it is for rules to say.
 *
 * Source: https://olm.operatorframework.io/docs/tasks/creating-operator-bundle/
 */
export interface Bundle {
  /** Every file, sorted by path. */
  readonly files: readonly BundleFile[];
  /** Every folder, the root apart, sorted by path. */
  readonly folders: readonly string[];
  /**
   * The folder of the manifests: the one in which a ClusterServiceVersion lies, or else the one that
   * the annotations name. Empty for the root itself.
   */
  readonly manifestsFolder: string;
  /** The objects that lie in it: files by their names, documents as they stand. */
  readonly manifests: readonly BundleManifest[];
  /** The first ClusterServiceVersion of the manifests. */
  readonly csv?: BundleManifest<Decoded<ClusterServiceVersion>>;
  /** `annotations` of metadata/annotations.yaml, or of what is there in its place; else the labels. */
  readonly annotations: BundleAnnotations;
  /** `dependencies` of metadata/dependencies.yaml. */
  readonly dependencies: readonly BundleProperty[];
  /** `properties` of metadata/properties.yaml. */
  readonly properties: readonly BundleProperty[];
  /** The configuration of scorecard tests. */
  readonly scorecard?: BundleDocument<Readonly<Record<string, unknown>>>;
  /** The labels of its image: by bundle.Dockerfile, or by the image itself. */
  readonly labels?: ImageLabels;
  /** What could not be read, each with its file. */
  readonly faults: readonly BundleFinding[];
}

/** A file of a bundle. */
export interface BundleFile {
  /** From the root of the bundle, with `/`: `manifests/redis.yaml`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A document of a file of a bundle, and where everything in it stands. */
export interface BundleDocument<Value = unknown> {
  readonly file: string;
  /** From 0, among the documents of its file. */
  readonly index: number;
  readonly value: Value;
  /** Where the value at a path stands (or its key), or else its nearest ancestor: from 1. */
  position(path: Path, atKey?: boolean): Position;
}

/** A document that is an object of Kubernetes, as far as it is one. */
export interface BundleManifest<
  Value = Readonly<Record<string, unknown>>,
> extends BundleDocument<Value> {
  /** Empty where it has none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly name: string;
}

/** What a bundle says of itself, by the keys of its annotations. */
export interface BundleAnnotations {
  /** Absent where there is no such file. */
  readonly document?: BundleDocument;
  readonly values: Readonly<Record<string, string>>;
}

/** A dependency or a property: its type, and what that type says. */
export interface BundleProperty {
  /** `olm.package`, `olm.gvk`, `olm.gvk.required`, `olm.constraint`, `olm.label`, or any other. */
  readonly type: string;
  readonly value: unknown;
  /** Where it stands. */
  readonly document: BundleDocument;
  readonly path: Path;
}

/** What an image of a bundle says of itself. */
export interface ImageLabels {
  /** bundle.Dockerfile; absent where the image itself was read. */
  readonly file?: string;
  readonly values: Readonly<Record<string, string>>;
  /** The lines of the Dockerfile in which they stand, from 1. */
  readonly lines: Readonly<Record<string, number>>;
}

/** What is said of a bundle: a finding, and the file and the document that it is about. */
export interface BundleFinding extends Finding {
  /** From the root of the bundle; absent for the bundle as a whole. */
  readonly file?: string;
  /** From 0, among the documents of the file. Default: 0. */
  readonly document?: number;
  /** Where in the file, of what stands in no document: from 1. */
  readonly position?: Position;
}
