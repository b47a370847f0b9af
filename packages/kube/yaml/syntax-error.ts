import { formatBrief, show } from '../problem.ts';
import type { Position } from './yaml-document.ts';
import { findOpenTokens, type OpenToken, type TokensAt } from './open-tokens.ts';

/** Why a text is no YAML: the place to mend, and what is wrong there. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
}

/** An error of the parser, and the position of any offset in the whole file. */
interface ParserError {
  /** Where the parser gave up, which is often a line below the mistake. */
  readonly offset: number;
  readonly reason: string;
  readonly locate: (offset: number) => Position;
}

/**
 * Explains an error of the YAML parser by the mistake that most likely caused it: a bracket or a quote that is not
 * closed, a text that needs quotes, a key without its colon or its space, or a wrong indentation. If it recognizes
 * none, it returns the words of the parser. The message contains no value of the text, which may be a secret.
 */
export function explainSyntaxError(text: string, error: ParserError): SyntaxFault {
  const tokens = findOpenTokens(text, error.offset);
  const { offset, what } = explainMisplacedCloser(text, error, tokens) ??
    explainReserved(text, error, tokens) ??
    explainUnclosed(text, error, tokens) ??
    explainColon(text, error, tokens) ??
    explainTextAfterQuote(text, error, tokens) ??
    explainListOnLineOfKey(text, error, tokens) ??
    explainIndentation(text, error) ?? { offset: error.offset, what: formatBrief(error.reason) };
  return { offset, message: `must be YAML: ${what}` };
}

type Explanation = { readonly offset: number; readonly what: string } | undefined;

const CLOSERS = { '[': ']', '{': '}', '"': '"', "'": "'" } as const;

function explainMisplacedCloser(
  text: string,
  { offset, locate }: ParserError,
  { open }: TokensAt,
): Explanation {
  const got = text[offset];
  const innermost = open.at(-1);
  if ((got !== ']' && got !== '}') || !innermost) return undefined;
  if (CLOSERS[innermost.mark] === got) return undefined;
  const { mark } = innermost;
  const { line, column } = locate(innermost.offset);
  const what = `'${CLOSERS[mark]}' closes the '${mark}' at ${line}:${column}, got '${got}'`;
  return { offset, what };
}

