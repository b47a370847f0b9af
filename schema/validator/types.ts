import type { JSONSchemaProps } from '../json-schema.ts';
import type { Undetermined } from './undetermined.ts';
import type { NodeRules } from './rules.ts';

/**
 * What is said of fields that the schema does not declare. `strict`: they are refused. `kept`: they
 * are kept here, and in lists of lists. `metadata`: nothing, down to the leaves, since Kubernetes
 * knows them. `labels`: so it is in metadata but for the names, and rules are not asked. `open`: nothing
 * either, and neither rules nor repetitions are asked for; so it is in the schemas of allOf, anyOf,
 * oneOf and not, which only restrict values.
 */
export type Mode = 'strict' | 'kept' | 'metadata' | 'labels' | 'open';

/** Whether a value is valid, as far as is decided here; the rest is up to `doubts`. */
export type Check<T = unknown> = (value: T, doubts: Undetermined) => boolean;

/** What stands in a list or an object, and may be wrong. */
export interface ErrorCandidate {
  readonly key: string | number;
  /** What it is asked by; undefined for a field that may be unknown. */
  readonly node: SchemaNode | undefined;
  readonly value: unknown;
  readonly suspects: ErrorCandidates;
  /** The next one there; in a list they stand in its order. */
  readonly next: ErrorCandidate | undefined;
}

/** Where a value may be wrong: all else is right. `anywhere`: that is not known. */
export type ErrorCandidates = ErrorCandidateList | 'anywhere';

export interface ErrorCandidateList {
  /** Apart from what stands within, and from what is asked only where all within is right. */
  readonly isSelf: boolean;
  /** The first of what is within. */
  readonly first: ErrorCandidate | undefined;
}

/** Where a value may be wrong; undefined for a value that is valid, doubts included. */
export type CandidateSearch = (value: unknown, doubts: Undetermined) => ErrorCandidates | undefined;

export const always: Check = () => true;
export const never: Check = () => false;

/** What is asked of a value by its kind, apart from what is within. */
export interface Kinds {
  readonly string: Check<string>;
  readonly number: Check<number | bigint>;
  readonly boolean: Check;
  readonly array: Check<readonly unknown[]>;
  readonly object: Check<Readonly<Record<string, unknown>>>;
  /** Null passes. */
  readonly null: boolean;
  /** The whole numbers from and to which are valid without another look. */
  readonly range: readonly [number, number] | undefined;
}

/** What becomes of a field that is not among `fields`. */
export type UndeclaredFields = 'refused' | 'kept' | SchemaNode;

/** A schema made ready to be asked many times. */
export interface SchemaNode {
  readonly schema: JSONSchemaProps;
  /** Whether the value is valid, as far as is decided here, and all that is within. */
  readonly accepts: Check;
  /** The same answer, from code made for the schema once it is asked often. */
  quick: Check;
  /** How often `quick` was asked of whole values. */
  asked: number;
  /** Code that finds what may be wrong, made once whole values are wrong often. */
  search: CandidateSearch | undefined;
  /** How often whole values were wrong. */
  refused: number;
  /** What `accepts` says of the value alone: its type, and what is asked of scalars. */
  readonly fits: Check;
  readonly kinds: Kinds;
  readonly fields: ReadonlyMap<string, SchemaNode>;
  readonly extra: UndeclaredFields;
  readonly items: SchemaNode | undefined;
  /** Whether no item of a list is there twice; undefined where that is not asked. */
  readonly isUnique: ((list: readonly unknown[]) => boolean) | undefined;
  readonly combinators: Combinators | undefined;
  /** The rules of CEL, where there are any. */
  readonly rules: NodeRules | undefined;
}

/** allOf, anyOf, oneOf and not of a schema; none of them is asked of null. */
export interface Combinators {
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  /** The one `anyOf` is that of IntOrString, and is asked together with the type. */
  readonly isIntOrString: boolean;
  /** All of them; undefined where there is nothing to ask. */
  readonly accepts: Check | undefined;
  readonly acceptsAny: Check;
  readonly acceptsOne: Check;
  readonly acceptsNot: Check;
}
