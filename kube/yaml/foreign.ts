import { show } from '../problem.ts';

/** What a text is that is no YAML, and where that shows. */
export interface NonYaml {
  readonly offset: number;
  /** `must be ..., got ...`. */
  readonly message: string;
}

/** Git's, at the beginning of a line. */
const CONFLICT = /^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$/m;

/** Between lines, each of which keeps its end. */
const LINES = /(?<=[\n\r\u2028\u2029])/;

/** An action of a template begins, on a line without quotes or a comment before it. */
const ACTION = /^[^'"#]*?(\{\{-?[ \t]*[.$("A-Za-z/])/;

/**
 * Why a text that is not YAML is none, if it is one that people take for YAML: what a merge left
 * behind, or a template that nobody rendered. It tells more than all that is wrong with its syntax.
 */
export function detectNonYaml(text: string): NonYaml | undefined {
  const conflict = CONFLICT.exec(text);
  if (conflict) {
    const message = `must be YAML without conflicts, got ${show(conflict[0].trimEnd())}: resolve the merge conflict`;
    return { offset: conflict.index, message };
  }
  let offset = 0;
  for (const line of text.split(LINES)) {
    const action = actionIn(line);
    if (action) {
      const message = `must be YAML, got a template with ${show(action.text)}: render it first, such as with \`helm template\``;
      return { offset: offset + action.index, message };
    }
    offset += line.length;
  }
  return undefined;
}

/** The first action of a line; one that does not end leaves no other that does. */
function actionIn(line: string): { readonly index: number; readonly text: string } | undefined {
  const begun = ACTION.exec(line);
  const end = begun ? line.indexOf('}}', begun[0].length) : -1;
  if (!begun || end < 0) return undefined;
  const index = begun[0].length - begun[1]!.length;
  return { index, text: line.slice(index, end + 2) };
}
