import { lstatSync, readdirSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { ejectOutput, type Ejection, type LeftOut } from '../../apps/eject/ejection.ts';
import { formatReadme } from '../../apps/eject/readme.ts';
import { planLeaving } from '../../apps/eject/steps.ts';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { show, type Problem } from '@tenantry/kube/problem';
import {
  count,
  paintIf,
  printJson,
  printProblems,
  truncateList,
  warningLines,
} from '../console-output.ts';
import { compareWithRendered, readOutput } from '../ejected-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { writeNewFiles } from '../new-files/write-new-files.ts';
import { addReportOptions, DATE_OPTION } from '../options.ts';
import { withRenderedFolder, type RenderedOptions } from '../rendered.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

/** `tenantry eject`: writes the fleet as plain YAML, with the steps that leave Tenantry. */
export function configure(command: Command): void {
  command
    .option('--to <dir>', 'the folder for the plain YAML, new or empty', 'ejected')
    .option('--without-policies', 'leave out the admission policies, and the marks that they read')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--date <day>', DATE_OPTION);
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, and writes the objects as plain YAML that can replace the output folder: the same
paths, names and Applications. It leaves out Tenants, TenantClasses, their definitions, and the operator. It
removes marks of Tenantry, such as the label app.kubernetes.io/managed-by, unless an object reads them. Network
policies, quotas, access, Argo CD's options and the admission policies stay. With --without-policies the
policies are removed too, and the report has what each of them stopped.

The README.md of the folder has the steps that are left, in an order that opens nothing. docs/leaving.md explains
them. The command contacts no cluster, and changes no file outside of the new folder. It refuses an output folder
that differs from the declarations.

Examples:
  tenantry eject
  tenantry eject --dry-run
  tenantry eject --without-policies --to plain
  tenantry eject --rendered dist --output json

Exit codes: 0 done; 1 a user error; 2 internal error.`,
    )
    .action(async (options: EjectOptions) => {
      process.exitCode = await runEject(options);
    });
}

/** The command line, as commander gives it. */
interface EjectOptions extends RenderedOptions {
  readonly to: string;
  readonly withoutPolicies?: boolean;
  readonly dryRun?: boolean;
}

/**
 * Writes the plain YAML, or nothing.
 * @throws {UsageError} when the command line contradicts itself, or the folder cannot be written
 */
async function runEject(options: EjectOptions): Promise<ExitCode> {
  const { tenants, out: output } = resolveSettings(options);
  const out = options.rendered ?? output;
  checkTarget(options.to, [out, tenants]);
  return withRenderedFolder('eject', options, (folder, settings, warnings) => {
    const { texts, problems } = readOutput(folder);
    const isTemporary = options.rendered === undefined;
    const stale = isTemporary ? compareWithRendered(out, texts) : [];
    const all = [...problems, ...stale];
    if (all.length > 0) return refuse(all, settings, options);
    const ejection = ejectOutput(texts, { withoutPolicies: options.withoutPolicies ?? false });
    if ('problems' in ejection) return refuse(ejection.problems, settings, options);
    const readme = formatReadme(ejection, planLeaving(ejection), { out, to: options.to });
    const files = [...ejection.files, { path: 'README.md', text: readme }];
    if (options.dryRun !== true) writeNewFiles(options.to, files, '--to');
    print(ejection, [...warnings, ...warnOfUnsynced(ejection)], settings, options);
    return 0;
  });
}

function warnOfUnsynced({ unsynced }: Ejection): Problem[] {
  const message =
    'must be in a folder that is synced afterwards, got one whose Application is left out: move it, see the README';
  return unsynced.map((file) => ({ file, path: '', message, rule: 'eject-unsynced' }));
}

/**
 * @param others folders of the fleet
 * @throws {UsageError} when the folder exists with content, or contains or is in one of the others
 */
function checkTarget(to: string, others: readonly string[]): void {
  const isIn = (inner: string, outer: string): boolean =>
    `${resolve(inner)}${sep}`.startsWith(`${resolve(outer)}${sep}`);
  for (const other of others) {
    if (!isIn(to, other) && !isIn(other, to)) continue;
    throw new UsageError(
      `--to must be outside of ${escapeForTerminal(other)} and not contain it, got ${show(to)}`,
    );
  }
  const got = describeTarget(to);
  if (got !== undefined) {
    throw new UsageError(
      `--to must be a new or an empty folder, got ${show(to)}: ${got}. No file is overwritten`,
    );
  }
}

/** Returns why a folder cannot be written; undefined if it can. */
function describeTarget(to: string): string | undefined {
  try {
    const stats = lstatSync(to, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return 'a file or a link';
    const [first] = readdirSync(to);
    return first === undefined ? undefined : `it has ${escapeForTerminal(first)}`;
  } catch (error) {
    // A file in the path, or a folder that must not be read.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return escapeForTerminal((error as Error).message);
  }
}

function refuse(problems: readonly Problem[], settings: Settings, { to }: EjectOptions): ExitCode {
  if (settings.json) printJson('eject', { outcome: 'refused', problems });
  else
    printProblems(
      problems,
      `${escapeForTerminal(to)} was not written`,
      paintIf(settings.colors.err),
    );
  return 1;
}

function print(
  ejection: Ejection,
  warnings: readonly Problem[],
  settings: Settings,
  options: EjectOptions,
): void {
  if (settings.json) return printJson('eject', buildReport(ejection, warnings, options));
  for (const line of warningLines(warnings, paintIf(settings.colors.err))) console.error(line);
  if (settings.quiet) return;
  const to = escapeForTerminal(options.to);
  const { files, objects, marks, policies, leftOut, leftOutFiles } = ejection;
  const paint = paintIf(settings.colors.out);
  const verb = options.dryRun ? 'to write' : 'written';
  console.log(
    paint(
      'bold',
      `${count(files.length + 1, 'file')} ${verb} to ${to}, ${count(objects, 'object')}`,
    ),
  );
  const sections = [
    { title: 'Left out', lines: [...leftOutLines(leftOut), ...leftOutFiles] },
    { title: 'Marks', lines: marks.map(formatMark) },
    {
      title: options.withoutPolicies
        ? 'Policies that are removed, and what is open without them'
        : 'Policies that stay in force',
      lines: policies.map(({ name, loss }) =>
        options.withoutPolicies ? `${name}: ${loss}` : name,
      ),
    },
  ];
  for (const { title, lines } of sections) {
    if (lines.length === 0) continue;
    console.log(`\n${paint('bold', `${title}:`)}`);
    for (const line of truncateList(lines, LISTED)) console.log(`  ${escapeForTerminal(line)}`);
  }
  console.log(options.dryRun ? '\nNothing was written.' : `\nNext: follow ${to}/README.md.`);
}

/** The number of lines of a section; JSON has all. */
const LISTED = 50;

function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const groups = Map.groupBy(
    leftOut,
    ({ reason, cluster, object }) =>
      `${object.kind}${words[reason]}${cluster === '' ? '' : ` on ${cluster}`}`,
  );
  return Array.from(groups, ([what, some]) => {
    const names = truncateList(
      some.map(({ object }) => object.metadata.name),
      5,
    );
    return `${what}: ${names.join(', ')}`;
  });
}

const words: Readonly<Record<LeftOut['reason'], string>> = {
  kind: '',
  operator: ' of the operator',
  policy: '',
  application: ' of a folder that is left out',
};

function formatMark({ mark, objects, readers }: Ejection['marks'][number]): string {
  const what = `${mark.part.slice(0, -1)} ${mark.key} of ${count(objects, 'object')}`;
  if (readers.length === 0) return `- ${what}: removed`;
  return `  ${what}: stays, ${truncateList(readers, 2).join(', ')} ${readers.length === 1 ? 'reads' : 'read'} it`;
}

function buildReport(
  ejection: Ejection,
  warnings: readonly Problem[],
  { to, dryRun = false, withoutPolicies = false }: EjectOptions,
) {
  const { files, leftOut, leftOutFiles, marks, policies, objects, clusters } = ejection;
  return {
    outcome: 'done',
    dryRun,
    folder: to,
    objects,
    clusters,
    files: [...files.map(({ path }) => path), 'README.md'],
    leftOut: leftOut.map(({ path, reason, object: { apiVersion, kind, metadata } }) => ({
      path,
      reason,
      apiVersion,
      kind,
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    })),
    leftOutFiles,
    marks: marks.map(({ mark, objects: number, readers }) => ({
      ...mark,
      objects: number,
      removed: readers.length === 0,
      readers,
    })),
    policies: policies.map((policy) => ({ ...policy, kept: !withoutPolicies })),
    warnings,
  };
}
