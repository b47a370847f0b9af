import { escapeForTerminal } from '@tenantry/kube/printable';

/** The maximum length of a comment on a merge request. GitHub accepts 65,536 characters. */
const MAX_COMMENT_LENGTH = 60_000;

/**
 * Returns the first texts that fit into a comment, one line each, and the number of the others.
 * @param length the length of the comment so far
 */
export function fitting(
  texts: readonly string[],
  length: number,
): { readonly taken: readonly string[]; readonly left: number } {
  let end = length;
  const at = texts.findIndex((text) => {
    end += text.length + 1;
    return end > MAX_COMMENT_LENGTH;
  });
  const taken = at < 0 ? texts : texts.slice(0, at);
  return { taken, left: texts.length - taken.length };
}

/** Formats lines in a section that readers can expand. */
export function folded(title: string, lines: readonly string[]): string[] {
  return ['<details>', `<summary>${title}</summary>`, '', ...lines, '', '</details>', ''];
}

/** Escapes text for a table cell, so that it holds no cell separator, markup, link or mention. */
export function escaped(text: string): string {
  return splitWords(text)
    .map((word) => (LINKED.test(word) ? code(word) : plain(word)))
    .join(' ');
}

/** Formats a name as code in a table. */
export function code(text: string): string {
  return `<code>${plain(splitWords(text).join(' '))}</code>`;
}

/**
 * Matches the signs of mentions, references, addresses and formulas. Forges find them even if they
 * are written as entities, because they search the rendered text everywhere except in code.
 */
const LINKED = /[@$]|[#!~%&](?=\w)|:\/\/|\bwww\./i;

function splitWords(text: string): string[] {
  return escapeForTerminal(text).split(/ +/);
}

function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#~@!&]/g, (character) => `&#${character.codePointAt(0)};`);
}
