import { escapeForTerminal } from './printable.ts';

/** A path in a value: field names and list positions, from the root. */
export type Path = readonly (string | number)[];

/** A file that a declaration names but cannot use. */
export interface LackingFile {
  readonly file: string;
  /** The reason: it does not exist, or the declaration may not include it if it does. */
  readonly because: 'missing' | 'not-shared';
}

/** One problem with the user's input, and its place. */
export interface Problem {
  /** The file as the user named it; absent for input that was not read from a file. */
  readonly file?: string;
  /** The line, from 1; present with `file` if the place is known. */
  readonly line?: number;
  readonly column?: number;
  /** The file that includes `file`, if `file` was read as an include. */
  readonly includedBy?: string;
  /** The file that it names and cannot use, if that is the problem. */
  readonly lacks?: LackingFile;
  /** The path of the construct with the problem; absent for input from outside an app. */
  readonly construct?: string;
  /** The path inside the object, such as `spec.namespaces[0].name`; empty for the document itself. */
  readonly path: string;
  /** `must be ..., got ...`. */
  readonly message: string;
  /** The stable name of the rule, for documentation and for counting. */
  readonly rule: string;
}

/** Something that is allowed in one place only. It is not a problem, but people should know about it. */
export interface Exemption extends Pick<Problem, 'file' | 'line' | 'column' | 'path'> {
  readonly whom: string;
  /** A short text about what is allowed. */
  readonly what: string;
  readonly reason: string;
}

/** The error for user input that cannot be used; nothing was written. It contains every problem that was found. */
export class InvalidInput extends Error {
  /** The problems in the order of files, lines and columns; those without a place are last. */
  readonly problems: readonly Problem[];
  /** Further findings, which alone would not have been an error. */
  readonly warnings: readonly Problem[];

  constructor(problems: readonly Problem[], warnings: readonly Problem[] = []) {
    const sorted = problems.toSorted(byPlace);
    super(sorted.map(formatProblem).join('\n'));
    this.name = 'InvalidInput';
    this.problems = sorted;
    this.warnings = warnings;
  }
}

function byPlace(a: Problem, b: Problem): number {
  const [fileA, fileB] = [a.file ?? '\uffff', b.file ?? '\uffff'];
  if (fileA !== fileB) return fileA < fileB ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** Formats a problem: `tenants/acme.yaml:12:9 spec.quota.hard.cpu must be a quantity such as '500m', got 'half'`. */
export function formatProblem(
  problem: Omit<Problem, 'rule'> & Partial<Pick<Problem, 'rule'>>,
): string {
  const position = problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`;
  const file = problem.file && problem.file + position;
  const construct = problem.construct === undefined ? '' : `[${problem.construct}]`;
  return escapeForTerminal(
    [file, construct, problem.path, problem.message].filter(Boolean).join(' '),
  );
}

/**
 * Formats a problem with its rule in parentheses at the end. It leaves the rule out if the problem has none, or if the
 * message ends with it already, as in `(rule, accepted)`.
 */
export function formatProblemAndRule(
  problem: Problem,
  paintRule: (rule: string) => string = (rule) => rule,
): string {
  const text = formatProblem(problem);
  const { rule } = problem;
  const end = text.slice(text.lastIndexOf('('));
  const isNamed = end === `(${rule})` || (end.startsWith(`(${rule}, `) && end.endsWith(')'));
  return rule === '' || isNamed ? text : `${text} ${paintRule(`(${rule})`)}`;
}

/** Formats a path: `spec.namespaces[0].labels["a/b"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[A-Za-z_$][\w$-]{0,59}$/.test(part)) text += `["${escaped(short(part))}"]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** Formats a value for a message: short and on one line, so that it reveals no long secrets. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return quoted(short(value));
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  if (typeof value === 'function') return 'a function';
  return short(String(value));
}

/** Formats a name for a message in full, so that two long names which differ only at the end can be distinguished. */
export function showWhole(name: string): string {
  return quoted(name);
}

/** Formats names for a message: shortened, the first ten, and the number of the others. */
export function formatList(names: readonly string[], between = ', '): string {
  const first = names.slice(0, MAX_LISTED).map(formatBrief);
  const more = names.length - first.length;
  return more === 0 ? first.join(between) : `${first.join(between)} and ${more} more`;
}

/** Shortens a text within a message to one short line. */
export function formatBrief(text: string): string {
  return escapeForTerminal(short(text));
}

const MAX_SHOWN = 60;
const MAX_LISTED = 10;

function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

/** ASCII without the quote and the backslash: characters that a JSON string contains unescaped. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `'${text}'` : `'${escaped(text).replaceAll('\\"', '"')}'`;
}

/** Escapes a text as in a JSON string, without the quotes around it. */
function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return escapeForTerminal(JSON.stringify(text).slice(1, -1));
}

/**
 * Returns the known name nearest to a mistyped one, or undefined if none is near. At most a third of its letters may
 * differ (Levenshtein distance, case-insensitive, where two swapped neighbors are one difference).
 */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  const rows: Rows = [[], [], []];
  for (const candidate of known) {
    const d = distance(wanted, candidate.toLowerCase(), bestDistance, rows);
    if (d < bestDistance) [best, bestDistance] = [candidate, d];
  }
  return best;
}

/** Formats the end of a message with the name that was meant, such as from `findNearest`; empty if there is none. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${show(meant)}?`;
}

/** Rows of the table, with any content. */
type Rows = [number[], number[], number[]];

/**
 * Computes the number of differing letters, or `limit` if there are that many or more. Cells that are that far off the
 * diagonal of the table are therefore not computed.
 * @param rows the storage of three rows of the table
 */
function distance(a: string, b: string, limit: number, [first, second, third]: Rows): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let [before, above, row] = [first, second, third];
  for (let j = 0; j <= b.length; j += 1) above[j] = Math.min(j, limit);
  let leastAbove = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - limit + 1);
    const to = Math.min(b.length, i + limit - 1);
    // The next row reads the cells beside the diagonal.
    row[from - 1] = from === 1 ? Math.min(i, limit) : limit;
    row[to + 1] = limit;
    let least = row[from - 1]!;
    for (let j = from; j <= to; j += 1) {
      const letter = b.charCodeAt(j - 1);
      const isSame = a.charCodeAt(i - 1) === letter;
      let differ = Math.min(above[j - 1]! + (isSame ? 0 : 1), above[j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a.charCodeAt(i - 2) === letter;
      if (isSwapped && a.charCodeAt(i - 1) === b.charCodeAt(j - 2)) {
        differ = Math.min(differ, before[j - 2]! + 1);
      }
      row[j] = differ;
      least = Math.min(least, differ);
    }
    if (least >= limit && leastAbove >= limit) return limit;
    leastAbove = least;
    [before, above, row] = [above, row, before];
  }
  return Math.min(above[b.length]!, limit);
}
