import type { Command } from 'commander';
import { choice, DATE_OPTION } from '../options.ts';
import {
  buildChangeSet,
  countByRisk,
  risks,
  type ChangeSet,
  type Risk,
} from '../../apps/plan/plan.ts';
import type { Problem } from '@tenantry/kube/problem';
import { findBases, type BaseDescription } from '../git/bases.ts';
import type { ExitCode } from '../failure-report.ts';
import { runGit } from '../git/git.ts';
import { planLines, planMarkdown, planSummary } from '../plan-report.ts';
import { buildReview, type Review } from '../../apps/review/review.ts';
import { readReviewFacts } from '../review/review-facts.ts';
import { reviewLines, reviewMarkdown } from '../review/review-report.ts';
import { withRenderedOutput, type RenderedOutput } from '../rendered.ts';
import type { CommandOptions, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { paintIf, printJson, warningLines } from '../console-output.ts';

/** `tenantry plan`: explains what a change means for the clusters. */
export function configure(command: Command): void {
  command
    .option(
      '--base <revision>',
      'compare with the merge base of HEAD and this Git revision (default: HEAD)',
    )
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--date <day>', DATE_OPTION)
    .addOption(
      choice('--fail-on <risk>', 'the lowest risk that fails', 'never', 'high', 'medium', 'low'),
    )
    .addOption(choice('--output <format>', 'the output format', 'text', 'json', 'markdown'))
    .option(
      '--approved-by <names...>',
      'who has approved, as CODEOWNERS spells them: fails if that does not suffice',
    )
    .option('--quiet', 'print only changes of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, writes nothing, and compares the objects with the output folder in Git. It
does not contact a cluster. It reports removed namespaces and data, access, isolation, network,
definitions, projects of Argo CD, quota, and then all other differences. docs/plan.md lists every rule.

  high    data is lost, isolation is weakened, or somebody gains power over others
  medium  somebody must decide whether it is intended
  low     reported for information

For each change it also states who must agree: nobody, the owners of the tenant, the owners of another
tenant, or the platform (docs/review.md). The platform file of the base decides.

Examples:
  tenantry plan
  tenantry plan --base origin/main
  tenantry plan --base origin/main --output markdown > plan.md
  tenantry plan --base origin/main --fail-on high --quiet
  tenantry plan --base origin/main --approved-by @ann @acme/shop

Exit codes: 0 nothing that fails; 1 a change that fails (--fail-on), an approval that is missing
(--approved-by), or a user error;
2 internal error.`,
    )
    .action(async (options: PlanOptions) => {
      process.exitCode = await runPlan(options);
    });
}

/** The command line, as commander gives it. */
export interface PlanOptions extends Omit<CommandOptions, 'output'> {
  readonly base?: string;
  readonly rendered?: string;
  readonly failOn: Risk | 'never';
  readonly approvedBy?: readonly string[];
  readonly output: 'text' | 'json' | 'markdown';
}

/**
 * Prints the difference between the output in Git and the declarations.
 * @throws {UsageError} when the command line contradicts itself, or the base cannot be compared
 * with
 */
export async function runPlan(options: PlanOptions): Promise<ExitCode> {
  const output = options.output === 'json' ? 'json' : 'text';
  return withRenderedOutput('plan', { ...options, output }, (rendered, settings, warnings) =>
    report(rendered, settings, options, warnings),
  );
}

/** The plan and the facts that its report shows. */
interface PlanReport {
  readonly base: BaseDescription;
  readonly review: Review;
  readonly warnings: readonly Problem[];
  readonly code: ExitCode;
}

function report(
  rendered: RenderedOutput,
  settings: Settings,
  options: PlanOptions,
  warnings: readonly Problem[],
): ExitCode {
  const { bases, description, warnings: unsure } = findBases(settings.out, options.base, runGit);
  // If the history has several merge bases, any of them will do.
  const [base] = bases;
  const approvedBy = options.approvedBy?.flatMap((names) => names.split(',').filter(Boolean));
  if (approvedBy && description.kind !== 'git') {
    throw new UsageError(
      '--approved-by needs a base in Git that states who must agree, got none: commit the platform file and the output first',
    );
  }
  const { policy, facts } = readReviewFacts(settings, description, rendered.isOnDisk);
  const after = new Map(rendered.texts);
  const plan = base
    ? buildChangeSet(base.read(base.files, after), after, policy)
    : { changes: [], unread: [] };
  const unread = [...new Set(plan.unread.flatMap(({ file }) => file ?? []))];
  const review = buildReview(plan.changes, { ...facts, unread, approvedBy: approvedBy ?? [] });
  const all = [...warnings, ...unsure, ...plan.unread];
  const isMissing = approvedBy !== undefined && !review.isApproved;
  const code = fails(plan, options.failOn) || isMissing ? 1 : 0;
  printPlan(plan, { base: description, review, warnings: all, code }, settings, options);
  return code;
}

/** Whether a change has at least the risk that fails the run. */
export function fails({ changes }: ChangeSet, failOn: Risk | 'never'): boolean {
  const failing = failOn === 'never' ? [] : risks.slice(0, risks.indexOf(failOn) + 1);
  return changes.some(({ risk }) => failing.includes(risk));
}

function printPlan(
  plan: ChangeSet,
  report: PlanReport,
  settings: Settings,
  options: PlanOptions,
): void {
  const { base, review, warnings } = report;
  const { quiet, colors } = settings;
  if (options.output === 'json') {
    const { changes } = plan;
    const outcome = report.code === 0 ? 'done' : 'refused';
    printJson('plan', { outcome, base, totals: countByRisk(changes), review, changes, warnings });
    return;
  }
  if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  const changes = quiet ? plan.changes.filter(({ risk }) => risk !== 'low') : plan.changes;
  if (options.output === 'markdown') {
    const lines = reviewMarkdown(review, plan);
    console.log(planMarkdown({ ...plan, changes }, sinceWords(base, settings.out), lines));
    return;
  }
  for (const line of planLines({ ...plan, changes }, paintIf(colors.out), { isReview: true }))
    console.log(line);
  if (changes.length + review.files.length + review.moved.length > 0)
    for (const line of reviewLines(review, plan, paintIf(colors.out))) console.log(line);
  if (!quiet) console.log(`${sinceWords(base, settings.out)}: ${planSummary(plan)}`);
}

function sinceWords(base: BaseDescription, out: string): string {
  if (base.kind === 'none') return `${out} is compared with nothing`;
  if (base.kind === 'disk') return `What is declared, compared with ${out}`;
  const points = base.commits.map((id) => id.slice(0, 10)).join(' and ');
  return `What is declared, compared with ${out} of ${base.revision} (${points})`;
}
