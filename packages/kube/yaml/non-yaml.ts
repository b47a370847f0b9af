import { show } from '../problem.ts';

/** What a text that is not YAML is, and the place that shows it. */
export interface NonYaml {
  readonly offset: number;
  /** `must be ..., got ...`. */
  readonly message: string;
}

/** Matches a conflict marker of Git, at the beginning of a line. */
const CONFLICT = /^(?:(?:<{7}|>{7}|\|{7})(?: .*)?|={7})$/m;

/** Splits between lines; each line keeps its end. */
const LINES = /(?<=[\n\r\u2028\u2029])/;

/** Matches the begin of a template action, on a line without quotes or a comment before it. */
const ACTION = /^[^'"#]*?(\{\{-?[ \t]*[.$("A-Za-z/])/;

/**
 * Detects texts that people take for YAML: an unresolved merge conflict, or an unrendered template. This message is
 * more helpful than all of the syntax errors.
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

/** Finds the first action of a line; if it does not end, no later one does. */
function actionIn(line: string): { readonly index: number; readonly text: string } | undefined {
  const begun = ACTION.exec(line);
  const end = begun ? line.indexOf('}}', begun[0].length) : -1;
  if (!begun || end < 0) return undefined;
  const index = begun[0].length - begun[1]!.length;
  return { index, text: line.slice(index, end + 2) };
}
