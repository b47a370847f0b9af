/** Code that says whether a value is valid. It gives the answers of the checks that it was made from. */
import { Program } from './program.ts';
import { Translation, type ChildExpression } from './translation.ts';
import type { Check, SchemaNode } from './types.ts';

/**
 * Turns `quick` of the node, and of those within, into code. It stays as it is where the runtime
 * makes no code from texts, as under a Content Security Policy.
 */
export function jitCompile(node: SchemaNode): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.functions() ?? []).entries()) nodes[i]!.quick = check;
}

/** The program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: SchemaNode): {
  program: Program<Check>;
  nodes: readonly SchemaNode[];
} {
  const translation = new CheckTranslation(new Program('check'));
  translation.translateNode(node);
  return { program: translation.program, nodes: translation.nodes() };
}

/** The first thing that is wrong is the answer. */
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
