/** A part of a Markdown text, without its markup. */
interface TextBlock {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'code';
  /** The text on one line; code keeps its own lines. */
  readonly text: string;
  /** The number of spaces before it. */
  readonly indent: number;
}

const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}#{1,6}(?:\s+|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const RULE = /^ {0,3}(?:[*_-] *){3,}$/;
const ITEM = /^(\s*)([*+-]|\d{1,9}[.)])\s+/;

/**
 * Converts Markdown to the text that a terminal shows: headings, paragraphs, list items and code, without markup,
 * images and HTML. Any text is valid, and the time is linear in its length.
 */
export function plainText(markdown: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: TextBlock | undefined;
  let isCode = false;
  const close = (): void => {
    const text = open && inline(open.text).trim();
    if (open && text) blocks.push({ ...open, text });
    open = undefined;
  };
  for (const raw of markdown.split(/\r\n|\r|\n/)) {
    const line = raw.replaceAll('\t', '    ');
    if (FENCE.test(line)) {
      close();
      isCode = !isCode;
    } else if (isCode) blocks.push({ kind: 'code', text: line.trimEnd(), indent: 4 });
    else if (line.trim() === '') close();
    else if (HEADING.test(line)) {
      close();
      open = { kind: 'heading', text: line.replace(HEADING, '').replace(/ #+$/, ''), indent: 0 };
      close();
    } else if (open?.kind === 'paragraph' && UNDERLINE.test(line)) {
      open = { ...open, kind: 'heading' };
      close();
    } else if (RULE.test(line)) close();
    else {
      const [mark, before = '', sign = ''] = ITEM.exec(line) ?? [];
      if (mark !== undefined) {
        close();
        const bullet = /\d/.test(sign) ? sign : '-';
        const indent = Math.min(before.length, 12);
        open = { kind: 'item', text: `${bullet} ${line.slice(mark.length)}`, indent };
      } else {
        const text = line.trim().replace(/^(?:> ?)+/, '');
        open = open
          ? { ...open, text: `${open.text} ${text}` }
          : { kind: 'paragraph', text, indent: 0 };
      }
    }
  }
  close();
  return blocks;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** Removes the markup within a line. A link becomes its text, followed by its address. */
function inline(text: string): string {
  return text
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replaceAll(/\[([^[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)/g, (_, words: string, url: string) => {
      return words === url || words.trim() === '' ? url : `${words} (${url})`;
    })
    .replaceAll(/<(https?:[^<>\s]*)>/g, '$1')
    .replaceAll(/<[/!a-z][^<>]*>/gi, ' ')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<![\w*])\*([^\s*][^*]*)\*/g, '$1')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll('\u{fe0f}', '')
    .replaceAll(/ {2,}/g, ' ');
}

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
