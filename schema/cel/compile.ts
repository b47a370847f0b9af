import { checkTypes } from './check.ts';
import type { ExpressionNode } from './expression.ts';
import { BrokenExpression, Undecided } from './failure.ts';
import type { Library } from './library.ts';
import { checkLiterals } from './literals.ts';
import { parse } from './parse.ts';
import { formatType, type Type } from './type.ts';

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
