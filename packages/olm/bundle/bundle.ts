import { toProblem, type Finding } from '@tenantry/kube/finding';
import type { Path, Problem } from '@tenantry/kube/problem';
import type { Position } from '@tenantry/kube/yaml/read';
import type { ClusterServiceVersion } from './cluster-service-version.ts';
import type { Decoded } from './decoded.ts';

/**
 * An operator's bundle (registry+v1) as it was read: everything in it, valid or not. Reading refuses nothing; rules
 * report what is wrong.
 *
 * Source: https://olm.operatorframework.io/docs/tasks/creating-operator-bundle/
 */
export interface Bundle {
  /** Every file, sorted by path. */
  readonly files: readonly BundleFile[];
  /** Every folder except the root, sorted by path. */
  readonly folders: readonly string[];
  /**
   * The folder of the manifests: the folder that contains a ClusterServiceVersion, or else the one that the annotations
   * name. Empty for the root.
   */
  readonly manifestsFolder: string;
  /** The objects in that folder: files sorted by name, documents in the order of the file. */
  readonly manifests: readonly BundleManifest[];
  /** The first ClusterServiceVersion of the manifests. */
  readonly csv?: BundleManifest<Decoded<ClusterServiceVersion>>;
  /** The `annotations` of metadata/annotations.yaml, or of the file in its place; else the labels. */
  readonly annotations: BundleAnnotations;
  /** The `dependencies` of metadata/dependencies.yaml. */
  readonly dependencies: readonly BundleProperty[];
  /** The `properties` of metadata/properties.yaml. */
  readonly properties: readonly BundleProperty[];
  /** The configuration of scorecard tests. */
  readonly scorecard?: BundleDocument<Readonly<Record<string, unknown>>>;
  /** The labels of its image, from bundle.Dockerfile or from the image itself. */
  readonly labels?: ImageLabels;
  /** The errors of reading, each with its file. */
  readonly faults: readonly BundleFinding[];
}

/** A file of a bundle. */
export interface BundleFile {
  /** The path from the root of the bundle, with `/`: `manifests/redis.yaml`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A document of a file of a bundle, and the position of everything in it. */
export interface BundleDocument<Value = unknown> {
  readonly file: string;
  /** The index among the documents of its file, from 0. */
  readonly index: number;
  readonly value: Value;
  /**
   * Returns the position of the value at a path (or of its key), or else of its nearest ancestor. Lines and columns
   * count from 1.
   */
  position(path: Path, atKey?: boolean): Position;
}

/** A document that is, or resembles, a Kubernetes object. */
export interface BundleManifest<
  Value = Readonly<Record<string, unknown>>,
> extends BundleDocument<Value> {
  /** Empty if it has none. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty if it has none. */
  readonly name: string;
}

/** The annotations of a bundle, by key. */
export interface BundleAnnotations {
  /** The document of the annotations; absent if there is no such file. */
  readonly document?: BundleDocument;
  readonly values: Readonly<Record<string, string>>;
}

/** A dependency or a property: its type, and the value of that type. */
export interface BundleProperty {
  /** `olm.package`, `olm.gvk`, `olm.gvk.required`, `olm.constraint`, `olm.label`, or any other. */
  readonly type: string;
  readonly value: unknown;
  /** The document that contains it. */
  readonly document: BundleDocument;
  readonly path: Path;
}

/** The labels of a bundle's image. */
export interface ImageLabels {
  /** The path of bundle.Dockerfile; absent if the image itself was read. */
  readonly file?: string;
  readonly values: Readonly<Record<string, string>>;
  /** The lines of the labels in the Dockerfile, from 1. */
  readonly lines: Readonly<Record<string, number>>;
}

/** A finding about a bundle, with its file and document. */
export interface BundleFinding extends Finding {
  /** The path from the root of the bundle; absent for the bundle as a whole. */
  readonly file?: string;
  /** The index among the documents of the file, from 0. @default 0 */
  readonly document?: number;
  /** The position in the file of something outside its documents, from 1. */
  readonly position?: Position;
}

/**
 * Returns a function that converts findings about a bundle to problems with file, line and column.
 *
 * @example
 * ```ts
 * import { createFindingLocator, readBundle, validateBundle } from '@tenantry/olm';
 *
 * const bundle = readBundle('operators/redis');
 * const [problem] = validateBundle(bundle).map(createFindingLocator(bundle, 'operators/redis'));
 * console.log(problem?.file); // operators/redis
 * ```
 *
 * @param source the folder or image layout as the user named it; it precedes the paths of the bundle's files
 */
export function createFindingLocator(
  bundle: Bundle,
  source: string,
): (finding: BundleFinding) => Problem {
  const documents = new Map<string, BundleDocument>();
  const { annotations, csv, manifests, dependencies, properties, scorecard } = bundle;
  const all = [
    ...manifests,
    csv,
    annotations.document,
    scorecard,
    ...[...dependencies, ...properties].map(({ document }) => document),
  ];
  for (const one of all) if (one) documents.set(`${one.file} ${one.index}`, one);
  const prefix = source.replace(/\/+$/, '');
  return (finding) => {
    const { file, document = 0, path, atKey, position } = finding;
    if (file === undefined) return toProblem(finding, { file: source });
    const place = position ?? documents.get(`${file} ${document}`)?.position(path, atKey);
    return toProblem(finding, { file: `${prefix}/${file}`, ...place });
  };
}

/** Returns the errors of reading a bundle as problems. @param source as for `createFindingLocator` */
export function locateErrors(bundle: Bundle, source: string): Problem[] {
  const errors = bundle.faults.filter(({ severity }) => severity === 'error');
  return errors.map(createFindingLocator(bundle, source));
}
