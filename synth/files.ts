import type { KubeObject } from '@tenantry/kube/object';
import type { Exemption, Problem } from '@tenantry/kube/problem';
import type { UnitRecord } from './render-cache.ts';
import { ManifestValidator } from './manifests/manifests.ts';
import { contentHash } from './output/stat-index.ts';

/** One file of an output: objects for YAML documents, or text such as a README. */
export interface OutputFile {
  /** Relative to the output folder, with `/`; never absolute, never with `..`. */
  readonly path: string;
  readonly content: readonly KubeObject[] | string;
}

/** The unit of rendering and caching: usually the tenants of one input file. */
export interface Unit {
  /** The name for messages: the input file. */
  readonly id: string;
  /** The file of the input that the first line of its files names. @default - it names none */
  readonly origin?: string;
  /** A hash of everything that the bytes of the files depend on. Absent: never remembered. */
  readonly key?: string;
  readonly files: Iterable<OutputFile>;
  /**
   * `cluster/namespace` for every namespace that this unit alone fills, and `cluster/Kind/name` for
   * every object of it outside of namespaces.
   */
  readonly namespaces: readonly string[];
  /** Data that the source gets back from `recall`, as JSON. */
  readonly facts?: unknown;
}

/**
 * A unit that is ready to be written. It is plain data that threads exchange.
 * @internal
 */
export interface PreparedUnit {
  readonly key: string;
  readonly record: UnitRecord;
  /** The texts of the files of the record, in the same order. */
  readonly texts: readonly string[];
}

/** Receives the results of sources. Nothing is on disk before every source is finished. */
export interface Sink {
  /** The hash of a file's content; undefined when it cannot be read. */
  hashFile(file: string): string | undefined;
  /** Whether a cache is used; without it, keys are not needed. */
  readonly remembers: boolean;
  /**
   * Whether `recall` has facts for a key.
   * @internal
   */
  knows(key: string): boolean;
  /** Returns the facts of a unit with this key from an earlier run. */
  recall(key: string): unknown;
  /**
   * Reuses the files of a unit in the output folder if they belong to this key.
   * @returns false if the unit must be added
   */
  reuse(key: string): boolean;
  add(unit: Unit): void;
  /**
   * Adds a unit that was prepared independently, such as in another thread.
   * @returns false if the unit must be added with `add`, which compares it with the charts
   * @internal
   */
  take(unit: PreparedUnit): boolean;
  /**
   * The number of render threads, including this one; undefined for as many as pay off.
   * @internal
   */
  readonly workers: number | undefined;
  /** Reports a problem. Nothing will be written, but the source continues to find other problems. */
  problem(problem: Problem): void;
  /**
   * Whether there is a problem already, in this source or in an earlier one, such as constructs.
   * @internal
   */
  readonly isRefused: boolean;
  warning(problem: Problem): void;
  /** Records an exception, which `tenantry check` lists. */
  exemption(exemption: Exemption): void;
  /** Shows progress to a person. */
  progress(done: number, total: number): void;
}

/**
 * Adds objects to an app without constructs, one unit at a time, so that ten thousand tenants need
 * the memory of one.
 */
export interface Source {
  synthesize(sink: Sink): void;
}

/**
 * Prepares a unit without knowledge of the rest of the output, such as in a worker.
 * @returns undefined for a unit without a key or with a problem, which `Sink.add` then reports
 * @internal
 */
export function prepareUnit({
  id,
  key,
  origin,
  files,
  namespaces,
  facts,
}: Unit): PreparedUnit | undefined {
  if (key === undefined) return undefined;
  const manifests = new ManifestValidator();
  const texts: string[] = [];
  const written: [string, string][] = [];
  for (const { path, content } of files) {
    const text =
      typeof content === 'string'
        ? manifests.validateText(path, content, id, origin)
        : manifests.renderObjects(path, content, () => id, { canonical: true, origin });
    if (text === undefined) return undefined;
    texts.push(text);
    written.push([path, contentHash(text)]);
  }
  if (manifests.problems.length > 0) return undefined;
  const { objects, holders } = manifests;
  const record = { id, files: written, objects, namespaces, holders, facts: facts ?? null };
  return { key, record, texts };
}
