import { escapeForTerminal } from '../kube/printable.ts';

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

/** Inside a table: no bar ends the cell, and nothing that is told is markup, a link or a mention. */
export function escaped(text: string): string {
  return wordsOf(text)
    .map((word) => (LINKED.test(word) ? code(word) : plain(word)))
    .join(' ');
}

/** A name, in a table. */
export function code(text: string): string {
  return `<code>${plain(wordsOf(text).join(' '))}</code>`;
}

/**
 * In which words forges find mentions, references, addresses and formulas, though their signs are written as
 * entities: they look for them in what is rendered, and there everywhere but in code.
 */
const LINKED = /[@$]|[#!~%&](?=\w)|:\/\/|\bwww\./i;

function wordsOf(text: string): string[] {
  return escapeForTerminal(text).split(/ +/);
}

function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#~@!&]/g, (character) => `&#${character.codePointAt(0)};`);
}
