import { renderNewProgram } from '../constructs/olm/start/program.ts';
import { importDefinitions } from '../crds/import.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { answersTo, type GivenAnswers } from './bundle-questions.ts';
import { readSources } from './crd-import-source.ts';
import type { ExitCode } from './ending.ts';
import { checkFolder, inTheWay, writeNew } from './new-program.ts';
import { isInteractive, withPrompt } from './interactive.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { count, paintIf, printJson, printProblems } from './words.ts';

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
  const { found, problems: unread } = await readSources(crds, { say: () => {} });
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
    answersTo(given, { ask, tell: (line) => console.error(line) }),
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
