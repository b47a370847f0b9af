import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { quoteForShell } from '../../apps/shell-word.ts';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { omitUndefined } from '@tenantry/kube/mapping';
import { count, paintIf, printJson, printProblems } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { runGit } from '../git/git.ts';
import { isInteractive, withPrompt, type Prompt } from '../interactive.ts';
import { compareWithFolder, type Comparison } from '../new-files/conflicts.ts';
import { writeNewFiles, type NewFile } from '../new-files/write-new-files.ts';
import { addReportOptions } from '../options.ts';
import { readOwnFile, readOwnManifest } from '../own-manifest.ts';
import {
  listForges,
  listOwners,
  repositoryQuestions,
  type RepositoryAnswers,
  type RepositoryQuestion,
} from '../platform-repository/answers.ts';
import {
  completeAnswers,
  findExisting,
  findFolderFacts,
  type FolderFacts,
} from '../platform-repository/folder-facts.ts';
import { renderRepository } from '../platform-repository/repository-files.ts';
import { validateAnswers } from '../platform-repository/validate-answers.ts';
import { resolveColors, type ColorChoice } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

/** `tenantry init`: writes a platform repository that renders. */
export function configure(command: Command): void {
  command
    .argument('[dir]', 'the folder of the repository, which need not exist', '.')
    .option('--name <name>', 'the name of the platform (default: that of the folder)')
    .option('--language <language>', 'of the tenants: yaml or typescript (default: yaml)')
    .option('--cluster <name>', 'the name of the first cluster (default: in-cluster)')
    .option(
      '--server <url>',
      'its API server, as Argo CD knows it (default: https://kubernetes.default.svc)',
    )
    .option(
      '--repository <url>',
      'what Argo CD syncs (default: the remote origin, if there is one)',
    )
    .option('--branch <name>', 'its branch (default: that of the remote, or main)')
    .option('--tenant <name>', 'the name of the first tenant (default: payments)')
    .option('--admins <group>', "the group of the tenant's admins (default: none)")
    .option(
      '--owners <names>',
      'who owns the platform on the forge, such as @acme/platform (default: nobody)',
    )
    .option('--ci <forge>', 'pipelines: github, gitlab, both or none (default: by the repository)')
    .option('-y, --yes', 'use the defaults for what is not given, without questions')
    .option('--dry-run', 'print what would be written, and write nothing');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
Writes package.json with exact versions, a platform, a class, a tenant, pipelines, and a README. On a terminal,
the command prompts for what is not given. With --owners, it also writes CODEOWNERS and the job that comments
the plan of each change and counts approvals (docs/review.md). Several owners have commas between them. An
existing file is never overwritten: if one has other content, the command names it and writes nothing. If all
files are the same, it changes nothing.

Examples:
  tenantry init platform
  tenantry init platform --yes --language typescript
  tenantry init --yes --owners @acme/platform
  tenantry init --yes --cluster eu1 --server https://api.eu1.example.com:6443 \\
    --repository https://git.example.com/platform/tenants.git --tenant payments --admins github:payments
  tenantry init platform --dry-run --output json`,
    )
    .action(async (folder: string, options: InitOptions) => {
      process.exitCode = await runInit(folder, options);
    });
}

/** The command line, as commander gives it. */
interface InitOptions extends Partial<Readonly<Record<keyof RepositoryAnswers, string>>> {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/**
 * Writes the files of a platform repository, or nothing.
 * @throws {UsageError} when the questions are interrupted, or the folder cannot be written
 */
async function runInit(folder: string, options: InitOptions): Promise<ExitCode> {
  checkFolder(folder);
  const manifest = readOwnManifest();
  if (!manifest) throw new Error('the package.json of tenantry must be beside its code');
  const facts = findFolderFacts(folder, runGit);
  const given = pickGiven(options);
  const wrong = validateAnswers(completeAnswers(given, facts), facts);
  if (wrong.length > 0) return refuse(folder, wrong, options);
  const answers = await collectAnswers(given, facts, options);
  const files = renderRepository(answers, facts, {
    manifest,
    component: () => readOwnFile('action/templates/review.yml'),
  });
  const compared = compareWithFolder(folder, files);
  if (compared.problems.length > 0) return refuse(folder, compared.problems, options);
  if (options.dryRun !== true && compared.missing.length > 0) {
    writeNewFiles(folder, compared.missing, 'DIR');
  }
  print(folder, { compared, answers, facts, options });
  return 0;
}

/** @throws {UsageError} when the argument cannot be a folder */
function checkFolder(folder: string): void {
  if (folder === '') throw new UsageError('DIR must be a folder, got nothing');
  const existing = findExisting(resolve(folder));
  if (statSync(existing).isDirectory()) return;
  throw new UsageError(
    `DIR must be a folder, got ${show(folder)}: ${escapeForTerminal(basename(existing))} is a file`,
  );
}

type GivenAnswers = Partial<RepositoryAnswers>;

const pickGiven = (options: InitOptions): GivenAnswers =>
  omitUndefined(
    Object.fromEntries(repositoryQuestions.map(({ key }) => [key, options[key]])),
  ) as GivenAnswers;

/** Returns the answers of a person on a terminal, and the defaults elsewhere. */
async function collectAnswers(
  given: GivenAnswers,
  facts: FolderFacts,
  { yes = false, output }: InitOptions,
): Promise<RepositoryAnswers> {
  if (yes || output === 'json' || !isInteractive()) return completeAnswers(given, facts);
  return withPrompt('nothing was written: the questions ended', async (ask) => {
    let answers = given;
    for (const question of repositoryQuestions) {
      if (question.prompt === undefined || given[question.key] !== undefined) continue;
      answers = await askFor(question, { answers, facts, ask });
    }
    return completeAnswers(answers, facts);
  });
}

interface Dialog {
  /** The answers so far. */
  readonly answers: GivenAnswers;
  readonly facts: FolderFacts;
  readonly ask: Prompt;
}

/** Repeats a question until the answer is valid, and returns the answers with it. */
async function askFor(
  { key, flag, prompt }: RepositoryQuestion,
  { answers, facts, ask }: Dialog,
): Promise<GivenAnswers> {
  for (;;) {
    const otherwise = completeAnswers(answers, facts)[key] ?? 'none';
    const text = (await ask(`${prompt} (${otherwise}): `)).trim();
    const next = text === '' ? answers : { ...answers, [key]: text };
    const problem = validateAnswers(completeAnswers(next, facts), facts).find(
      ({ path }) => path === flag,
    );
    if (!problem) return next;
    console.error(problem.message);
  }
}

function refuse(folder: string, problems: readonly Problem[], options: InitOptions): ExitCode {
  const sorted = new InvalidInput(problems).problems;
  if (options.output === 'json') printJson('init', { outcome: 'refused', problems: sorted });
  else
    printProblems(
      sorted,
      `${escapeForTerminal(folder)} is as it was`,
      paintIf(resolveColors(options.color).err),
    );
  return 1;
}

interface Result {
  readonly compared: Comparison;
  readonly answers: RepositoryAnswers;
  readonly facts: FolderFacts;
  readonly options: InitOptions;
}

function print(folder: string, { compared, answers, facts, options }: Result): void {
  const { dryRun = false, output, quiet = false, color } = options;
  const paths = (files: readonly NewFile[]): string[] => files.map(({ path }) => path);
  const [written, unchanged] = [paths(compared.missing), paths(compared.unchanged)];
  if (output === 'json') {
    const files = { added: written, unchanged };
    return printJson('init', { outcome: 'done', dryRun, folder, answers, files, problems: [] });
  }
  if (quiet) return;
  const paint = paintIf(resolveColors(color).out);
  const verb = dryRun ? 'to write' : 'written';
  const where = escapeForTerminal(folder);
  console.log(
    `${paint('bold', `${count(written.length, 'file')} ${verb}`)}, ${unchanged.length} unchanged in ${where}`,
  );
  for (const path of written) console.log(`  + ${path}`);
  if (!dryRun) for (const line of listNextSteps(where, answers, facts)) console.log(line);
}

function listNextSteps(
  folder: string,
  answers: RepositoryAnswers,
  { prefix }: FolderFacts,
): string[] {
  const enter = folder === '.' ? '' : `cd ${quoteForShell(folder)} && `;
  return [
    '',
    `Next: ${enter}npm install && npx tenantry synth && npm test`,
    ...(answers.repository === undefined
      ? ['There is no Git remote yet: set argocd.source in tenantry.yaml when there is one.']
      : []),
    ...(prefix === ''
      ? []
      : ['No pipeline was written: forges read them only at the top of a repository.']),
    ...(listOwners(answers).length > 0 && listForges(answers).length > 0
      ? ['README.md lists the settings of the forge that let owners agree to changes.']
      : []),
  ];
}
