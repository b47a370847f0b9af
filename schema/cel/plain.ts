import { compile } from './compile.ts';
import { plainLibrary } from './library.ts';
import { parseType } from './overload.ts';

/** The environment of a condition besides CEL's own functions and types. */
export interface PlainEnvironment {
  /** The types of variables by name: `list<map<string, dyn>>`. */
  readonly variables: Readonly<Record<string, string>>;
  /** The signatures of functions: `semver_compare(dyn, dyn): int`. */
  readonly functions: readonly string[];
}

/** Returns the error of a condition; undefined if it is valid or cannot be decided. */
export type ConditionChecker = (text: string) => string | undefined;

/**
 * Compiles conditions as plain cel-go does, without Kubernetes' extensions: checks syntax, types, and that the result
 * is a bool.
 */
export function createConditionChecker({
  variables,
  functions,
}: PlainEnvironment): ConditionChecker {
  const types = new Map(Object.entries(variables).map(([name, type]) => [name, parseType(type)]));
  const library = plainLibrary(Object.fromEntries(functions.map((signature) => [signature, null])));
  return (text) => compile(text, 'bool', types, library).error;
}
