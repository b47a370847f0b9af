/**
 * Wraps a text into lines of at most a width, in characters. Words stay whole, and a longer word has a line of its own.
 * @param indent spaces before the first line
 * @param hanging spaces before the others
 */
export function wrapText(text: string, width: number, indent = 0, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of text.split(' ').filter(Boolean)) {
    const before = lines.length === 0 ? indent : hanging;
    const length = [...word].length;
    if (line !== '' && before + used + 1 + length > width) {
      lines.push(' '.repeat(before) + line);
      [line, used] = [word, length];
    } else {
      [line, used] = line === '' ? [word, length] : [`${line} ${word}`, used + 1 + length];
    }
  }
  const before = lines.length === 0 ? indent : hanging;
  return line === '' ? lines : [...lines, ' '.repeat(before) + line];
}
