/**
 * Matches what is before the opening quote of a value: indentation, dashes of list items, and a key, plain or quoted.
 */
const OPENING =
  /^(?<outer> *(?:- +)*)(?:(?:[^\s'"#&*!|>%@`{}[\]-][^'"{}[\]]*?|'[^']*'|"[^"\\]*"):[ \t]+)?(?=['"])/;
/** Matches the header of a block scalar at the end of a line. */
const BLOCK = /^(?<outer> *(?:- +)*)(?:.*[:\s-][ \t]+|)[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/**
 * Indents the continuation lines of quoted values deeper than their parent where they are not. YAML requires it, but
 * kubectl also accepts the shallower lines that its own older versions wrote, as in many published definitions. The
 * leading blanks of such a line have no meaning. Line numbers do not change. Flow collections are left as they are.
 */
export function indentContinuations(text: string): string {
  const lines = text.split('\n');
  let block = -1;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    if (block >= 0) {
      if (line.trim() === '' || measureIndentation(line) > block) continue;
      block = -1;
    }
    const opened = OPENING.exec(line);
    if (!opened) {
      block = BLOCK.exec(line)?.groups?.['outer']?.length ?? -1;
      continue;
    }
    const depth = opened.groups!['outer']!.length;
    const quote = line[opened[0].length]!;
    let end = findEnd(line, opened[0].length + 1, quote);
    while (end < 0 && i + 1 < lines.length) {
      i += 1;
      const next = lines[i]!;
      // A document ends inside the value: this is not a text that this function understands.
      if (/^(?:---|\.\.\.)(?:\s|$)/.test(next)) return text;
      if (next.trim() !== '' && measureIndentation(next) <= depth) {
        lines[i] = ' '.repeat(depth + 1) + next.trimStart();
      }
      end = findEnd(lines[i]!, 0, quote);
    }
  }
  return lines.join('\n');
}

function measureIndentation(line: string): number {
  return /^ */.exec(line)![0].length;
}

/** Returns the end of a quoted text on a line, or -1. */
function findEnd(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at += 1) {
    const char = line[at];
    if (char === '\\' && quote === '"') at += 1;
    else if (char === quote) {
      if (quote === '"' || line[at + 1] !== quote) return at;
      at += 1;
    }
  }
  return -1;
}
