/**
 * What stands before a quote that opens a value: indentation, marks of list items, and a key, plain
 * or in quotes.
 */
const OPENING =
  /^(?<outer> *(?:- +)*)(?:(?:[^\s'"#&*!|>%@`{}[\]-][^'"{}[\]]*?|'[^']*'|"[^"\\]*"):[ \t]+)?(?=['"])/;
/** The header of a block scalar at the end of a line. */
const BLOCK = /^(?<outer> *(?:- +)*)(?:.*[:\s-][ \t]+|)[|>][-+0-9]*[ \t]*(?:#.*)?$/;

/**
 * The text with the later lines of quoted values indented deeper than what holds them, where they
 * are not: YAML wants it so, while kubectl also takes the shallower ones that its own older
 * versions wrote, as in many published definitions. The blanks at the beginning of such a line mean
 * nothing. Lines keep their numbers. Flow collections are left as they are.
 */
export function indentContinuations(text: string): string {
  const lines = text.split('\n');
  let block = -1;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    if (block >= 0) {
      if (line.trim() === '' || indentationOf(line) > block) continue;
      block = -1;
    }
    const opened = OPENING.exec(line);
    if (!opened) {
      block = BLOCK.exec(line)?.groups?.['outer']?.length ?? -1;
      continue;
    }
    const depth = opened.groups!['outer']!.length;
    const quote = line[opened[0].length]!;
    let end = endOf(line, opened[0].length + 1, quote);
    while (end < 0 && i + 1 < lines.length) {
      i += 1;
      const next = lines[i]!;
      // A document ends in the middle of it: this is no text that we understand.
      if (/^(?:---|\.\.\.)(?:\s|$)/.test(next)) return text;
      if (next.trim() !== '' && indentationOf(next) <= depth) {
        lines[i] = ' '.repeat(depth + 1) + next.trimStart();
      }
      end = endOf(lines[i]!, 0, quote);
    }
  }
  return lines.join('\n');
}

function indentationOf(line: string): number {
  return /^ */.exec(line)![0].length;
}

/** Where a quoted text ends on a line, or -1. */
function endOf(line: string, from: number, quote: string): number {
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
