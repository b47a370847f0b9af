import { lstatSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { escapeForTerminal } from '@tenantry/kube/printable';
import type { OutputChanges } from '../synth/output/output.ts';
import { truncateList, count, type Paint } from './console-output.ts';

/** The number of files that a list names. */
const LISTED = 50;

/** Selects the lists of files for JSON output. */
export function selectJsonFields(changes: OutputChanges) {
  const { added, changed, removed, unchanged, foreign, unexpected, interrupted } = changes;
  return { added, changed, removed, unchanged, foreign, unexpected, interrupted };
}

/** Formats the files that were written and removed. */
export function newsLines({ added, changed, removed }: OutputChanges, paint: Paint): string[] {
  return [
    ...added.map((path) => `${paint('green', '+')} ${escapeForTerminal(path)}`),
    ...changed.map((path) => `${paint('yellow', '~')} ${escapeForTerminal(path)}`),
    ...removed.map((path) => `${paint('red', '-')} ${escapeForTerminal(path)}`),
  ];
}

interface Staleness {
  readonly out: string;
  /** `what is declared`. */
  readonly must: string;
  readonly paint: Paint;
}

/** Formats the files that differ from what they must be, each once. */
export function staleLines(changes: OutputChanges, { out, must, paint }: Staleness): string[] {
  const foreign = new Set(changes.foreign);
  const changed = changes.changed.filter((path) => !foreign.has(path));
  const files = [
    ...formatUnexpectedFiles(changes, out),
    ...changes.added.map((path) => `missing  ${formatOutputPath(out, path)}`),
    ...changed.map((path) => `differs  ${formatOutputPath(out, path)}`),
    ...changes.removed.map((path) => `left over  ${formatOutputPath(out, path)}`),
    ...changes.foreign.map((path) => `foreign file in the way  ${formatOutputPath(out, path)}`),
  ];
  return [
    `${paint('red', 'error')} ${out} must be ${must}, got ${count(files.length, 'file')} that ${files.length === 1 ? 'is' : 'are'} not:`,
    ...truncateList(files, LISTED).map((line) => `  ${line}`),
    ...(changes.interrupted ? ['  an earlier write was interrupted'] : []),
  ];
}

/** Formats the files of an output that differ from the declarations, with advice. */
export function unrenderedLines(changes: OutputChanges, out: string, paint: Paint): string[] {
  const { added, changed, removed, foreign, unexpected } = changes;
  const lineEnds = lineEndAdvice(changes, out);
  const isStale = added.length + changed.length + removed.length + foreign.length > 0;
  return [
    ...staleLines(changes, { out, must: 'what is declared', paint }),
    ...(foreign.length > 0
      ? ['Restore the first line of foreign files from Git, or move or delete them.']
      : []),
    ...(isStale
      ? [
          'Run `tenantry synth` and commit the result; what was edited by hand belongs in a declaration.',
        ]
      : []),
    ...(unexpected.length > 0 ? [formatUnexpectedFilesAdvice(out)] : []),
    ...(lineEnds === undefined ? [] : [lineEnds]),
  ];
}

/** Formats the files in a freshly written output that Tenantry did not render. */
export function formatUnexpectedFilesError(
  changes: OutputChanges,
  out: string,
  paint: Paint,
): string[] {
  const lines = formatUnexpectedFiles(changes, out);
  return [
    `${paint('red', 'error')} ${out} was written, and must hold nothing else where it is rendered, got ${count(lines.length, 'file')} that nobody rendered:`,
    ...truncateList(lines, LISTED).map((line) => `  ${line}`),
    formatUnexpectedFilesAdvice(out),
  ];
}

/** Returns the advice for unexpected files. */
function formatUnexpectedFilesAdvice(out: string): string {
  const folder = posix.join(posix.dirname(out.replaceAll('\\', '/')), 'manifests');
  return `Remove files that Tenantry did not render; the platform's own manifests belong in a folder beside ${out}, such as ${folder}.`;
}

/**
 * Returns the advice for files with CRLF line ends, which Git writes on some machines; undefined if
 * none has them.
 */
function lineEndAdvice({ changed }: OutputChanges, out: string): string | undefined {
  const some = changed.slice(0, LISTED).filter((path) => hasCarriageReturns(join(out, path)));
  if (some.length === 0) return undefined;
  return `Lines of ${escapeForTerminal(`${out}/${some[0]}`)} end with CRLF, as Git writes them with core.autocrlf: add \`${out}/** -text\` to .gitattributes, and check it out again.`;
}

function hasCarriageReturns(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(file).includes('\r\n')
    : false;
}

function formatUnexpectedFiles({ unexpected }: OutputChanges, out: string): string[] {
  return unexpected.map((path) => `not rendered  ${formatOutputPath(out, path)}`);
}

/** Formats a path of the output, which may be beside it (`../`). */
function formatOutputPath(out: string, path: string): string {
  return escapeForTerminal(path.startsWith('../') ? posix.join(out, path) : `${out}/${path}`);
}
