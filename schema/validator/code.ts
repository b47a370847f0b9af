/** Code that says whether a value is valid. It gives the answers of the checks that it was made from. */
import { Program } from './program.ts';
import { Translation, type Place } from './translation.ts';
import type { Check, Node } from './types.ts';

/**
 * Turns `quick` of the node, and of those within, into code. It stays as it is where the runtime
 * makes no code from texts, as under a Content Security Policy.
 */
export function jitCompile(node: Node): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.functions() ?? []).entries()) nodes[i]!.quick = check;
}

/** The program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: Node): { program: Program<Check>; nodes: readonly Node[] } {
  const translation = new YesOrNo(new Program('check'));
  translation.functionOf(node);
  return { program: translation.program, nodes: translation.nodes() };
}

/** The first thing that is wrong is the answer. */
class YesOrNo extends Translation<Check> {
  protected readonly accepted = 'return true;';
  protected readonly refused = 'return false;';
  protected readonly lacking = 'return false;';
  protected readonly around = [undefined, undefined] as const;

  protected unusual(node: Node): string {
    return `return ${this.call(node.accepts, 'value')};`;
  }

  protected miscounted(node: Node): string {
    return this.unusual(node);
  }

  protected surplus(node: Node): string {
    return this.unusual(node);
  }

  protected refuseUnless(condition: string): string {
    return `if (!${condition}) return false;`;
  }

  protected askWithin(name: string, { variable }: Place): string {
    return this.refuseUnless(`${name}(${variable}, doubts)`);
  }
}
