import { resolveCommit } from '../../git/base-commits.ts';
import { runGit } from '../../git/git.ts';
import { UsageError } from '../../usage-error.ts';
import { listFiles } from './committed-source.ts';
import { formatRange, type CommitRange, type CommittedOutput } from './revisions.ts';

/**
 * Explains that an output folder is new in a range, although the branch had commits before: all that it has then counts as
 * gained. The folder may have had another name.
 * @throws {UsageError} if no commit of the range has the folder
 */
export function explainBeginning(output: CommittedOutput, range: CommitRange): string[] {
  const { top, folder, shown } = output;
  const only = folder === '' ? [] : ['--', folder];
  const args = [
    '--literal-pathspecs',
    'rev-list',
    '--first-parent',
    ...formatRange(range),
    ...only,
  ];
  const first = runGit(args, top).out?.toString().trim().split('\n').at(-1);
  if (!first) {
    if (listFiles(output, range.tip).length > 0) return [];
    throw new UsageError(`--since must name commits with ${shown}, got none with it`);
  }
  const parent = resolveCommit(top, `${first}^`, runGit);
  if (parent === undefined || listFiles(output, parent).length > 0) return [];
  const commit = first.slice(0, 10);
  return [
    `${shown} begins with ${commit}: what is in it then counts as gained. If it had another name before, add --rendered OLD-NAME --until ${commit}^`,
  ];
}
