import type { Finding } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../json-schema.ts';

/**
 * Decides about a value whose validity cannot be determined here. It gets the reason and returns whether the value
 * counts as valid.
 */
export interface Undetermined {
  /** @param rule the schema keyword that the value may or may not satisfy */
  add(rule: string, reason: string): boolean;
}

/** Counts what is undetermined as valid, to check whether a value may be valid. */
export const undeterminedPasses: Undetermined = { add: () => true };

/** Counts what is undetermined as invalid, to check whether a value is certainly valid. */
export const undeterminedFails: Undetermined = { add: () => false };

/** Counts what is undetermined as valid. Records each reason once, in the order of their occurrence. */
export class UndeterminedReasons implements Undetermined {
  #rules: Map<string, string> | undefined;

  add(rule: string, reason: string): true {
    this.#rules ??= new Map();
    if (!this.#rules.has(reason)) this.#rules.set(reason, rule);
    return true;
  }

  get isEmpty(): boolean {
    return this.#rules === undefined;
  }

  all(): readonly { readonly rule: string; readonly reason: string }[] {
    return [...(this.#rules ?? [])].map(([reason, rule]) => ({ rule, reason }));
  }
}

/**
 * The treatment of fields that the schema does not declare.
 *
 * - `strict`: they are refused.
 * - `kept`: they are kept here, and in lists of lists.
 * - `metadata`: they are ignored, down to the leaves, because Kubernetes knows them.
 * - `labels`: the same within metadata, except for the names; rules are not evaluated.
 * - `open`: they are ignored, and neither rules nor duplicates are checked. It is the mode of the schemas in allOf,
 *   anyOf, oneOf and not, which only restrict values.
 */
export type Mode = 'strict' | 'kept' | 'metadata' | 'labels' | 'open';

/** Reports whether a value is valid, as far as it can be decided here. `undetermined` decides the rest. */
export type Check<T = unknown> = (value: T, undetermined: Undetermined) => boolean;

export const always: Check = () => true;
export const never: Check = () => false;

/** The checks of a value by its kind, apart from its items or fields. */
export interface Kinds {
  readonly string: Check<string>;
  readonly number: Check<number | bigint>;
  readonly boolean: Check;
  readonly array: Check<readonly unknown[]>;
  readonly object: Check<Readonly<Record<string, unknown>>>;
  readonly null: boolean;
  /** The range of whole numbers that are valid without a further check. */
  readonly range: readonly [number, number] | undefined;
}

/** The treatment of a field that is not among `fields`. */
export type UndeclaredFields = 'refused' | 'kept' | SchemaNode;

/** A schema that is compiled to check many values. */
export interface SchemaNode {
  readonly schema: JSONSchemaProps;
  /** Whether the value and everything within it is valid, as far as it can be decided here. */
  readonly accepts: Check;
  /** The same check, replaced by generated code once it has run often. */
  quick: Check;
  /** The number of calls of `quick` for whole values. */
  calls: number;
  /** The part of `accepts` that checks the value alone: its type, and the keywords of scalars. */
  readonly fits: Check;
  readonly kinds: Kinds;
  readonly fields: ReadonlyMap<string, SchemaNode>;
  readonly extra: UndeclaredFields;
  readonly items: SchemaNode | undefined;
  /** Whether a list has no duplicates; undefined if that is not checked. */
  readonly isUnique: ((list: readonly unknown[]) => boolean) | undefined;
  readonly combinators: Combinators | undefined;
  /** The CEL rules, if there are any. */
  readonly rules: NodeRules | undefined;
}

/** The CEL rules of one schema. */
export interface NodeRules {
  /** Whether a new value satisfies all of them. */
  accepts(self: unknown, undetermined: Undetermined): boolean;
  /**
   * Returns the findings about a value, with paths relative to it. `old` is the old value, undefined if there is none.
   * For an unchanged value only transition rules are evaluated.
   */
  findings(self: unknown, old: unknown, isUnchanged: boolean): RuleFinding[];
}

interface RuleFinding {
  readonly finding: Finding;
  /** Whether the rule is a transition rule. */
  readonly usesOldSelf: boolean;
}

/** The allOf, anyOf, oneOf and not of a schema. None of them applies to null. */
export interface Combinators {
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  /** Whether the only `anyOf` is that of IntOrString, which is checked together with the type. */
  readonly isIntOrString: boolean;
  /** Checks all of them; undefined if there is nothing to check. */
  readonly accepts: Check | undefined;
  readonly acceptsAny: Check;
  readonly acceptsOne: Check;
  readonly acceptsNot: Check;
}
