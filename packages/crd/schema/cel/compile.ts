import { checkTypes } from './check.ts';
import type { ExpressionNode } from './expression.ts';
import { BrokenExpression, Undecided } from './failure.ts';
import { type Library, plainLibrary } from './library.ts';
import { checkLiterals } from './literals.ts';
import { parse } from './parse.ts';
import { formatType, type Type } from './type.ts';
import { parseType } from './overload.ts';

/** A compiled expression, or the reason why it is invalid. */
export interface CompiledExpression {
  readonly node?: ExpressionNode;
  readonly error?: string;
  readonly notChecked?: string;
}

/** Compiles an expression and checks that it has the required type. */
export function compile(
  text: string,
  wanted: 'bool' | 'string',
  variables: ReadonlyMap<string, Type>,
  library: Library,
): CompiledExpression {
  try {
    const node = parse(text, library);
    const type = checkTypes(node, variables, library);
    // Only the API server evaluates literals at compile time.
    if (library.isExtended) checkLiterals(node);
    if (type.kind === wanted) return { node };
    return {
      error: `must be CEL that returns a ${wanted}, got one that returns ${formatType(type)}`,
    };
  } catch (error) {
    if (error instanceof Undecided) return { notChecked: `${error.message}: ${text.trim()}` };
    if (!(error instanceof BrokenExpression)) throw error;
    return {
      error: `must be valid CEL, got a mistake at ${place(text, error.at)}: it ${error.message}`,
    };
  }
}

/** Formats a position as `line:column`, from 1. */
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** The environment of a condition besides CEL's own functions and types. */
interface PlainEnvironment {
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
