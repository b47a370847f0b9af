import type { Command } from 'commander';
import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { readDeclarations } from '../../crds/declarations.ts';
import { platform as platformKind, type PlatformSpec } from '../../crds/platform.ts';
import type { Grouping } from '../../import/tenant-names.ts';
import { importManifests, type ImportResult } from '../../import/import-manifests.ts';
import type { ManifestFile } from '../../import/manifests.ts';
import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { paintIf, printJson, printProblems } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { compareFiles, writeFiles } from '../import-files.ts';
import { buildImportReport, findUnusedAccepts, type ImportReport } from '../import-report.ts';
import { importLines, importMarkdown } from '../import-report-text.ts';
import {
  buildUnreadableProblem,
  manifestFiles,
  readFile,
  readStandardInput,
  Unreadable,
} from '../manifest-files.ts';
import { choice, collect } from '../options.ts';
import { resolveColors, type ColorChoice } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

/** `tenantry import`: declares existing namespaces as Tenants, and proves that nothing changes. */
export function configure(command: Command): void {
  command
    .argument('<source...>', 'file or folder of manifests, or - for standard input')
    .option('--out <dir>', 'the folder for tenants and their class', 'tenants')
    .option('--platform <file>', 'the platform file, which is written or added to', 'tenantry.yaml')
    .option('--class <class>', 'the name of the class that is derived', 'imported')
    .option('--cluster <name>', 'the cluster, for a new platform file', 'in-cluster')
    .option(
      '--group-by <rule>',
      'what the namespaces of a tenant share: name, label:KEY, annotation:KEY, or none (default: proposed)',
    )
    .option('--map <file>', 'YAML with the namespaces of tenants: `tenants: { shop: [shop-dev] }`')
    .option(
      '--accept <object>',
      "an object that may differ or be left out: 'Kind namespace/name', with * for any text (repeatable)",
      collect,
    )
    .option('--keep-going', 'leave out files with an error; without it, one stops the import')
    .option('--overwrite', 'replace files that exist with other content')
    .option('--dry-run', 'write nothing')
    .addOption(choice('--report <format>', 'the report', 'text', 'json', 'markdown'))
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
Groups the namespaces of the source into tenants, derives a class from what repeats, and writes the platform
file, <out>/classes/<class>.yaml, and <out>/<tenant>.yaml. Objects without a field stay in the files that they
were in, below <out>/resources. Then it renders what it wrote and compares every object with the source, by what
an API server would store. Secrets are named, and never copied. It reads no cluster.

Nothing is written if a file has an error, or if a file that exists would change. A platform file that exists keeps its
text, and gets what the import needs besides. The report lists what is different, left out, and probably wrong in the source.

Examples:
  tenantry import manifests/
  kustomize build overlays/prod | tenantry import -
  tenantry import manifests/ --group-by label:team --dry-run
  tenantry import manifests/ --accept 'ClusterRole *' --report markdown > import.md

Exit codes: 0 every object is equal or accepted; 1 some are not, or a user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: ImportOptions) => {
      process.exitCode = await runImport(sources, options);
    });
}

interface ImportOptions {
  readonly out: string;
  readonly platform: string;
  readonly class: string;
  readonly cluster: string;
  readonly groupBy?: string;
  readonly map?: string;
  readonly accept?: readonly string[];
  readonly keepGoing?: boolean;
  readonly overwrite?: boolean;
  readonly dryRun?: boolean;
  readonly report: 'text' | 'json' | 'markdown';
  readonly color: ColorChoice;
}

async function runImport(sources: readonly string[], options: ImportOptions): Promise<ExitCode> {
  checkNames(options);
  const grouping = options.groupBy === undefined ? undefined : parseGrouping(options.groupBy);
  try {
    const files = await readSources(sources, options.out);
    const result = importManifests(
      files,
      omitUndefined({
        className: options.class,
        cluster: options.cluster,
        pinned: options.map === undefined ? new Map<string, string>() : readMapping(options.map),
        grouping,
        keepGoing: options.keepGoing,
        platform: readOwnPlatform(options.platform),
      }),
    );
    if (!('proof' in result)) throw new InvalidInput(result.problems);
    if (result.namespaces === 0) throw new InvalidInput(explainNothing(result, sources));
    return finish(result, options);
  } catch (error) {
    if (error instanceof InvalidInput) return refuse(error.problems, options);
    return refuse([buildUnreadableProblem(options.out, error)], options);
  }
}

/** Explains why no namespace of the source can be a tenant's. */
function explainNothing({ proof, problems }: ImportResult, sources: readonly string[]): Problem[] {
  const refused = proof.objects.flatMap((one): Problem[] => {
    if (one.verdict !== 'left-out' || one.found.object.kind !== 'Namespace') return [];
    const { file, line, object } = one.found;
    const message = `must be a namespace that a tenant may have, got ${show(object.metadata.name)}: ${one.reason}`;
    return [{ file, line, column: 1, path: 'metadata.name', message, rule: 'namespace-name' }];
  });
  const message = 'must have a Namespace, got none';
  const none = [{ path: sources.join(' '), message, rule: 'file' }];
  return [...problems, ...(refused.length > 0 ? refused : none)];
}

