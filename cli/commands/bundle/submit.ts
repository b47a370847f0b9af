import type { Command } from 'commander';
import { addReportOptions, choice, collect } from '../../options.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toProblem, type Finding } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { createFindingLocator, type Bundle, type BundleFinding } from '@tenantry/olm/bundle/bundle';
import type { UpdateGraph } from '@tenantry/olm/catalog/render-catalog';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import type { Repository } from '@tenantry/olm/submission/rules';
import {
  buildSubmission,
  resolveSubmissionTarget,
  type Submission,
} from '@tenantry/olm/submission/submission';
import { NotWritten, readPackage, writeSubmission } from './submit-folder.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { count, paintIf, printJson, printProblems, warningLines } from '../../console-output.ts';

/** `tenantry bundle submit`: writes a bundle into a repository of operators. */
export function configure(command: Command): void {
  command
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .requiredOption('--to <dir>', 'the clone; operators/ is created in it if needed')
    .addOption(
      choice('--for <repository>', 'the repository whose rules apply', 'operatorhub', 'openshift'),
    )
    .option(
      '--reviewer <name>',
      'a GitHub user who may approve; for a new ci.yaml (repeatable)',
      collect,
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'the mode of the update graph; for a new ci.yaml',
        'replaces',
        'semver',
      ),
    )
    .option(
      '--catalog <name>',
      'a file-based catalog, such as latest or v4.18; for a new ci.yaml (repeatable)',
      collect,
    )
    .option('--strict', 'also fail on warnings')
    .option('--dry-run', 'write nothing, and print what would be written');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
Writes operators/<package>/<version>/ (manifests, metadata, tests, bundle.Dockerfile) and, if missing,
operators/<package>/ci.yaml. It writes everything or, with one error, nothing. Other versions and an existing
ci.yaml are not changed. A version that exists already with other content is an error. The rules are those of
the suites operatorhub and community and of the pipeline of the repository;
docs/reference/submission-rules.md lists them. If ci.yaml has a file-based catalog, the command also writes
release-config.yaml, by which the pipeline adds the version to it.

Examples:
  tenantry bundle submit dist/olm/bundle/1.2.3 --to ../community-operators --reviewer jo
  tenantry bundle submit bundle --to . --for openshift --dry-run
  tenantry bundle submit bundle --to ../community-operators --catalog latest --output json

