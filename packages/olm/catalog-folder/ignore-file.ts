import { compileLinear, type LinearExpression } from '@tenantry/crd/schema/pattern';

/** Whether a file is ignored; the path is from the root of the catalog, with `/`. */
type IsIgnored = (path: string) => boolean;

/** A file with the patterns of files, in its folder and below, that do not belong to a catalog. */
export interface IgnoreFile {
  /** The path from the root of the catalog; empty for the root. */
  readonly folder: string;
  readonly text: string;
}

/** The name of an ignore file. */
export const IGNORE_FILE = '.indexignore';
/** The maximum number of patterns in all ignore files of a catalog: each is matched against each file. */
export const MAX_PATTERNS = 1000;

interface Pattern {
  readonly folder: string;
  readonly expression: LinearExpression | undefined;
  readonly isNegated: boolean;
  readonly isOfFolders: boolean;
}

/**
 * Builds a filter from ignore files in the syntax of Git. The last matching pattern decides; those of deeper folders
 * come after those above. Matching takes time linear in the length of the path, whatever the pattern repeats.
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

/** Counts the patterns in the text of an ignore file. */
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
  // A pattern without a slash before its end matches a name in any folder.
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  return { folder, expression: compileGlob(anchored), isNegated, isOfFolders };
}

const tokens = /\*\*\/|\/\*\*$|\*+|\?|\[!?\]?[^\]]*\]|\\.|[^]/gu;

/** Returns undefined for a pattern that matches nothing. */
function compileGlob(glob: string): LinearExpression | undefined {
  const parts = [...glob.matchAll(tokens)].map(([token]) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**') return '/.+';
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.length > 1 && token.startsWith('[')) return formatClass(token);
    const text = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
    return escaped(text);
  });
  // A reversed range, such as [z-a], is not a valid expression: in Git it matches nothing.
  return compileLinear(`^(?s:${parts.join('')})$`);
}

const escaped = (text: string): string =>
  text.replaceAll(/[^\w/]/gu, (one) => `\\x{${one.codePointAt(0)!.toString(16)}}`);

/** Converts `[!a-z]` to a class of an expression; ranges stay ranges. */
function formatClass(token: string): string {
  const isNegated = token.startsWith('[!');
  const inner = token
    .slice(isNegated ? 2 : 1, -1)
    .split('-')
    .map(escaped)
    .join('-');
  return `[${isNegated ? '^/' : ''}${inner}]`;
}

/** Whether a pattern matches a file or a folder above it. */
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
