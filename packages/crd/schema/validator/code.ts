/** Generates code that validates a value. It returns the same results as the checks that it is generated from. */
import { Program } from './program.ts';
import { Translation, type ChildExpression } from './translation.ts';
import type { Check, SchemaNode } from './types.ts';

/**
 * Replaces `quick` of the node and of the nodes within it by generated code. Leaves it unchanged if the runtime cannot
 * compile code from text, as under a Content Security Policy.
 */
export function jitCompile(node: SchemaNode): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.functions() ?? []).entries()) nodes[i]!.quick = check;
}

/** Returns the program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: SchemaNode): {
  program: Program<Check>;
  nodes: readonly SchemaNode[];
} {
  const translation = new CheckTranslation(new Program('check'));
  translation.translateNode(node);
  return { program: translation.program, nodes: translation.nodes() };
}

/** Generates a check that ends at the first error. */
class CheckTranslation extends Translation<Check> {
  protected readonly accepted = 'return true;';
  protected readonly refused = 'return false;';
  protected readonly lacking = 'return false;';
  protected readonly around = [undefined, undefined] as const;

  protected emitFallback(node: SchemaNode): string {
    return `return ${this.call(node.accepts, 'value')};`;
  }

  protected emitWrongCount(node: SchemaNode): string {
    return this.emitFallback(node);
  }

  protected emitUnknownFields(node: SchemaNode): string {
    return this.emitFallback(node);
  }

  protected emitRejectUnless(condition: string): string {
    return `if (!${condition}) return false;`;
  }

  protected emitChildCall(name: string, { variable }: ChildExpression): string {
    return this.emitRejectUnless(`${name}(${variable}, doubts)`);
  }
}
