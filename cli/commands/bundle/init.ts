import type { Command } from 'commander';
import { addReportOptions, collect } from '../../options.ts';
import {
  renderNewProgram,
  bundleQuestions,
  parseItems,
  type BundleAnswers,
  type BundleQuestion,
} from '@tenantry/olm/constructs/start/program';
import { importDefinitions } from '@tenantry/crd/import';
import { InvalidInput, type Problem, show } from '@tenantry/kube/problem';
import { readSources } from '../crd/import-source.ts';
import type { ExitCode } from '../../failure-report.ts';
import { checkFolder, inTheWay, writeNew } from './new-program.ts';
import { isInteractive, withPrompt, type Prompt } from '../../interactive.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { count, paintIf, printJson, printProblems } from '../../console-output.ts';

/** `tenantry bundle init`: writes a program for the first bundle of an operator. */
export function configure(command: Command): void {
  command
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option('--package <name>', 'the name of the package, and of the operator')
    .option('--display-name <name>', 'the display name')
    .option('--description <text>', 'what it does, in Markdown')
    .option('--operator-version <version>', 'its version, semver')
    .option('--image <image>', 'the image of the operator, with a tag or a digest')
    .option('--channel <name>', 'a channel (repeatable; the last is the default)', collect)
    .option(
      '--maintainer <name and address>',
      "such as 'Shops <shops@example.com>' (repeatable)",
      collect,
    )
    .option('--provider <name>', 'the organization that provides it')
    .option('--capabilities <level>', 'its capability level, such as Basic Install')
    .option(
      '--category <name>',
      'a category under which it is listed, such as Database (repeatable)',
      collect,
    )
    .option('--min-kube-version <version>', 'the oldest Kubernetes version that it supports')
    .option(
      '--crds <source>',
      'a file or folder of CustomResourceDefinitions (repeatable)',
      collect,
    );
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
On a terminal, the command prompts for missing options; otherwise it reports all of them. It writes a starting
point: operator.ts, bundle.ts, definitions/ and app.ts, which renders the bundle and its catalog.

Examples:
  tenantry bundle init --to packaging --crds config/crd/bases
  tenantry bundle init --to packaging --package shops --display-name Shops --description 'Runs shops.' \\
    --operator-version 1.0.0 --image quay.io/example/shops:1.0.0 --channel stable --provider Example \\
    --maintainer 'Shops <shops@example.com>' --capabilities 'Basic Install' --category Database \\
    --min-kube-version 1.30.0

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: BundleInitOptions) => {
      process.exitCode = await runBundleInit(options);
    });
}

/** The command line, as commander gives it. */
export interface BundleInitOptions extends Omit<
  GivenAnswers,
  'channels' | 'maintainers' | 'categories' | 'version'
