import { readFileSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { show } from '@tenantry/kube/problem';
import type { ExitCode } from '../../failure-report.ts';
import { printJson } from '../../console-output.ts';
import { buildComment, publishComment } from '../../forge/comment.ts';
import { reportForgeErrors, useForge } from '../../forge/forge-run.ts';
import { choice } from '../../options.ts';
import { UsageError } from '../../usage-error.ts';

/** `tenantry review comment`: writes the plan as the one comment of a change request. */
export function configure(command: Command): void {
  command
    .argument('<files...>', 'Markdown, such as what `tenantry plan --output markdown` printed')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .addHelpText(
      'after',
      `
The change request has at most one comment with the plan, and each run updates it. Only a comment of the
token's own account counts as that. Text beyond 65,000 characters is cut. The pipeline of a fork has no token
that may write, and a merge queue adds nothing to review: then nothing is written, and the exit code is 0.

The token is in GITHUB_TOKEN (pull-requests: write) or GITLAB_TOKEN (scope api, role Reporter).

Examples:
  tenantry plan --base origin/main --output markdown > plan.md
  tenantry review comment plan.md

Exit codes: 0 written, or skipped for a fork or a merge queue; 1 user error, or the forge rejects the token; 2 internal error,
or the forge does not answer.`,
    )
    .action(async (files: string[], options: CommentOptions) => {
      process.exitCode = await reportForgeErrors(() => writeComment(files, options));
    });
}

interface CommentOptions {
  readonly output: 'text' | 'json';
}

async function writeComment(
  files: readonly string[],
  { output }: CommentOptions,
): Promise<ExitCode> {
  const parts = files.map(readMarkdown);
  const { done, skipped } = await useForge(async (request) =>
    request.isQueued
      ? { reason: 'a merge queue tests the request, and the comment has its plan already' }
      : { comment: await publishComment(request, buildComment(parts, request.commit)) },
  );
  const { comment = 'skipped', reason = skipped } = done ?? {};
  if (output === 'json') printJson('review comment', { outcome: 'done', comment, reason });
  else console.log(`the comment is ${comment}${reason === undefined ? '' : `: ${reason}`}`);
  return 0;
}

/** The largest file that is read, in bytes. The comment takes far less of it. */
const MAX_FILE = 16 * 2 ** 20;

function readMarkdown(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`the text must be a file, got ${show(path)}`);
  if (found.size > MAX_FILE)
    throw new UsageError(`the text must have at most 16 MiB, got ${show(path)}`);
  return readFileSync(path, 'utf8');
}
