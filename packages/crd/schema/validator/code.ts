/** Generates code that validates a value. It returns the same results as the checks that it is generated from. */
import type { Program } from './program.ts';
import { Translation } from './translation.ts';
import type { SchemaNode } from './types.ts';

/**
 * Replaces `quick` of the node and of the nodes within it by generated code. Leaves it unchanged if the runtime cannot
 * compile code from text, as under a Content Security Policy.
 */
export function jitCompile(node: SchemaNode): void {
  const { program, nodes } = translate(node);
  for (const [i, check] of (program.functions() ?? []).entries()) nodes[i]!.quick = check;
}

/** Returns the program of a node, and the nodes in the order of its checks, the given one first. */
export function translate(node: SchemaNode): { program: Program; nodes: readonly SchemaNode[] } {
  const translation = new Translation();
  translation.translateNode(node);
  return { program: translation.program, nodes: translation.nodes() };
}
