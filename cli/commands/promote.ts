import type { Command } from 'commander';
import { choice, collect } from '../options.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildChangeSet, countByRisk, type ChangeSet } from '../../apps/plan/plan.ts';
import { measureSize } from '../../apps/size.ts';
import { layout } from '../../model/layout.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { didYouMean, findNearest, formatList, show, type Problem } from '@tenantry/kube/problem';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { isUpToDate } from '../../synth/output/output.ts';
import type { Summary } from '../../synth/report.ts';
import { runApp } from '../app.ts';
import { BaseTree } from '../git/base-tree.ts';
import { selectJsonFields, unrenderedLines } from '../changes.ts';
import { reportFailure, type ExitCode } from '../failure-report.ts';
import {
  EnvironmentBranch,
  redactCredentials,
  type SourceCommit,
  type Tip,
} from '../git/environment-branch.ts';
import { runGit } from '../git/git.ts';
import { planLines, planMarkdown, planSummary } from '../plan-report.ts';
import { combineRemovals } from '../removals/combine-removals.ts';
import { resolveSettings, type CommandOptions, type Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../console-output.ts';

/** `tenantry promote`: pushes the rendered output to the branch that a cluster syncs. */
export function configure(command: Command): void {
  command
    .argument('<clusters...>', 'the clusters that are synced to the branch')
    .option('--branch <name>', 'the environment branch (default: env/<cluster>)')
    .option('--remote <name>', 'the Git remote of the branch', 'origin')
    .option('--dry-run', 'print what would be pushed, and push nothing')
    .option(
      '--allow-removal <name>',
      'a tenant, tenant/namespace, or namespace of no tenant that may be removed (repeatable)',
      collect,
    )
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json', 'markdown'))
    .option('--quiet', 'print only changes of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
The branch contains what is rendered for the clusters and nothing else. Each promotion adds one commit,
whose message names the commit of HEAD that it was rendered from. The working folder and the index do not
change. The command prints the plan of what changes on the clusters.

Nothing is pushed if the output folder differs from what is declared, if there are uncommitted changes,
if the branch was made from a commit that HEAD does not contain, or if a tenant or namespace would be
removed that was not Retired on the branch before.

Examples:
  tenantry promote fra1 --dry-run
  tenantry promote fra1
  tenantry promote fra1 arn1 --branch env/prod
  tenantry promote fra1 --output markdown >> "$GITHUB_STEP_SUMMARY"

Exit codes: 0 pushed, or nothing to push; 1 user error; 2 internal error.`,
    )
    .action(async (clusters: string[], options: PromoteOptions) => {
      process.exitCode = await runPromote(clusters, options);
    });
}

/** The command line, as commander gives it. */
export interface PromoteOptions extends Omit<CommandOptions, 'output'> {
  readonly branch?: string;
  readonly remote: string;
  readonly dryRun?: boolean;
  readonly allowRemoval?: readonly string[];
  readonly output: 'text' | 'json' | 'markdown';
}

/**
 * Pushes the rendered output of some clusters to their environment branch.
 * @throws {UsageError} when the command line, the repository or the branch does not allow it
 */
export async function runPromote(
  clusters: readonly string[],
  options: PromoteOptions,
): Promise<ExitCode> {
  const settings = resolveSettings({
    ...options,
    output: options.output === 'json' ? 'json' : 'text',
  });
  const branch = new EnvironmentBranch(options.remote, resolveBranchName(clusters, options.branch));
  const place = branch.resolveFolder(settings.out);
  const source = branch.readSourceCommit([settings.tenants, settings.platform]);
  const report = await runApp(settings, 'compare');
  if (report.outcome !== 'done') return reportFailure('promote', report, settings);
  const { summary } = report;
  if (!isUpToDate(summary.changes)) return reportStaleOutput(summary, settings);
  const files = summary.files.filter((path) => isRenderedFor(clusters, path));
  checkClusters(clusters, summary);
  const tip = branch.fetch();
  if (tip) {
    branch.checkOrder(source.id, tip);
    checkFiles(branch, tip, place, clusters);
  }
  const base = tip && openBase(branch, tip, place, settings);
  const own = {
    ...summary,
    holders: summary.holders.filter((one) => clusters.includes(one.cluster)),
  };
  const out = settings.out;
  const allowed = options.allowRemoval ?? [];
  const { gone, unsure } = combineRemovals(base ? [base] : [], own, { out, allowed });
  const texts = files.map((path) => [path, readFileSync(join(out, path), 'utf8')] as const);
  const before = base && [...base.read(base.files)];
  const plan = before ? buildChangeSet(before, texts) : { changes: [], unread: [] };
  const promotion: Promotion = {
    clusters,
    branch,
    tip,
    source,
    plan,
    holds: formatContents(own),
    problems: gone,
    warnings: [...summary.warnings, ...unsure],
    state:
      gone.length > 0
        ? 'refused'
        : computeState(tip?.madeOf === source.id && hasSameFiles(before, texts), options),
  };
  if (promotion.state !== 'pushed') return printPromotion(promotion, settings, options);
  const onDisk = files.map((path) => [`${place}/${path}`, join(out, path)] as const);
  const commit = branch.commit(new Map(onDisk), formatCommitMessage(promotion), tip?.id);
  branch.push(commit);
  return printPromotion({ ...promotion, commit }, settings, options);
}

function resolveBranchName(clusters: readonly string[], name: string | undefined): string {
  if (name !== undefined) return name;
  if (clusters.length > 1) {
    throw new UsageError(
      `--branch must be given for several clusters, got ${formatList(clusters)}`,
    );
  }
  return `env/${clusters[0]}`;
}

/**
 * The folders of a cluster on its environment branch: its objects, and the projects that admit them
 * to Argo CD.
 */
const listClusterFolders = (cluster: string): readonly string[] => [
  `${CLUSTERS}/${cluster}/`,
  `${layout.argocd.projects(cluster)}/`,
];

function isRenderedFor(clusters: readonly string[], path: string): boolean {
  return clusters.flatMap(listClusterFolders).some((folder) => path.startsWith(folder));
}

function clusterIn(path: string): string {
  const [folder, cluster = '', ...rest] = path.split('/');
  return folder === CLUSTERS && rest.length > 0 ? cluster : '';
}

function checkClusters(clusters: readonly string[], { files }: Summary): void {
  const known = new Set(files.map(clusterIn).filter((name) => name !== ''));
  for (const name of clusters) {
    if (known.has(name)) continue;
    const hint = didYouMean(findNearest(name, known));
    throw new UsageError(`the cluster must be one that Tenantry renders, got ${show(name)}${hint}`);
  }
}

/**
 * Checks that the branch holds nothing but the rendered output of these clusters, so that nothing
 * is lost.
 */
function checkFiles(
  branch: EnvironmentBranch,
  { id }: Tip,
  place: string,
  clusters: readonly string[],
): void {
  const isOurs = (path: string): boolean =>
    path.startsWith(`${place}/`) && isRenderedFor(clusters, path.slice(place.length + 1));
  const other = branch.listFiles(id).find((path) => !isOurs(path));
  if (other === undefined) return;
  throw new UsageError(
    `${branch.displayName} must hold nothing but what is rendered for ${formatList(clusters)} to ${place}, got ${show(other)}`,
  );
}

function openBase(branch: EnvironmentBranch, { id }: Tip, folder: string, { out }: Settings) {
  return new BaseTree(branch.top, { id, name: branch.displayName, folder, out }, runGit);
}

/** A promotion and its outcome. */
interface Promotion {
  readonly clusters: readonly string[];
  readonly branch: EnvironmentBranch;
  readonly tip: Tip | undefined;
  readonly source: SourceCommit;
  readonly plan: ChangeSet;
  /** A summary of the output for the clusters: `2 tenants, 3 namespaces`. */
  readonly holds: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly state: 'pushed' | 'dry run' | 'up to date' | 'refused';
  readonly commit?: string;
}

function computeState(isThere: boolean, { dryRun }: PromoteOptions): Promotion['state'] {
  if (isThere) return 'up to date';
  return dryRun ? 'dry run' : 'pushed';
}

type Texts = readonly (readonly [path: string, text: string])[];

/** Whether the branch has the same files, which is false after a manual edit. */
function hasSameFiles(before: Texts | undefined, texts: Texts): boolean {
  if (before?.length !== texts.length) return false;
  const known = new Map(before);
  return texts.every(([path, text]) => known.get(path) === text);
}

/** The number of changes that a commit message lists. */
const LISTED = 30;

function formatCommitMessage({ clusters, source, plan, tip, holds }: Promotion): string {
  const shown = plan.changes.filter(({ risk }) => risk !== 'low').slice(0, LISTED);
  const lines = shown.map(
    ({ risk, subject, message }) =>
      `- ${risk}: ${escapeMentions(escapeForTerminal(`${subject} ${message}`))}`,
  );
  return [
    `Render ${clusters.join(', ')} from ${source.id.slice(0, 10)}`,
    '',
    tip ? planSummary(plan) : `The first: ${holds}`,
    ...lines,
    '',
    ...source.trailers,
    '',
  ].join('\n');
}

/** Escapes mentions, since forges notify everyone whom a commit message mentions on every push. */
function escapeMentions(text: string): string {
  return text.replaceAll(/(?<!\w)@/g, String.raw`\u0040`);
}

function reportStaleOutput({ changes }: Summary, { json, out, colors }: Settings): ExitCode {
  if (json)
    printJson('promote', { outcome: 'refused', files: selectJsonFields(changes), problems: [] });
  else for (const line of unrenderedLines(changes, out, paintIf(colors.err))) console.error(line);
  return 1;
}

function printPromotion(
  promotion: Promotion,
  settings: Settings,
  options: PromoteOptions,
): ExitCode {
  const { plan, problems, warnings, state } = promotion;
  const code = state === 'refused' ? 1 : 0;
  if (options.output === 'json') {
    printJson('promote', toJson(promotion));
    return code;
  }
  const { quiet, colors } = settings;
  const paint = paintIf(colors.err);
  if (!quiet) for (const line of warningLines(warnings, paint)) console.error(line);
  const changes = quiet ? plan.changes.filter(({ risk }) => risk !== 'low') : plan.changes;
  if (options.output === 'markdown')
    console.log(planMarkdown({ ...plan, changes }, formatResult(promotion)));
  else for (const line of planLines({ ...plan, changes }, paintIf(colors.out))) console.log(line);
  for (const line of problemLines(problems, paint)) console.error(line);
  if (problems.length > 0) {
    console.error('Promote the commit in which it was Retired first, so that the branch has it.');
  }
  if (options.output === 'text' && !quiet && state !== 'refused') {
    console.log(`${formatResult(promotion)}${promotion.tip ? `: ${planSummary(plan)}` : ''}`);
  }
  return code;
}

function toJson({
  branch,
  clusters,
  tip,
  source,
  plan,
  problems,
  warnings,
  state,
  commit,
}: Promotion): Readonly<Record<string, unknown>> {
  return omitUndefined({
    outcome: state === 'refused' ? 'refused' : 'done',
    remote: redactCredentials(branch.remote),
    branch: branch.name,
    clusters,
    source: source.id,
    before: tip && { commit: tip.id, source: tip.madeOf },
    commit,
    pushed: commit !== undefined,
    totals: countByRisk(plan.changes),
    changes: plan.changes,
    problems,
    warnings,
  });
}

function formatContents(summary: Summary): string {
  const { tenants, namespaces } = measureSize(summary);
  return `${count(tenants, 'tenant')}, ${count(namespaces, 'namespace')}`;
}

/** Formats the outcome as a sentence without its end. */
function formatResult({ branch, tip, source, holds, state, commit }: Promotion): string {
  const to = branch.displayName;
  const from = source.id.slice(0, 10);
  const first = tip ? '' : `, the first: ${holds}`;
  if (state === 'up to date') return `${to} is made of ${from} already`;
  if (state === 'refused') return `${to} stays as it is: not made of ${from}`;
  if (state === 'dry run') return `${to} would be made of ${from}${first}`;
  return `${to} is made of ${from} now, as ${commit?.slice(0, 10)}${first}`;
}
