import { show } from '../problem.ts';

/** What a text is that is no YAML, and where that shows. */
export interface Foreign {
  readonly offset: number;
  /** `must be ..., got ...`. */
  readonly message: string;
}

/** Git's, at the beginning of a line. */
const CONFLICT = /^(?:<{7}|>{7}|\|{7}) .*$/m;

/** An action of a template, on a line without quotes or a comment before it. */
const TEMPLATE = /^[^'"#\n]*?(\{\{-?[ \t]*[.$("A-Za-z/][^\n]*?\}\})/m;

/**
 * Why a text that is not YAML is none, if it is one that people take for YAML: what a merge left
 * behind, or a template that nobody rendered. It tells more than all that is wrong with its syntax.
 */
export function foreignText(text: string): Foreign | undefined {
  const conflict = CONFLICT.exec(text);
  if (conflict) {
    const message = `must be YAML without conflicts, got ${show(conflict[0].trimEnd())}: resolve the merge conflict`;
    return { offset: conflict.index, message };
  }
  const template = TEMPLATE.exec(text);
  if (!template) return undefined;
  const action = template[1]!;
  const message = `must be YAML, got a template with ${show(action)}: render it first, such as with \`helm template\``;
  return { offset: template.index + template[0].length - action.length, message };
}