> {
  readonly to: string;
  readonly operatorVersion?: string;
  readonly channel?: readonly string[];
  readonly maintainer?: readonly string[];
  readonly category?: readonly string[];
  readonly crds?: readonly string[];
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/**
 * Writes the program of a new bundle.
 * @throws {UsageError} when the questions are interrupted
 */
export async function runBundleInit(options: BundleInitOptions): Promise<ExitCode> {
  checkFolder(options.to);
  const { operatorVersion, channel, maintainer, category, crds = [] } = options;
  const { found, problems: unread } = await readSources(crds, { report: () => {} });
  const { modules, problems: unusable, failures } = importDefinitions(found);
  const [failure] = failures;
  if (failure) throw new Error(failure.error);
  const wrong = [...unread, ...unusable];
  if (wrong.length > 0) return refuse(wrong, options);
  const answers = await answered(
    {
      ...options,
      ...(operatorVersion !== undefined && { version: operatorVersion }),
      ...(channel && { channels: channel }),
      ...(maintainer && { maintainers: maintainer }),
      ...(category && { categories: category }),
    },
    options,
  );
  if ('problems' in answers) return refuse(answers.problems, options);
  const files = renderNewProgram(answers, modules);
  const blocked = inTheWay(options.to, files);
  if (blocked.length > 0) return refuse(blocked, options);
  writeNew(options.to, files);
  printResult(
    files.map(({ path }) => path),
    options,
  );
  return 0;
}

/** Collects the answers, with questions if there is a terminal. */
function answered(given: GivenAnswers, { output }: BundleInitOptions) {
  if (!isInteractive() || output === 'json') return answersTo(given, undefined);
  return withPrompt('nothing was written: the questions ended', (ask) =>
    answersTo(given, { ask, print: (line) => console.error(line) }),
  );
}

function refuse(problems: readonly Problem[], options: BundleInitOptions): ExitCode {
  const sorted = new InvalidInput(problems).problems;
  if (options.output === 'json') printJson('bundle init', { outcome: 'refused', problems: sorted });
  else
    printProblems(sorted, `${options.to} is as it was`, paintIf(resolveColors(options.color).err));
  return 1;
}

function printResult(
  paths: readonly string[],
  { to, output, quiet = false, color }: BundleInitOptions,
) {
  if (output === 'json')
    return printJson('bundle init', { outcome: 'done', problems: [], files: paths });
  if (quiet) return;
  const paint = paintIf(resolveColors(color).out);
  console.log(`${paint('bold', count(paths.length, 'file'))} in ${to}`);
  for (const path of paths) console.log(`  + ${path}`);
  console.log(`Next: say in operator.ts what it may do, then node ${to}/app.ts`);
}

/** The answers that options give, by key. Lists keep their items as given. */
export type GivenAnswers = Readonly<
  Partial<Record<keyof BundleAnswers, string | readonly string[]>>
>;

/**
 * Collects the answers to all questions from options and, if there is one, from a person. Without a
 * person, all missing or invalid answers are reported at once.
 */
export async function answersTo(
  given: GivenAnswers,
  person: { readonly ask: Prompt; readonly print: (line: string) => void } | undefined,
): Promise<BundleAnswers | { readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const answers: Partial<Record<keyof BundleAnswers, string | readonly string[]>> = {};
  for (const question of bundleQuestions) {
    const answer = given[question.key];
    if (answer !== undefined) {
      const items = typeof answer === 'string' ? [answer] : answer;
      problems.push(...listFaults(question, items).map((message) => problem(question, message)));
      answers[question.key] = question.isList ? items : items[0]!;
    } else if (!person) {
      problems.push(problem(question, `must be given, such as ${show(question.example)}`));
    }
  }
  if (problems.length > 0) return { problems };
  for (const question of bundleQuestions) {
    if (answers[question.key] === undefined)
      answers[question.key] = await askFor(question, person!);
  }
  return answers as BundleAnswers;
}

function problem({ flag }: BundleQuestion, message: string): Problem {
  return { path: flag, message, rule: 'answer' };
}

function listFaults({ wrong, example }: BundleQuestion, items: readonly string[]): string[] {
  if (items.length === 0) return [`must have a value, such as ${show(example)}`];
  return items.flatMap((item) => {
    const must = wrong(item);
    return must === undefined ? [] : [`must be ${must}, got ${show(item)}`];
  });
}

/** Repeats the question until the answer is valid. */
async function askFor(
  question: BundleQuestion,
  { ask, print }: { readonly ask: Prompt; readonly print: (line: string) => void },
): Promise<string | readonly string[]> {
  const { prompt, example, otherwise, isList } = question;
  const hint = otherwise === undefined ? `such as ${example}` : otherwise;
  const several = isList ? ', with commas between' : '';
  for (;;) {
    const text = (await ask(`${prompt}${several} (${hint}): `)).trim();
    const items = parseItems(question, text === '' ? (otherwise ?? '') : text);
    const faults = listFaults(question, items);
    if (faults.length === 0) return isList ? items : items[0]!;
    for (const fault of faults) print(fault);
  }
}