Exit codes: 0 written, or already there; 1 user error; 2 internal error.`,
    )
    .action(async (bundle: string, options: SubmitOptions) => {
      process.exitCode = runSubmit(bundle, options);
    });
}

/** The command line, as commander gives it. */
export interface SubmitOptions {
  readonly to: string;
  readonly for: Repository;
  readonly reviewer?: readonly string[];
  readonly updateGraph: UpdateGraph;
  readonly catalog?: readonly string[];
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

const COMMAND = 'bundle submit';

/** The outcome of a submission. */
interface SubmissionOutcome {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Relative to the repository; empty if nothing had to be written. */
  readonly written: readonly string[];
  readonly package?: string;
  readonly version?: string;
  readonly ci?: 'written' | 'kept';
  readonly isPublished?: boolean;
}

/**
 * Writes a bundle into a repository and prints the problems that it has there.
 * @throws {UsageError} when the command line is invalid
 */
export function runSubmit(source: string, options: SubmitOptions): ExitCode {
  checkOptions(options);
  const outcome = submit(source, options);
  const { problems, warnings, strict = false } = { ...outcome, strict: options.strict };
  const isBad = problems.length > 0 || (strict && warnings.length > 0);
  if (options.output === 'json') {
    const { dryRun = false } = options;
    printJson(COMMAND, { outcome: isBad ? 'refused' : 'done', dryRun, ...outcome });
  } else printOutcome(outcome, isBad, options);
  return isBad ? 1 : 0;
}

/** Names at GitHub: https://docs.github.com/en/enterprise-cloud@latest/admin/managing-iam/iam-configuration-reference/username-considerations-for-external-authentication */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,37}[A-Za-z0-9])?$/;

function checkOptions({ to, reviewer = [], catalog = [], updateGraph }: SubmitOptions): void {
  if (to === '') throw new UsageError('--to must be a folder, got nothing');
  const found = statSync(to, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new UsageError(`--to must be a folder, got ${show(to)}`);
  for (const name of reviewer) {
    if (NAME.test(name)) continue;
    throw new UsageError(
      `--reviewer must be a name at GitHub such as 'octocat', got ${show(name)}`,
    );
  }
  for (const name of catalog) {
    if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) continue;
    throw new UsageError(`--catalog must be a name such as 'latest' or 'v4.18', got ${show(name)}`);
  }
  if (catalog.length > 0 && updateGraph === 'semver') {
    throw new UsageError(
      '--update-graph and --catalog cannot be combined: the catalog has its own update graph',
    );
  }
}

function submit(source: string, options: SubmitOptions): SubmissionOutcome {
  const given = readBundle(source);
  const unread = given.faults.filter(({ severity }) => severity === 'error');
  const refused = (findings: readonly BundleFinding[]): SubmissionOutcome => {
    const { problems } = new InvalidInput(findings.map(createFindingLocator(given, source)));
    return { problems, warnings: [], written: [] };
  };
  if (unread.length > 0) return refused(unread);
  const place = resolveSubmissionTarget(given);
  if (place.findings) return refused(place.findings);
  const { packageName, version } = place;
  const folder = join('operators', packageName);
  const there = readPackage(join(options.to, folder), version);
  if (there.problems.length > 0) return { problems: there.problems, warnings: [], written: [] };
  const { reviewer: reviewers = [], updateGraph: graph, catalog: catalogs, strict } = options;
  const submission = buildSubmission(
    given,
    packageName,
    omitUndefined({
      repository: options.for,
      others: there.others,
      reviewers,
      graph,
      catalogs,
      ci: there.ci,
      published: there.published,
    }),
  );
  const { problems, warnings } = locateFindings(
    submission,
    given,
    source,
    options,
    folder,
    version,
  );
  const isBad = problems.length > 0 || (strict === true && warnings.length > 0);
  if (isBad) return { problems, warnings, package: packageName, version, written: [] };
  const ci = submission.ci === undefined ? 'kept' : 'written';
  const { isPublished } = submission;
  const files = isPublished ? [] : submission.files.map(({ path }) => join(folder, version, path));
  const written = [...files, ...(ci === 'written' ? [join(folder, 'ci.yaml')] : [])];
  if (options.dryRun !== true) {
    try {
      writeSubmission(join(options.to, folder), version, submission);
    } catch (error) {
      if (!(error instanceof NotWritten)) throw error;
      const file = join(options.to, folder);
      const problem = { file, path: '', message: error.message, rule: 'file' };
      return { problems: [problem], warnings, written: [], package: packageName, version };
    }
  }
  return { problems, warnings, package: packageName, version, written, ci, isPublished };
}

/** Places findings about files of the bundle at the bundle, and all others in the repository. */
function locateFindings(
  { bundle, findings, config }: Submission,
  given: Bundle,
  source: string,
  { to }: SubmitOptions,
  folder: string,
  version: string,
): Pick<SubmissionOutcome, 'problems' | 'warnings'> {
  const own = new Set(given.files.map(({ path }) => path));
  const [here, there] = [source, join(to, folder, version)].map((root) =>
    createFindingLocator(bundle, root),
  );
  const file = join(to, folder, 'ci.yaml');
  const ofCi = (finding: Finding): Problem => {
    return toProblem(finding, { file, ...config.document?.positionAt(finding.path) });
  };
  const all = [
    ...findings.map((finding) => {
      const isOwn = finding.file !== undefined && own.has(finding.file);
      return { finding, problem: (isOwn ? here! : there!)(finding) };
    }),
    ...config.findings.map((finding) => ({ finding, problem: ofCi(finding) })),
  ];
  const of = (isError: boolean): readonly Problem[] => {
    const some = all.filter(({ finding }) => (finding.severity === 'error') === isError);
    return new InvalidInput(some.map(({ problem }) => problem)).problems;
  };
  return { problems: of(true), warnings: of(false) };
}

function printOutcome(outcome: SubmissionOutcome, isBad: boolean, options: SubmitOptions): void {
  const { quiet = false, strict = false, dryRun = false, to } = options;
  const colors = resolveColors(options.color);
  const warnings = warningLines(outcome.warnings, paintIf(colors.err));
  if (isBad) {
    if (strict) for (const line of warnings) console.error(line);
    const paint = paintIf(colors.err);
    const { problems } = outcome;
    if (problems.length > 0) printProblems(problems, 'nothing was written', paint);
    else console.error(`\n${count(warnings.length, 'warning')}; nothing was written`);
    return;
  }
  if (quiet) return;
  for (const line of warnings) console.error(line);
  for (const path of outcome.written) console.log(escapeForTerminal(path));
  const what = escapeForTerminal(`${outcome.package} ${outcome.version}`);
  const version = outcome.isPublished
    ? 'is there already in'
    : `is ${dryRun ? 'not ' : ''}written to`;
  const ci = outcome.ci === 'kept' ? ', ci.yaml is unchanged' : '';
  const dry = dryRun ? ' (--dry-run)' : '';
  const files = count(outcome.written.length, 'file');
  console.log(
    escapeForTerminal(
      `${what} ${version} ${to}: ${files}${ci}, ${count(warnings.length, 'warning')}${dry}`,
    ),
  );
}
