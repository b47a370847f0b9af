import { escapeForTerminal } from './printable.ts';

/** Where in a value: field names and list positions, from the root. */
export type Path = readonly (string | number)[];

/** A file that is named where it cannot be had. */
export interface LackingFile {
  readonly file: string;
  /** There is none, or there may be one that whoever names it may not include. */
  readonly because: 'missing' | 'not-shared';
}

/** One thing that is wrong with the user's input, and where. */
export interface Problem {
  /** The file as the user named it; absent for what was not read from a file. */
  readonly file?: string;
  /** From 1; present with `file` where the place is known. */
  readonly line?: number;
  readonly column?: number;
  /** A file that takes `file` into what it declares, where that is what was read. */
  readonly includedBy?: string;
  /** A file that it names and cannot have, where that is what is wrong. */
  readonly lacks?: LackingFile;
  /** The path of the construct that is wrong; absent for what was not made in an app. */
  readonly construct?: string;
  /** Inside the object, such as `spec.namespaces[0].name`; empty for the document itself. */
  readonly path: string;
  /** `must be ..., got ...`. */
  readonly message: string;
  /** Stable name of the rule, for documentation and for counting. */
  readonly rule: string;
}

/** What somebody may that others may not: nothing is wrong with it, and people should know. */
export interface Exemption extends Pick<Problem, 'file' | 'line' | 'column' | 'path'> {
  readonly whom: string;
  /** What is let through, short. */
  readonly what: string;
  readonly reason: string;
}

/** The user's input cannot be used; nothing was written. Holds every problem that was found. */
export class InvalidInput extends Error {
  /** In the order of files, lines and columns; those without a place last. */
  readonly problems: readonly Problem[];
  /** What was found besides, and would not have stood in the way. */
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

/** `tenants/acme.yaml:12:9 spec.quota.hard.cpu must be a quantity such as '500m', got 'half'`. */
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

/** `spec.namespaces[0].labels["a/b"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[A-Za-z_$][\w$-]{0,59}$/.test(part)) text += `["${escaped(short(part))}"]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** A value as a message shows it: short, on one line, no secrets longer than a glance. */
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

/** A name as a message shows it, in full however long: of two that differ at the end, both are told. */
export function showWhole(name: string): string {
  return quoted(name);
}

/** Names as a message lists them: short ones, the first ten, and how many more there are. */
export function formatList(names: readonly string[], between = ', '): string {
  const first = names.slice(0, MOST_LISTED).map(formatBrief);
  const more = names.length - first.length;
  return more === 0 ? first.join(between) : `${first.join(between)} and ${more} more`;
}

/** A text within a message: short, on one line. */
export function formatBrief(text: string): string {
  return escapeForTerminal(short(text));
}

const MOST_SHOWN = 60;
const MOST_LISTED = 10;

function short(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 3)}...` : text;
}

/** ASCII without the quote and the backslash: what a JSON string has as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `'${text}'` : `'${escaped(text).replaceAll('\\"', '"')}'`;
}

/** As in a JSON string, without the quotes around it. */
function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return escapeForTerminal(JSON.stringify(text).slice(1, -1));
}

/**
 * The known name that a mistyped one most likely means, or undefined when none is near: at most a
 * third of its letters differ (Levenshtein distance, case ignored, where two neighbours that changed
 * places are one difference).
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

/** What a message ends with where it is known what was meant, such as by `nearest`; else nothing. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${show(meant)}?`;
}

/** Rows of the table, whatever they hold. */
type Rows = [number[], number[], number[]];

/**
 * How many letters differ; `limit` where that many do, or more. So what is off the diagonal of the
 * table by as much is not filled in.
 * @param rows where three rows of the table are kept
 */
function distance(a: string, b: string, limit: number, [first, second, third]: Rows): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let [before, above, row] = [first, second, third];
  for (let j = 0; j <= b.length; j += 1) above[j] = Math.min(j, limit);
  let leastAbove = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - limit + 1);
    const to = Math.min(b.length, i + limit - 1);
    // What stands beside the diagonal is read by the next row.
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
