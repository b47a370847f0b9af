import type { Command } from 'commander';
import type { ImportChoices } from '../../import/declare.ts';
import { importManifests, type ImportResult } from '../../import/import-manifests.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { paintIf, printJson, printProblems } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { compareFiles, writeFiles } from '../import-files.ts';
import { checkGroupingKey, parseGrouping } from '../import-grouping.ts';
import { buildImportReport, findUnusedAccepts, type ImportReport } from '../import-report.ts';
import { importLines, importMarkdown } from '../import-report-text.ts';
import { readMapping, readOwnPlatform, readSources } from '../import-sources.ts';
import type { ImportedCluster, LiveSourceOptions } from '../live-source/import-cluster.ts';
import type { ReportedCluster } from '../live-source/reported-cluster.ts';
import { buildUnreadableProblem } from '../manifest-files.ts';
import { addClusterOptions, choice, collect } from '../options.ts';
import { resolveColors, type ColorChoice } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

/** `tenantry import`: declares existing namespaces as Tenants, and proves that nothing changes. */
export function configure(command: Command): void {
  command
    .argument('[source...]', 'file or folder of manifests, or - for standard input')
    .option('--from-cluster', 'import from a cluster instead of files; it is only read')
    .option('--selector <labels>', 'with --from-cluster: only Namespaces with these labels')
    .option(
      '--kinds <kinds>',
      "with --from-cluster: further kinds, such as ConfigMap,Deployment.apps, or '*' (repeatable)",
      collect,
    )
    .option(
      '--managed-by <manager>',
      "with --from-cluster: also objects of a manager such as 'helm:shop/redis', with * for any text (repeatable)",
      collect,
    )
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
      "an object that may differ or be left out: 'Kind namespace/name' or a manager, with * for any text (repeatable)",
      collect,
    )
    .option('--keep-going', 'leave out files with an error; without it, one stops the import')
    .option('--overwrite', 'replace files that exist with other content')
    .option('--dry-run', 'write nothing')
    .addOption(choice('--report <format>', 'the report', 'text', 'json', 'markdown'));
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Groups the namespaces of the source into tenants, derives a class from what repeats, and writes the platform
file, <out>/classes/<class>.yaml, and <out>/<tenant>.yaml. Objects without a field stay in the files that they
were in, below <out>/resources. Then it renders what it wrote and compares every object with the source, by what
an API server would store. Secrets are named, and never copied.

With --from-cluster, it lists the kinds that tenancy consists of in all namespaces but protected ones, and writes nothing
to the cluster. Objects that controllers made are counted. Objects of another Helm release, Argo CD application, Flux
object or program than the Namespace's are left out, unless --managed-by names it. Secrets are never read.

Nothing is written if a file has an error, or if a file that exists would change. A platform file that exists keeps its
text, and gets what the import needs besides. The report lists what is different, left out, and probably wrong in the source.

Examples:
  tenantry import manifests/
  kustomize build overlays/prod | tenantry import -
  tenantry import manifests/ --group-by label:team --dry-run
  tenantry import manifests/ --accept 'ClusterRole *' --report markdown > import.md
  tenantry import --from-cluster --context production --dry-run
  tenantry import --from-cluster --selector team=shop --kinds ConfigMap,Ingress
  tenantry import --from-cluster --accept 'helm:*' --managed-by program:provisioner

Exit codes: 0 every object is equal or accepted; 1 some are not, or a user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: ImportOptions) => {
      process.exitCode = await runImport(sources, options);
    });
}

interface ImportOptions extends LiveSourceOptions {
  readonly fromCluster?: boolean;
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
  checkSource(sources, options);
  const grouping = options.groupBy === undefined ? undefined : parseGrouping(options.groupBy);
  try {
    const choices = omitUndefined<ImportChoices>({
      className: options.class,
      cluster: options.cluster,
      pinned: options.map === undefined ? new Map<string, string>() : readMapping(options.map),
      grouping,
      keepGoing: options.keepGoing,
      platform: readOwnPlatform(options.platform),
    });
    const { result, cluster } = options.fromCluster
      ? await importFromCluster(withSplitKinds(options), choices)
      : { result: importManifests(await readSources(sources, options.out), choices) };
    if (!('proof' in result)) throw new InvalidInput(result.problems);
    if (result.namespaces === 0) {
      throw new InvalidInput(explainNothing(result, cluster?.server ?? sources.join(' '), cluster));
    }
    checkGroupingKey(result, grouping);
    return finish(result, options, cluster);
  } catch (error) {
    if (error instanceof InvalidInput) return refuse(error.problems, options);
    if (error instanceof UsageError) throw error;
    return refuse([buildUnreadableProblem(options.out, error)], options);
  }
}

/** Loads what reads a cluster only if there is one. */
async function importFromCluster(
  options: LiveSourceOptions,
  choices: ImportChoices,
): Promise<ImportedCluster> {
  const { importCluster } = await import('../live-source/import-cluster.ts');
  return importCluster(options, choices);
}

const withSplitKinds = ({ kinds = [], ...options }: ImportOptions): LiveSourceOptions => ({
  ...options,
  kinds: kinds.flatMap((list) => list.split(',').map((kind) => kind.trim())),
});

/** The options that only an import from a cluster has. */
const ofClusters = {
  kubeconfig: '--kubeconfig',
  context: '--context',
  selector: '--selector',
  kinds: '--kinds',
  managedBy: '--managed-by',
} as const satisfies Partial<Record<keyof ImportOptions, string>>;

/** @throws {UsageError} unless there are either files or a cluster, and only options of what there is */
function checkSource(sources: readonly string[], options: ImportOptions): void {
  if (options.fromCluster) {
    if (sources.length > 0) {
      throw new UsageError(
        `--from-cluster and files cannot be combined, got ${sources.map((one) => show(one)).join(', ')}`,
      );
    }
    if (options.keepGoing)
      throw new UsageError('--keep-going is for files, not for --from-cluster');
    return;
  }
  if (sources.length === 0) {
    throw new UsageError(
      'a source is missing: name files or folders, - for standard input, or --from-cluster',
    );
  }
  const wrong = Object.entries(ofClusters)
    .filter(([option]) => options[option as keyof typeof ofClusters] !== undefined)
    .map(([, flag]) => flag);
  if (wrong.length > 0) {
    throw new UsageError(`${wrong.join(' and ')} must be given with --from-cluster`);
  }
}

/** Explains why no namespace of the source can be a tenant's. */
function explainNothing(
  { proof, problems }: ImportResult,
  source: string,
  cluster: ReportedCluster | undefined,
): Problem[] {
  const refused = proof.objects.flatMap((one): Problem[] => {
    if (one.verdict !== 'left-out' || one.found.object.kind !== 'Namespace') return [];
    const { file, line, object } = one.found;
    const message = `must be a namespace that a tenant may have, got ${show(object.metadata.name)}: ${one.reason}`;
    const path = 'metadata.name';
    return [
      omitUndefined<Problem>({ file, line, column: 1, path, message, rule: 'namespace-name' }),
    ];
  });
  const others = (cluster?.excluded ?? []).map(
    ({ reason, namespaces }) => `; ${namespaces.length} are left out, because ${reason}`,
  );
  const message = `must have a Namespace, got none${others.join('')}`;
  const none = [{ path: source, message, rule: 'file' }];
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

function finish(
  result: ImportResult,
  options: ImportOptions,
  cluster: ReportedCluster | undefined,
): ExitCode {
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
    cluster,
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
