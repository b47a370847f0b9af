import type { KubeObject } from '../kube/object.ts';
import type { Exemption, Problem } from '../kube/problem.ts';
import type { UnitRecord } from './memory.ts';

/** One file of an output: objects to be written as YAML documents, or ready text (a README). */
export interface OutputFile {
  /** Relative to the output folder, with `/`; never absolute, never with `..`. */
  readonly path: string;
  readonly content: readonly KubeObject[] | string;
}

/** What is rendered and remembered together: usually the tenants of one input file. */
export interface Unit {
  /** For messages: the input file. */
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
  /** Anything else that the source wants back from `recall`, as JSON. */
  readonly facts?: unknown;
}

/**
 * A unit that is ready to be written. It is data, which threads hand to each other.
 * @internal
 */
export interface PreparedUnit {
  readonly key: string;
  readonly record: UnitRecord;
  /** Of the files of the record, in their order. */
  readonly texts: readonly string[];
}

/** Where a source puts what it has. Nothing is on disk before every source is through. */
export interface Sink {
  /** The hash of a file's content; undefined when it cannot be read. */
  hashOf(file: string): string | undefined;
  /** Whether anything is remembered between runs; without it keys need not be made. */
  readonly remembers: boolean;
  /**
   * Whether `recall` has something.
   * @internal
   */
  knows(key: string): boolean;
  /** The facts that came with a unit of this key in an earlier run. */
  recall(key: string): unknown;
  /**
   * Takes the files of a unit as they lie in the output folder, when they are those of this key.
   * False: the unit has to be added.
   */
  reuse(key: string): boolean;
  add(unit: Unit): void;
  /**
   * Takes a unit that was prepared where nothing else was known, such as in another thread. False:
   * it has to be added, since it must be held against what charts declare.
   * @internal
   */
  take(unit: PreparedUnit): boolean;
  /**
   * How many threads are to render, this one among them; undefined: as many as are worth it.
   * @internal
   */
  readonly workers: number | undefined;
  /** The input is wrong: nothing will be written, but the source goes on to find the rest. */
  problem(problem: Problem): void;
  /**
   * Whether something is wrong already, here or in what was rendered before, such as constructs.
   * @internal
   */
  readonly isRefused: boolean;
  warning(problem: Problem): void;
  /** Somebody may what others may not: `tenantry check` lists it. */
  exemption(exemption: Exemption): void;
  /** For the eyes of a person. */
  progress(done: number, total: number): void;
}

/**
 * Objects that come to an app without being constructs, a unit at a time, so that ten thousand
 * tenants are rendered in the memory of one.
 */
export interface Source {
  synthesize(sink: Sink): void;
}
