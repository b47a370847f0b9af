/** What a comment on a merge request may hold: GitHub takes 65,536 characters. */
const MOST = 60_000;

/**
 * The first of some texts that fit into a comment, a line each, and how many are left.
 * @param length how long the comment is already
 */
export function fitting(
  texts: readonly string[],
  length: number,
): { readonly taken: readonly string[]; readonly left: number } {
  let end = length;
  const at = texts.findIndex((text) => {
    end += text.length + 1;
    return end > MOST;
  });
  const taken = at < 0 ? texts : texts.slice(0, at);
  return { taken, left: texts.length - taken.length };
}

/** Lines that are shown once somebody asks for them. */
export function folded(title: string, lines: readonly string[]): string[] {
  return ['<details>', `<summary>${title}</summary>`, '', ...lines, '', '</details>', ''];
}

/** Inside a table: no bar ends the cell, and no character of what is told is markup. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>|#~@!&]/g, (character) => `&#${character.codePointAt(0)};`)
    .replaceAll(/\s+/g, ' ');
}

/** A name, in a table. */
export function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}
