import { compileLinear, type LinearExpression } from '../../schema/pattern.ts';

/** Whether a file is left out; the path is from the root of the catalog, with `/`. */
export type IsIgnored = (path: string) => boolean;

/** A file that says which files of its folder, and all below, are no part of a catalog. */
export interface IgnoreFile {
  /** From the root of the catalog; empty for the root itself. */
  readonly folder: string;
  readonly text: string;
}

/** The name of such a file. */
export const IGNORE_FILE = '.indexignore';
/** Patterns of all such files of a catalog: each is asked about each file. */
export const MOST_PATTERNS = 1000;

interface Pattern {
  readonly folder: string;
  readonly expression: LinearExpression | undefined;
  readonly isNegated: boolean;
  readonly isOfFolders: boolean;
}

/**
 * What ignore files say together, in the syntax of Git: of all patterns that fit, the last one decides,
 * those of deeper folders after those above. A pattern is matched in time that grows with the length of
 * the path alone, whatever it repeats.
 *
 * Source: https://git-scm.com/docs/gitignore
 */
export function buildIgnoreFilter(files: readonly IgnoreFile[]): IsIgnored {
  const depth = ({ folder }: IgnoreFile): number => (folder === '' ? 0 : folder.split('/').length);
  const sorted = files.toSorted((a, b) => depth(a) - depth(b));
  const patterns = sorted.flatMap(({ folder, text }) => {
    return text.split(/\r?\n/).flatMap((line) => parsePattern(folder, line) ?? []);
  });
  return (path) => patterns.findLast((pattern) => fits(pattern, path))?.isNegated === false;
}

/** How many patterns the text of an ignore file holds. */
export const countPatterns = (text: string): number =>
  text.split(/\r?\n/).filter((line) => parsePattern('', line) !== undefined).length;

function parsePattern(folder: string, line: string): Pattern | undefined {
  const text = line.replace(/(?<!\\)[ \t]+$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const isNegated = text.startsWith('!');
  const pattern = isNegated ? text.slice(1) : text;
  const isOfFolders = pattern.endsWith('/');
  const glob = isOfFolders ? pattern.slice(0, -1) : pattern;
  if (glob === '') return undefined;
  // Without a slash before its end a pattern is about a name, in whatever folder.
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return { folder, expression: expressionOf(anchored), isNegated, isOfFolders };
}

const tokens = /\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\.|[^]/gu;

/** Undefined for what fits nothing. */
function expressionOf(glob: string): LinearExpression | undefined {
  const parts = [...glob.matchAll(tokens)].map(([token]) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**') return '/.+';
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.length > 1 && token.startsWith('[')) return classOf(token);
    const text = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    return escaped(text);
  });
  // A range that runs backwards, such as [z-a], is no expression: Git takes nothing for it.
  return compileLinear(`^(?s:${parts.join('')})$`);
}

const escaped = (text: string): string =>
  text.replaceAll(/[^\w/]/gu, (one) => `\\x{${one.codePointAt(0)!.toString(16)}}`);

/** `[!a-z]` as a class of an expression; ranges stay ranges. */
function classOf(token: string): string {
  const isNegated = token.startsWith('[!');
  const inner = token
    .slice(isNegated ? 2 : 1, -1)
    .split('-')
    .map(escaped)
    .join('-');
  return `[${isNegated ? '^/' : ''}${inner}]`;
}

/** Whether a pattern fits a file or a folder above it. */
function fits({ folder, expression, isOfFolders }: Pattern, path: string): boolean {
  if (folder !== '' && !path.startsWith(`${folder}/`)) return false;
  if (expression === undefined) return false;
  const inside = folder === '' ? path : path.slice(folder.length + 1);
  const parts = inside.split('/');
  return parts.some((_, i) => {
    const isFile = i === parts.length - 1;
    return !(isFile && isOfFolders) && expression.test(parts.slice(0, i + 1).join('/'));
  });
}
