import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change of the code without a change of behavior, so that no test can detect it, with the reason. */
export interface Equivalent {
  readonly file: string;
  readonly why: string;
  /** The line in which the change starts. It and the following fields are as `npm run test:mutation` prints them. */
  readonly line: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Reads notes. `file: ` and `why: ` apply until the next one. Lines of code are indented by two spaces, and the changes
 * below each line by four: `from → to`.
 * @throws on any other line, or on a line without the ones that must precede it.
 */
export function parseEquivalents(text: string): Equivalent[] {
  const found: Equivalent[] = [];
  let [file, why, line] = ['', '', ''];
  for (const [i, written] of text.split('\n').entries()) {
    const [, name, value] = /^(file|why): (.+)$/.exec(written) ?? [];
    const [, from, to] = /^ {4}(\S.*) {2}→ {2}(.*)$/.exec(written) ?? [];
    if (name === 'file') [file, why, line] = [value!, '', ''];
    else if (name === 'why') [why, line] = [value!, ''];
    else if (from !== undefined && line !== '') found.push({ file, why, line, from, to: to! });
    else if (why !== '' && /^ {2}\S/.test(written)) line = written.trim();
    else if (written !== '') {
      throw new Error(`line ${i + 1} must be a file, a reason, code or a change, got '${written}'`);
    }
  }
  return found;
}

export const equivalents: readonly Equivalent[] = parseEquivalents(
  readFileSync(join(import.meta.dirname, 'equivalents.txt'), 'utf8'),
);
