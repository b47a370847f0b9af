import type { Command } from 'commander';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { count, paintIf, printJson, truncateList } from '../../console-output.ts';
import { explainBeginning } from '../../access/history/beginning.ts';
import { findCommittedOutput, findRange } from '../../access/history/revisions.ts';
import { RecordCache } from '../../access/history/record-cache.ts';
import { reviewHistory, type ReviewedChange } from '../../access/history/review.ts';
import { reviewCsv, reviewLines } from '../../access/history/review-formats.ts';
import { buildPage } from '../../access/history/review-page.ts';
import type { ExitCode } from '../../failure-report.ts';
import { choice } from '../../options.ts';
import { resolveSettings, type CommandOptions } from '../../settings.ts';

/** `tenantry access review`: lists who gained and lost what, by which commit, and by whom. */
export function configure(command: Command): void {
  command
    .requiredOption('--since <when>', 'from this day on, or after this revision')
    .option('--until <when>', 'up to this day, or up to this revision (default: HEAD)')
    .option('--cluster <name>', 'only this cluster of the rendered output (default: all)')
    .option('--tenant <name>', 'only the namespaces of this tenant')
    .option('-n, --namespace <name>', 'only this namespace')
    .option('--rendered <dir>', 'the committed output (default: output of cdk8s.yaml, or dist)')
    .addOption(choice('--output <format>', 'the output format', 'table', 'json', 'csv', 'html'))
    .option('--quiet', 'print no notes')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
Compares the output folder of each commit of the branch with that of the commit before, from Git. Lists what each
subject gained and lost in which namespace, the commit, its author, and who merged it. A merge counts with all that
it brings, at the time of the merge. Days are in UTC, by the time of the committer.

CSV has no formulas. HTML is one file without network access, to search and to print.

Examples:
  tenantry access review --since 2026-01-01
  tenantry access review --since 2026-01-01 --until 2026-03-31 --tenant payments
  tenantry access review --since v1.0 --output csv > review.csv
  tenantry access review --since 2026-01-01 --output html > review.html

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action((options: ReviewOptions) => {
      process.exitCode = review(options);
    });
}

interface ReviewOptions extends Omit<CommandOptions, 'output'> {
  readonly since: string;
  readonly until?: string;
  readonly cluster?: string;
  readonly tenant?: string;
  readonly namespace?: string;
  readonly rendered?: string;
  readonly output: 'table' | 'json' | 'csv' | 'html';
}

/** @throws {UsageError} outside of a repository, or when there is no such commit */
function review(options: ReviewOptions): ExitCode {
  const { output: format, ...rest } = options;
  const settings = resolveSettings({ ...rest, output: format === 'json' ? 'json' : 'text' });
  const shown = options.rendered ?? settings.out;
  const output = findCommittedOutput(shown, 'access review');
  const { since, until = 'HEAD' } = options;
  const range = findRange(output, since, until);
  const notes = explainBeginning(output, range);
  const cache = new RecordCache(settings.memory, shown);
  const { changes: all, commits, unread } = reviewHistory(output, range, cache);
  cache.save();
  const changes = all.filter((one) => isChosen(one, options));
  if (format === 'json') {
    printJson('access review', { outcome: 'done', since, until, commits, changes, unread, notes });
    return 0;
  }
  if (format === 'csv') process.stdout.write(reviewCsv(changes));
  else if (format === 'html') process.stdout.write(buildPage(changes, { since, until, commits }));
  else if (changes.length > 0)
    for (const line of reviewLines(changes, paintIf(settings.colors.out))) console.log(line);
  if (settings.quiet) return 0;
  for (const note of notes) console.error(`note: ${escapeForTerminal(note)}`);
  console.error(`note: ${count(changes.length, 'change')} in ${count(commits, 'commit')}`);
  const missing = truncateList(unread, 5).map(escapeForTerminal).join(', ');
  if (unread.length > 0) console.error(`note: roles are missing, files cannot be read: ${missing}`);
  return 0;
}

function isChosen(one: ReviewedChange, { cluster, tenant, namespace }: ReviewOptions): boolean {
  return (
    (cluster === undefined || one.cluster === cluster) &&
    (tenant === undefined || one.tenant === tenant) &&
    (namespace === undefined || one.namespace === namespace)
  );
}