/** The characters with which no plain text begins. `*`, `&`, `!`, `#` and quotes begin something else. */
const RESERVED = /[@`%,\]}]/;

function explainReserved(text: string, { offset }: ParserError, { open }: TokensAt): Explanation {
  const char = text[offset] ?? '';
  if (!RESERVED.test(char) || !isAtStartOfValue(text, offset, open)) return undefined;
  return { offset, what: `a text that begins with '${char}' needs quotes` };
}

function isAtStartOfValue(text: string, offset: number, open: readonly OpenToken[]): boolean {
  const before = text.slice(0, offset).trimEnd();
  if (before === '' || /[:\-?]$/.test(before)) return true;
  return open.length > 0 && /[,[{]$/.test(before) && !/[,\]}]/.test(text[offset]!);
}

/** Reasons that are sometimes reported because an earlier bracket is open. */
const IS_OF_OPEN = /deficient indentation|end of the (?:stream|document)|missed comma/;

function explainUnclosed(
  text: string,
  error: ParserError,
  { open, comment }: TokensAt,
): Explanation {
  const { offset, reason } = error;
  const token = open.at(-1);
  if (!token || !IS_OF_OPEN.test(reason)) return undefined;
  const isQuote = token.mark === '"' || token.mark === "'";
  // On the same line, a comma or quotes are missing rather than the closing bracket.
  if (!text.slice(token.offset, offset).includes('\n')) {
    return isQuote || offset >= text.length ? unclosed(text, token, error) : undefined;
  }
  const hidden = comment === undefined ? '' : text.slice(comment).split(/\r?\n/, 1)[0]!;
  if (comment !== undefined && hidden.includes(CLOSERS[token.mark])) {
    const closer = CLOSERS[token.mark];
    const what = `a '#' after a space begins a comment, which hides the '${closer}': a text that begins with it needs quotes`;
    return { offset: comment, what };
  }
  return unclosed(text, token, error);
}

function unclosed(text: string, { mark, offset }: OpenToken, error: ParserError): Explanation {
  const isAtEnd = text.slice(error.offset).trim() === '';
  const until = isAtEnd ? 'the end of the document' : `line ${error.locate(error.offset).line}`;
  const opened = mark === '"' || mark === "'" ? 'quote' : `'${mark}'`;
  return { offset, what: `the ${opened} that opens here is not closed before ${until}` };
}

/** Explains a colon where the parser expects none: the key, an earlier line, or the value is wrong. */
function explainColon(text: string, { offset }: ParserError, { open }: TokensAt): Explanation {
  if (text[offset] !== ':' || open.length > 0) return undefined;
  const start = text.lastIndexOf('\n', offset) + 1;
  const before = text.slice(start, offset);
  const colon = findColon(before);
  if (colon >= 0) {
    const from = start + colon + 1 + /^\s*/.exec(before.slice(colon + 1))![0].length;
    return { offset: from, what: "a text that contains ': ' needs quotes" };
  }
  const above = findLineAbove(text, start);
  if (!above) return undefined;
  const [blanks] = /^(?: |- )*/.exec(above.line)!;
  const content = above.line.slice(blanks.length);
  const at = above.offset + blanks.length;
  if (findColon(content) < 0) return explainKey(content, at);
  const [here] = /^ */.exec(before)!;
  if (here.length <= blanks.length) return undefined;
  const key = content.slice(0, findColon(content));
  const what = `${here.length - blanks.length} spaces deeper than ${show(key)} above, which already has a value`;
  return { offset: start + here.length, what };
}

/** Explains a line of a mapping that is no `key: value`, or returns undefined. */
function explainKey(content: string, offset: number): Explanation {
  const advice = explainPair(content);
  return advice === undefined ? undefined : { offset, what: advice };
}

/** Returns what to write if a text is a key and a value without the colon or the space between them. */
export function explainPair(text: string): string | undefined {
  const [, key, colon] = /^([A-Za-z][\w./-]*?)(:|\s+)\S/.exec(text.trim()) ?? [];
  if (key === undefined) return undefined;
  return colon === ':' ? `write a space after '${key}:'` : `write ':' after ${show(key)}`;
}

/** Returns the position of the first colon that ends a key, or -1. */
function findColon(line: string): number {
  return line.search(/:(?=\s|$)/);
}

/** Returns the nearest line above that has content. */
function findLineAbove(text: string, start: number): { line: string; offset: number } | undefined {
  for (let end = start - 1; end >= 0;) {
    const offset = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(offset, end).trimEnd();
    if (/^\s*[^\s#]/.test(line)) return { line, offset };
    end = offset - 1;
  }
  return undefined;
}

function explainTextAfterQuote(
  text: string,
  { offset }: ParserError,
  { quoted, open }: TokensAt,
): Explanation {
  const char = text[offset] ?? '';
  if (!quoted || open.length > 0 || /[\s:#]|^$/.test(char)) return undefined;
  if (text.slice(quoted.offset, offset).includes('\n')) return undefined;
  const what = 'more text follows the closing quote: put the whole value in quotes';
  return { offset: quoted.offset, what };
}

function explainListOnLineOfKey(
  text: string,
  { offset }: ParserError,
  { open }: TokensAt,
): Explanation {
  if (open.length > 0 || !text.startsWith('- ', offset)) return undefined;
  if (!/:[ \t]+$/.test(text.slice(0, offset))) return undefined;
  return { offset, what: "a list with '-' begins on the line below its key" };
}

function explainIndentation(text: string, { offset, reason }: ParserError): Explanation {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const blanks = text.slice(start, offset);
  if (!reason.startsWith('bad indentation') || blanks.trim() !== '') return undefined;
  const spaces = `${blanks.length} ${blanks.length === 1 ? 'space' : 'spaces'}`;
  return { offset, what: `indented by ${spaces}, like no line above that it could belong to` };
}