function refuse(problems: readonly Problem[], { report, color }: ImportOptions): ExitCode {
  if (report === 'json') printJson('import', { outcome: 'refused', problems });
  else {
    const paint = paintIf(resolveColors(color).err);
    printProblems(problems, 'nothing was written', paint);
  }
  return 1;
}

function finish(result: ImportResult, options: ImportOptions): ExitCode {
  const { proof } = result;
  if (proof.problems.length > 0) {
    // The rules accepted each part, so the import made a mistake.
    throw new Error(
      `the declarations have errors: ${new InvalidInput(proof.problems.slice(0, 10)).message}`,
    );
  }
  const unused = findUnusedAccepts(result, options.accept ?? []);
  if (unused.length > 0) {
    throw new UsageError(
      `--accept must match an object that is different or left out, got ${unused.map((one) => show(one)).join(', ')}`,
    );
  }
  const files = compareFiles(result, options);
  const isBlocked = !options.overwrite && files.some(({ change }) => change === 'changed');
  const isWritten = !options.dryRun && !isBlocked;
  if (isWritten) writeFiles(files.filter(({ change }) => change !== 'unchanged'));
  const report = buildImportReport(result, {
    accepted: options.accept ?? [],
    files,
    isWritten,
    isBlocked,
    className: options.class,
  });
  print(report, options);
  return report.outcome === 'done' ? 0 : 1;
}

function print(report: ImportReport, { report: format, color }: ImportOptions): void {
  if (format === 'json') return printJson('import', report);
  const lines =
    format === 'markdown'
      ? importMarkdown(report)
      : importLines(report, paintIf(resolveColors(color).out));
  for (const line of lines) console.log(line);
}

/** @throws {UsageError} for all names that cannot be used */
function checkNames(options: ImportOptions): void {
  const wrong = (['class', 'cluster'] as const).filter((name) => !isDnsLabel(options[name]));
  if (wrong.length === 0) return;
  const got = wrong.map((name) => `--${name} ${show(options[name])}`).join(' and ');
  throw new UsageError(
    `${wrong.map((name) => `--${name}`).join(' and ')} must be ${A_DNS_LABEL}, got ${got}`,
  );
}

/** @throws {UsageError} for an unknown rule */
function parseGrouping(text: string): Grouping {
  if (text === 'name' || text === 'none') return { by: text };
  const [, by, key] = /^(label|annotation):(.+)$/.exec(text) ?? [];
  if (key !== undefined) return { by: by as 'label' | 'annotation', key };
  throw new UsageError(
    `--group-by must be name, none, label:KEY or annotation:KEY, got ${show(text)}`,
  );
}

/** @throws {InvalidInput} with every source that cannot be read */
async function readSources(sources: readonly string[], out: string): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  const problems: Problem[] = [];
  const own = resolve(out) + sep;
  for (const source of new Set(sources)) {
    try {
      if (source === '-') files.push({ file: '-', text: await readStandardInput() });
      else {
        const isFolder = statSync(source).isDirectory();
        const paths = isFolder ? manifestFiles(source) : [source];
        // What an earlier import wrote is no source.
        const others = paths.filter((path) => !resolve(path).startsWith(own));
        if (others.length === 0)
          throw new Unreadable('must hold a .yaml, .yml or .json file, got none');
        for (const file of others) files.push({ file, text: readFile(file) });
      }
    } catch (error) {
      problems.push(buildUnreadableProblem(source === '-' ? 'standard input' : source, error));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return files;
}

/** @throws {InvalidInput} when the file exists and is no Platform */
function readOwnPlatform(file: string): PlatformSpec | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const { declared, problems } = readDeclarations(file, readFile(file), [platformKind], () => {
    throw new Error('a Platform includes no files');
  });
  if (problems.length > 0) throw new InvalidInput(problems);
  return declared[0]?.spec;
}

/**
 * Reads the tenants of namespaces.
 * @throws {InvalidInput} for anything else
 */
function readMapping(file: string): ReadonlyMap<string, string> {
  const problems: Problem[] = [];
  const report = (path: string, message: string): void => {
    problems.push({ file, path, message, rule: 'schema' });
  };
  const pinned = new Map<string, string>();
  try {
    const { documents, problems: broken } = readDocuments(readFile(file));
    problems.push(...broken.map((one) => ({ file, ...one, path: '', rule: 'yaml' })));
    const value = documents[0]?.value;
    const tenants = isMapping(value) ? value['tenants'] : undefined;
    if (problems.length === 0 && !isMapping(tenants)) {
      report('tenants', `must be a mapping of tenants to their namespaces, got ${show(tenants)}`);
    }
    for (const [tenant, names] of Object.entries(isMapping(tenants) ? tenants : {})) {
      if (!isDnsLabel(tenant)) report(`tenants.${tenant}`, `must be named by ${A_DNS_LABEL}`);
      if (!Array.isArray(names)) {
        report(`tenants.${tenant}`, `must be a list of namespaces, got ${show(names)}`);
        continue;
      }
      for (const name of names as readonly unknown[]) {
        if (typeof name !== 'string')
          report(`tenants.${tenant}`, `must name namespaces, got ${show(name)}`);
        else if (pinned.has(name)) report(`tenants.${tenant}`, `must not repeat ${show(name)}`);
        else pinned.set(name, tenant);
      }
    }
  } catch (error) {
    problems.push(buildUnreadableProblem(file, error));
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return pinned;
}
