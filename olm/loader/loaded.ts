import type { Path } from '../../kube/problem.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { ClusterServiceVersion } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { DecodeIssue } from '../decoding/decode.ts';

/** A bundle as OLM's own loader takes it: what its tools and its catalogs go by. */
export interface LoadedBundle {
  /** All that was read, which is more. */
  readonly read: Bundle;
  /** The name of the ClusterServiceVersion. */
  readonly name: string;
  readonly csv: LoadedDocument<LoadedVersion>;
  /** The first document of each file of manifests, in the order of their names. */
  readonly objects: readonly LoadedObject[];
  /** CustomResourceDefinitions of apiextensions.k8s.io/v1, as `DefinitionV1` of the field table. */
  readonly definitions: readonly LoadedDocument<LoadedDefinition>[];
  /** Those of v1beta1, as `DefinitionV1beta1`. */
  readonly betaDefinitions: readonly LoadedDocument<LoadedDefinition>[];
  readonly packageName: string;
  /** As the annotations list them; one empty name where they list none. */
  readonly channels: readonly string[];
  readonly defaultChannel: string;
}

/** Something that a file of a bundle holds. */
export interface LoadedDocument<T> {
  readonly file: string;
  /** From 0, among the documents of its file. */
  readonly document: number;
  readonly value: T;
  /** Fields that are passed over. */
  readonly unknown: readonly DecodeIssue[];
}

/** An object, as far as it is one. */
export interface LoadedObject {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A ClusterServiceVersion as it is decoded. */
export type LoadedVersion = Decoded<ClusterServiceVersion>;

/** What rules of bundles ask of a definition of either version. */
export interface LoadedDefinition {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly version?: string;
    readonly versions?: readonly { readonly name?: string }[];
  };
}

/** A group, a version and a kind, as one text that no other has. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `example.com/v1, Kind=Redis`, as OLM writes it. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** What an apiVersion and a kind say; without group and version where the apiVersion is none. */
export function parseGroupVersionKind(apiVersion: string, kind: string): GroupVersionKind {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return { group: '', version: '', kind };
  const [version = '', group = ''] = parts.toReversed();
  return { group, version, kind };
}

/** Where in a bundle something is said. */
export interface BundleLocation {
  /** From the root of the bundle; absent for the bundle as a whole. */
  readonly file?: string;
  readonly document?: number;
  readonly path: Path;
  /** It is about the last key of the path. */
  readonly atKey?: boolean;
}
