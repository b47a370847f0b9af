import type { Command } from 'commander';
import { addReportOptions } from '../../options.ts';
import { join, resolve } from 'node:path';
import { importBundle, type ImportedBundle } from '@tenantry/olm/constructs/import/import-bundle';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { createFindingLocator, type Bundle, type BundleFinding } from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { foldersToBuild, isKustomization, isProject } from '@tenantry/olm/folder/project-folder';
import { checkConfigFolder, readProject } from '@tenantry/olm/folder/read-project';
import type { ExitCode } from '../../failure-report.ts';
import { buildKustomizations, type Kustomized } from './kustomize.ts';
import { checkFolder, inTheWay, writeNew } from './new-program.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { count, paintIf, printJson, printProblems, warningLines } from '../../console-output.ts';

/** `tenantry bundle import`: converts an existing bundle to TypeScript. */
export function configure(command: Command): void {
  command
    .argument('<source>', 'a bundle (folder or OCI image layout), or the folder of a project')
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option(
      '--overlay <dir>',
      'the kustomization of a project to build (default: config/manifests, or else config/default)',
    )
    .option('--partial', 'write what can be imported, and warn about the rest');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
Writes a program with the typed props of a Bundle: bundle.ts, operator.ts, definitions/ as written by
\`tenantry crd import\`, and app.ts, which renders it. Before it writes, it renders the program and compares the
result with the source. Everything that cannot be imported is reported with its place. Projects are built with
the kustomize on the PATH, or else with that of kubectl. Rules that the source breaks are listed as accepted, so
that it can be rendered unchanged.

Examples:
  tenantry bundle import operators/redis/1.2.3 --to redis
  tenantry bundle import . --to packaging
  tenantry bundle import . --to packaging --overlay config/overlays/production
  skopeo copy docker://quay.io/example/redis-bundle:v1.2.3 oci:layout &&
    tenantry bundle import layout --to redis --partial

Exit codes: 0 done; 1 user error, or something cannot be imported without --partial;
2 internal error.`,
    )
    .action(async (source: string, options: BundleImportOptions) => {
      process.exitCode = runBundleImport(source, options);
    });
}

/** The command line, as commander gives it. */
export interface BundleImportOptions {
  readonly to: string;
  readonly overlay?: string;
  readonly partial?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/** Writes TypeScript that generates a bundle, and reports what it does not reproduce. */
export function runBundleImport(source: string, options: BundleImportOptions): ExitCode {
  checkFolder(options.to);
  const alone = checkConfigFolder(source).map((one) => toProblem(one, { file: source }));
  if (alone.length > 0) return refuse(alone, [], options);
  const wrong = wrongOverlay(source, options.overlay);
  if (wrong) return refuse([wrong], [], options);
  const kustomized = isProject(source)
    ? buildKustomizations(source, foldersToBuild(source, options.overlay))
    : undefined;
  // Files that were not built would be reported as missing.
  const notBuilt = kustomized?.findings.filter(isError) ?? [];
  if (notBuilt.length > 0) return refuse(notBuilt.map(placeIn(source)), [], options);
  const { bundle, place, found, definitionsIn } = sourceAt(source, kustomized);
  if (!bundle.csv) return refuse([...found, ...bundle.faults].map(place), [], options);
  const imported = importBundle(bundle, definitionsIn);
  const lost = sorted([...found.filter(isError), ...imported.notCarried].map(place));
  const blocked = inTheWay(options.to, imported.files);
  const beside = found.filter((one) => !isError(one)).map(place);
  const warnings = sorted([
    ...beside,
    ...imported.accepted.map((one) => annotateProblem(place(one), 'accepted')),
    ...imported.mended.map((one) => annotateProblem(place(one), 'no longer so')),
  ]);
  if (blocked.length > 0 || (lost.length > 0 && options.partial !== true)) {
    return refuse([...blocked, ...lost], warnings, options);
  }
  writeNew(options.to, imported.files);
  printResult(imported, [...lost, ...warnings], options);
  return 0;
}

const isError = ({ severity }: BundleFinding): boolean => severity === 'error';

/** Adds the file in the project to a finding. */
const placeIn = (source: string) => (finding: BundleFinding) => {
  const file = finding.file === undefined ? source : join(source, finding.file);
  return toProblem(finding, { file, ...finding.position });
};

/** Returns the reason why an overlay cannot be built. */
function wrongOverlay(source: string, overlay: string | undefined): Problem | undefined {
  if (overlay === undefined) return undefined;
  if (!isProject(source)) {
    const message = 'must be a project where --overlay names what to build, got something else';
    return toProblem(errorAt([], message, 'project'), { file: source });
  }
  const folder = resolve(source, overlay);
  if (isKustomization(folder)) return undefined;
  const message = 'must be a folder with a kustomization.yaml, got none';
  return toProblem(errorAt([], message, 'overlay'), { file: join(source, overlay) });
}

/** A bundle or the bundle of a project, with the places of its findings. */
function sourceAt(
  source: string,
  kustomized: Kustomized | undefined,
): {
  readonly bundle: Bundle;
  readonly place: (finding: BundleFinding) => Problem;
  /** Findings about the project itself. */
  readonly found: readonly BundleFinding[];
  readonly definitionsIn: (file: string) => string;
} {
  if (!kustomized) {
    const bundle = readBundle(source);
    return {
      bundle,
      place: createFindingLocator(bundle, source),
      found: [],
      definitionsIn: (file) => join(source, file),
    };
  }
  const { bundle, findings: read } = readProject(source, kustomized.built);
  const findings = [...kustomized.findings, ...read];
  const inBundle = createFindingLocator(bundle, `${source.replace(/\/+$/, '')} (its bundle)`);
  const ofProject = new Set(findings);
  const inProject = placeIn(source);
  const place = (finding: BundleFinding): Problem =>
    ofProject.has(finding) ? inProject(finding) : inBundle(finding);
  const definitions = join(source, 'config', 'crd', 'bases');
  return { bundle, place, found: findings, definitionsIn: () => definitions };
}

/** Appends to a problem what the import does about it. */
function annotateProblem({ message, rule, ...problem }: Problem, what: string): Problem {
  return { ...problem, rule, message: `${message} (${rule}, ${what})` };
}

function refuse(
  problems: readonly Problem[],
  warnings: readonly Problem[],
  options: BundleImportOptions,
): ExitCode {
  if (options.output === 'json') {
    printJson('bundle import', { outcome: 'refused', problems: sorted(problems), warnings });
    return 1;
  }
  const paint = paintIf(resolveColors(options.color).err);
  if (!options.quiet) for (const line of warningLines(warnings, paint)) console.error(line);
  printProblems(sorted(problems), `${options.to} is as it was`, paint);
  return 1;
}

function printResult(
  { files, props }: ImportedBundle,
  warnings: readonly Problem[],
  { to, output, quiet = false, color }: BundleImportOptions,
): void {
  const paths = files.map(({ path }) => path);
  if (output === 'json') {
    printJson('bundle import', { outcome: 'done', problems: [], warnings, files: paths });
    return;
  }
  const colors = resolveColors(color);
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
