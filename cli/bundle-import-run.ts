import { importBundle, type ImportedBundle } from '../constructs/olm/import/importbundle.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { placing } from '../olm/bundle/problem.ts';
import { readBundle } from '../olm/folder/readbundle.ts';
import type { ExitCode } from './ending.ts';
import { inTheWay, writeNew } from './new-program.ts';
import { colorsOf, type ColorChoice } from './settings.ts';
import { count, paintIf, tellJson, tellProblems, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface BundleImportOptions {
  readonly to: string;
  readonly partial?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/** Writes the TypeScript that gives a bundle again, and tells what it does not give. */
export function runBundleImport(source: string, options: BundleImportOptions): ExitCode {
  const bundle = readBundle(source);
  const place = placing(bundle, source);
  if (!bundle.csv) return refuse(bundle.faults.map(place), [], options);
  const imported = importBundle(bundle, source);
  const lost = sorted(imported.notCarried.map(place));
  const blocked = inTheWay(options.to, imported.files);
  const warnings = sorted(imported.accepted.map(place).map(told));
  if (blocked.length > 0 || (lost.length > 0 && options.partial !== true)) {
    return refuse([...blocked, ...lost], warnings, options);
  }
  writeNew(options.to, imported.files);
  tellDone(imported, [...lost, ...warnings], options);
  return 0;
}

/** What is wrong with the source, and is accepted from now on. */
function told({ message, rule, ...problem }: Problem): Problem {
  return { ...problem, rule, message: `${message} (${rule}, accepted)` };
}

function refuse(
  problems: readonly Problem[],
  warnings: readonly Problem[],
  options: BundleImportOptions,
): ExitCode {
  if (options.output === 'json') {
    tellJson('bundle import', { outcome: 'refused', problems: sorted(problems), warnings });
    return 1;
  }
  const paint = paintIf(colorsOf(options.color).err);
  if (!options.quiet) for (const line of warningLines(warnings, paint)) console.error(line);
  tellProblems(sorted(problems), `${options.to} is as it was`, paint);
  return 1;
}

function tellDone(
  { files, props }: ImportedBundle,
  warnings: readonly Problem[],
  { to, output, quiet = false, color }: BundleImportOptions,
): void {
  const paths = files.map(({ path }) => path);
  if (output === 'json') {
    tellJson('bundle import', { outcome: 'done', problems: [], warnings, files: paths });
    return;
  }
  const colors = colorsOf(color);
  for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  if (quiet) return;
  const { name, version = 'without a version' } = props.operator;
  const paint = paintIf(colors.out);
  console.log(`${paint('bold', `${name} ${version}`)} in ${to}: ${count(files.length, 'file')}`);
  for (const path of paths) console.log(`  + ${path}`);
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return new InvalidInput(problems).problems;
}
