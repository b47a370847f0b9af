import { relative, resolve } from 'node:path';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { show } from '@tenantry/kube/problem';
import { DEEPEN, isShallow, resolveCommit } from '../../git/base-commits.ts';
import { findTopFolder } from '../../git/base-tree.ts';
import { runGit } from '../../git/git.ts';
import { UsageError } from '../../usage-error.ts';

/** An output folder in a repository. */
export interface CommittedOutput {
  /** The root of the repository. */
  readonly top: string;
  /** The output folder, relative to the root; empty for the root itself. */
  readonly folder: string;
  /** How messages name the folder. */
  readonly shown: string;
}

/**
 * Finds the repository of an output folder.
 * @param option the option that needs it, for messages
 * @throws {UsageError} outside of a repository
 */
export function findCommittedOutput(shown: string, option: string): CommittedOutput {
  const prefix = runGit(['rev-parse', '--show-prefix'], '.');
  if (prefix.failed !== undefined) {
    throw new UsageError(
      `${option} needs the Git repository of ${escapeForTerminal(shown)}; Git reports: ${escapeForTerminal(prefix.failed)}`,
    );
  }
  const below = relative(resolve('.'), resolve(shown)).replaceAll('\\', '/');
  const whole = prefix.out.toString().replace(/\n$/, '') + below;
  if (below.startsWith('..')) {
    throw new UsageError(`${option} needs a folder below the working folder, got ${show(shown)}`);
  }
  return { top: findTopFolder('.', runGit), folder: whole.replace(/\/$/, ''), shown };
}

/** A day, or a time in UTC. */
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/;

/**
 * Parses a day such as `2026-03-01`, or a time such as `2026-03-01T12:00Z`; undefined for any other text.
 * @param edge the moment of the day
 * @throws {UsageError} for a day that does not exist
 */
export function parseMoment(text: string, edge: 'start' | 'end'): Date | undefined {
  if (!DATE.test(text)) return undefined;
  const time = text.length > 10 ? text.slice(10) : edge === 'start' ? 'T00:00:00Z' : 'T23:59:59Z';
  const date = new Date(text.slice(0, 10) + time);
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10)))
    return date;
  throw new UsageError(`the date must exist, got ${show(text)}`);
}

/**
 * Returns the commit of a revision, or the last one of HEAD's own line at the end of a day.
 * @throws {UsageError} if there is none
 */
export function findCommit({ top }: CommittedOutput, text: string, option: string): string {
  const date = parseMoment(text, 'end');
  if (date === undefined) {
    const id = text.startsWith('-') ? undefined : resolveCommit(top, text, runGit);
    if (id !== undefined) return id;
    throw new UsageError(
      `${option} must be a day such as 2026-03-01, or a revision of this Git repository, got ${show(text)}`,
    );
  }
  const args = ['rev-list', '-1', '--first-parent', `--before=${date.toISOString()}`, 'HEAD'];
  const id = runGit(args, top).out?.toString().trim();
  if (id) return id;
  const hint = isShallow(top, runGit) ? `, in a shallow clone: ${DEEPEN}` : '';
  throw new UsageError(`${option} must be a day after the first commit, got ${show(text)}${hint}`);
}

/** The commits of a branch's own line after one, up to another. */
export interface CommitRange {
  /** Absent for all commits before. */
  readonly after?: string | undefined;
  readonly tip: string;
}

/** Returns the range as revisions of Git. */
export const formatRange = ({ after, tip }: CommitRange): readonly string[] => [
  after === undefined ? tip : `${after}..${tip}`,
];

/**
 * Returns the range from a day on, or after a revision, up to a day or a revision.
 * @throws {UsageError} when there is no such commit, or a shallow clone does not have it
 */
export function findRange(output: CommittedOutput, since: string, until: string): CommitRange {
  const tip = findCommit(output, until, '--until');
  const start = parseMoment(since, 'start');
  if (start === undefined) return { after: findCommit(output, since, '--since'), tip };
  const before = new Date(start.getTime() - 1000).toISOString();
  const args = ['rev-list', '-1', '--first-parent', `--before=${before}`, tip];
  const after = runGit(args, output.top).out?.toString().trim();
  if (after) return { after, tip };
  if (isShallow(output.top, runGit)) {
    throw new UsageError(`--since must be a day whose commits are in this clone: ${DEEPEN}`);
  }
  return { tip };
}
