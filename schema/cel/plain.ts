import { compile } from './compile.ts';
import { plainLibrary } from './library.ts';
import { parseType } from './overload.ts';

/** What there is beside CEL's own functions and types. */
export interface PlainEnvironment {
  /** Types of variables, by their names: `list<map<string, dyn>>`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Signatures of functions: `semver_compare(dyn, dyn): int`. */
  readonly functions: readonly string[];
}

/** Says what is wrong with a condition; undefined where nothing is, and where that is not known. */
export type ConditionChecker = (text: string) => string | undefined;

/**
 * Compiles conditions in CEL as cel-go does by itself, with nothing of Kubernetes: their syntax and
 * types, and that they give a bool.
 */
export function createConditionChecker({
  variables,
  functions,
}: PlainEnvironment): ConditionChecker {
  const types = new Map(Object.entries(variables).map(([name, type]) => [name, parseType(type)]));
  const library = plainLibrary(Object.fromEntries(functions.map((signature) => [signature, null])));
  return (text) => compile(text, 'bool', types, library).error;
}
