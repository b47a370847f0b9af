import { omitUndefined } from '@tenantry/kube/mapping';
import { formatProblem, formatList, type Problem } from '@tenantry/kube/problem';

/**
 * Reports that declarations cannot become an output: a failed validation, a cycle, two files or two
 * objects under one name. It is thrown once with every problem; each names the constructs.
 */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly problems: string[];
  /** The problems as reported to people, with rules and places if they are known. */
  readonly locatedProblems: readonly Problem[];

  /** @param heading the first line of the message; without it a single problem is the whole message */
  constructor(declared: readonly (string | Problem)[], heading?: string) {
    const problems = declared.map((one) => (typeof one === 'string' ? one : formatLikeCdk8s(one)));
    const [first, ...more] = problems;
    super(
      heading === undefined && first !== undefined && more.length === 0
        ? first
        : [heading ?? `${problems.length} problems:`, ...problems].join('\n  '),
    );
    this.problems = problems;
    this.locatedProblems = declared.map((one) =>
      typeof one === 'string' ? { path: '', message: one, rule: 'construct' } : one,
    );
  }
}

/** Names the construct and leaves out the file. */
function formatLikeCdk8s({ construct, path, message, rule }: Problem): string {
  return formatProblem(omitUndefined({ construct, path, message, rule }));
}

/** In one message; `paths` has all of them. */
const MAX_NAMED = 20;

/** Files that Tenantry did not generate are in the place of rendered ones. Nothing was written. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    const what = paths.length === 1 ? 'a file' : `${paths.length} files`;
    const named = paths.slice(0, MAX_NAMED);
    const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : '';
    super(
      `${output}: a file to be written must be new or begin with the line by which Tenantry marks what it generated at that path, got ${what} of someone else: ${named.join(', ')}${more}; move or delete them`,
    );
    this.paths = paths;
  }
}

/** The output was written, and files that are no part of it are in folders that are for the output alone. */
export class UnexpectedFilesInOutput extends Error {
  override readonly name = 'UnexpectedFilesInOutput';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output} was written, and must hold nothing else where it is rendered, got ${formatList(paths)}; remove what Tenantry did not render, or move it to a folder beside the output`,
    );
    this.paths = paths;
  }
}

/** Reports that files could not be written; the folder is unchanged. The reason is the `cause`. */
export class OutputNotWritten extends Error {
  override readonly name = 'OutputNotWritten';

  constructor(output: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${output} could not be written and is as it was before: ${reason}`, { cause });
  }
}

/** Converts errors of the file system to `OutputNotWritten`. Other errors are clear enough. */
export function withWriteErrors<T>(output: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const ofSystem = typeof error === 'object' && error !== null && 'syscall' in error;
    throw ofSystem ? new OutputNotWritten(output, error) : error;
  }
}
