import type { Path } from '@tenantry/kube/problem';
import type { Bundle } from '../bundle/bundle.ts';
import type { ClusterServiceVersion } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { DecodeIssue } from '../decoding/decode.ts';

/** A bundle as OLM's own loader reads it, which is what its tools and catalogs use. */
export interface LoadedBundle {
  /** The whole bundle, of which the loader uses a part. */
  readonly read: Bundle;
  /** The name of the ClusterServiceVersion. */
  readonly name: string;
  readonly csv: LoadedDocument<LoadedVersion>;
  /** The first document of each manifest file, sorted by file name. */
  readonly objects: readonly LoadedObject[];
  /** The CustomResourceDefinitions of apiextensions.k8s.io/v1, as `DefinitionV1` of the field table. */
  readonly definitions: readonly LoadedDocument<LoadedDefinition>[];
  /** The CustomResourceDefinitions of v1beta1, as `DefinitionV1beta1`. */
  readonly betaDefinitions: readonly LoadedDocument<LoadedDefinition>[];
  readonly packageName: string;
  /** The channels in the annotations; one empty name if they list none. */
  readonly channels: readonly string[];
  readonly defaultChannel: string;
}

/** A decoded document of a bundle file. */
export interface LoadedDocument<T> {
  readonly file: string;
  /** The index among the documents of its file, from 0. */
  readonly document: number;
  readonly value: T;
  /** Fields that are ignored. */
  readonly unknown: readonly DecodeIssue[];
}

/** A document that is, or resembles, an object. */
export interface LoadedObject {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A decoded ClusterServiceVersion. */
export type LoadedVersion = Decoded<ClusterServiceVersion>;

/** The parts of a definition of either version that bundle rules check. */
export interface LoadedDefinition {
  readonly metadata?: { readonly name?: string };
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly version?: string;
    readonly versions?: readonly { readonly name?: string }[];
  };
}

/** A group, a version and a kind, with a unique text. */
interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Formats a kind as OLM does: `example.com/v1, Kind=Redis`. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Parses an apiVersion and a kind; without group and version if the apiVersion is invalid. */
export function parseGroupVersionKind(apiVersion: string, kind: string): GroupVersionKind {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return { group: '', version: '', kind };
  const [version = '', group = ''] = parts.toReversed();
  return { group, version, kind };
}

/** A location in a bundle. */
export interface BundleLocation {
  /** The path from the root of the bundle; absent for the bundle as a whole. */
  readonly file?: string;
  readonly document?: number;
  readonly path: Path;
  /** Whether it refers to the last key of the path, not to its value. */
  readonly atKey?: boolean;
}
