import type { Command } from 'commander';
import type { Problem } from '@tenantry/kube/problem';
import { withCluster, type ClusterOptions } from '../cluster/with-cluster.ts';
import { paintIf, printJson, problemLines } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { addContextOptions, addReportOptions, DATE_OPTION } from '../options.ts';
import { withRenderedFolder, type RenderedOptions } from '../rendered.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import type { AccessSource } from './access-source.ts';
import { DeclaredPlaces } from './declared-places.ts';
import { readCommittedSources } from './history/committed-source.ts';
import { LineCommits } from './line-commits.ts';
import { readLiveSource } from './live-source.ts';
import { readFolderSources } from './rendered-source.ts';
import { GrantReporter } from './report-grants.ts';

/** The options of every command about access, as commander gives them. */
export interface AccessOptions extends RenderedOptions, ClusterOptions {
  readonly cluster?: string;
  readonly fromCluster?: boolean;
  readonly at?: string;
}

/** Adds the options that choose files or a cluster, and those of reports. */
export function addAccessOptions(command: Command): Command {
  command
    .option(
      '--rendered <dir>',
      'read this rendered output, or folder of manifests, instead of rendering',
    )
    .option('--cluster <name>', 'only this cluster of the rendered output (default: all)')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--date <day>', DATE_OPTION)
    .option('--at <when>', 'as committed at the end of this day, or in this revision')
    .option('--from-cluster', 'read a cluster instead of files; it is only listed');
  return addReportOptions(addContextOptions(command), 'print no warnings and notes');
}

/** What commands about access answer from. */
export interface GivenAccess {
  /** Each cluster of the files, or the one that was read. */
  readonly sources: readonly AccessSource[];
  readonly reporter: GrantReporter;
  readonly settings: Settings;
  readonly warnings: readonly Problem[];
  /** The commit of `--at`. */
  readonly commit?: string;
}

/**
 * Reads roles and bindings, from files or from a cluster, and passes them. Files that cannot be read are refused.
 * @param command the name of the command in JSON
 * @throws {UsageError} when the command line contradicts itself, or the cluster does not answer
 */
export async function withAccess(
  command: string,
  options: AccessOptions,
  use: (given: GivenAccess) => ExitCode,
): Promise<ExitCode> {
  checkSource(options);
  if (options.fromCluster) {
    const settings = resolveSettings(options);
    const source = await withCluster(options, readLiveSource);
    const reporter = new GrantReporter(new DeclaredPlaces(undefined), new LineCommits(undefined));
    return use({ sources: [source], reporter, settings, warnings: [] });
  }
  if (options.at !== undefined) return answerAt(command, options.at, options, use);
  return withRenderedFolder(command, options, (folder, settings, warnings) => {
    const shown = options.rendered ?? settings.out;
    const { sources, problems } = readFolderSources(folder, shown, options.cluster);
    if (problems.length > 0) return refuse(command, problems, settings);
    const isDeclared = options.rendered === undefined;
    const reporter = new GrantReporter(
      new DeclaredPlaces(isDeclared ? settings : undefined),
      new LineCommits(namesCommits(command, settings) ? { folder, shown } : undefined),
    );
    return use({ sources, reporter, settings, warnings });
  });
}

/** Whether the report names commits of lines. Finding them costs a run of Git for each. */
const namesCommits = (command: string, { json }: Settings): boolean =>
  json || command === 'access can';

/** Answers from the output folder as a commit has it. */
function answerAt(
  command: string,
  at: string,
  options: AccessOptions,
  use: (given: GivenAccess) => ExitCode,
): ExitCode {
  const settings = resolveSettings(options);
  const shown = options.rendered ?? settings.out;
  const { sources, problems, commit } = readCommittedSources(shown, at, {
    cluster: options.cluster,
    memory: settings.memory,
  });
  if (problems.length > 0) return refuse(command, problems, settings);
  if (!settings.quiet && !settings.json) console.error(`note: as of ${commit.slice(0, 10)}`);
  const folders = { folder: shown, shown, revision: commit };
  const commits = new LineCommits(namesCommits(command, settings) ? folders : undefined);
  const reporter = new GrantReporter(new DeclaredPlaces(undefined), commits);
  return use({ sources, reporter, settings, warnings: [], commit });
}

function refuse(command: string, problems: readonly Problem[], settings: Settings): ExitCode {
  if (settings.json) printJson(command, { outcome: 'refused', problems });
  else for (const line of problemLines(problems, paintIf(settings.colors.err))) console.error(line);
  return 1;
}

const ofFiles = ['rendered', 'tenants', 'platform', 'date', 'cluster', 'at'] as const;
const ofClusters = ['kubeconfig', 'context'] as const;

/** @throws {UsageError} when options of files and of clusters are combined */
function checkSource(options: AccessOptions): void {
  const given = (names: readonly (keyof AccessOptions)[]): string =>
    names
      .filter((name) => options[name] !== undefined)
      .map((name) => `--${name}`)
      .join(' and ');
  const [files, clusters] = [given(ofFiles), given(ofClusters)];
  if (options.fromCluster && files !== '') {
    throw new UsageError(`--from-cluster cannot be combined with ${files}`);
  }
  const declared = given(['tenants', 'platform', 'date']);
  if (options.at !== undefined && declared !== '') {
    throw new UsageError(
      `--at reads the committed output, and cannot be combined with ${declared}`,
    );
  }
  if (!options.fromCluster && clusters !== '') {
    throw new UsageError(`${clusters} must be given with --from-cluster`);
  }
}
