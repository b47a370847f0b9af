import type { Command } from 'commander';
import { addClusterOptions, choice } from '../../options.ts';
import { defaultInput } from '../../../apps/fleet-input.ts';
import { readPlatform } from '../../../apps/platform-file.ts';
import { InvalidInput, didYouMean, findNearest, formatList, show } from '@tenantry/kube/problem';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { getTenant, withCluster, type ClusterOptions } from '../../tenants/read-tenants.ts';
import { compareLive } from '../../tenants/live-comparison.ts';
import { readDrift } from '../../tenants/tenant-drift.ts';
import { driftLines } from '../../tenants/drift-lines.ts';
import { findOperatorHints } from '../../tenants/operator-hints.ts';
import { driftMarkdown } from '../../tenants/markdown.ts';
import { summarizeTenant } from '../../tenants/tenant-summary.ts';
import { UsageError } from '../../usage-error.ts';
import { paintIf, printJson } from '../../console-output.ts';

/** `tenantry tenant drift`: prints how a tenant of a cluster differs from its declaration, field by field. */
export function configure(command: Command): void {
  command
    .argument('<tenant>', 'the name of the Tenant')
    .option('--live', 'compare now on this machine instead of reading the status')
    .option('--platform <file>', 'with --live: the platform file (default: tenantry.yaml)')
    .option(
      '--cluster <name>',
      'with --live: the name of the cluster in that file (default: the only one)',
    )
    .addOption(choice('--output <format>', 'the output format', 'text', 'json', 'markdown'));
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Lists each field that differs: the declared value, the live value, the field manager that changed it as
the API server recorded it, and when the operator first saw it. Reads the status of the Tenant, which has
the first 20 differences. It needs the right to get tenants.tenantry.dev.

With --live, it compares like the operator and prints all differences, including those of a rollout in
progress. That needs the platform file and the right to read the objects of tenants.

Examples:
  tenantry tenant drift payments
  tenantry tenant drift payments --context fra1 --output markdown
  tenantry tenant drift payments --live --cluster fra1

Exit codes: 0 done, with drift or without (tenantry tenant status has --fail-on); 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string, options: DriftOptions) => {
      process.exitCode = await runDrift(tenant, options);
    });
}

/** The command line, as commander gives it. */
export interface DriftOptions extends ClusterOptions {
  readonly output: 'text' | 'json' | 'markdown';
  readonly color: ColorChoice;
  readonly live?: boolean;
  readonly platform?: string;
  readonly cluster?: string;
}

/**
 * Prints how a tenant differs from its declaration.
 * @throws {UsageError} when the cluster does not answer, or has no such tenant
 */
export async function runDrift(name: string, options: DriftOptions): Promise<ExitCode> {
  const now = new Date();
  const place = resolveLiveTarget(options);
  const { read, tenant, differences } = await withCluster(options, async ({ client }) => {
    const read = await getTenant(client, name);
    const found = place
      ? await compareLive(client, read, place, now)
      : { tenant: read, differences: readDrift(read) };
    return { read, ...found };
  });
  const warnings = findOperatorHints([read], now);
  const { output } = options;
  const { out, err } = resolveColors(options.color);
  if (output === 'json') {
    const { objects, more, undeclared, moreUndeclared } = differences;
    const drift = objects.flatMap((one) => one.differences);
    const notCompared = tenant.status?.notCompared ?? [];
    const result = { drift, more, undeclared, moreUndeclared, notCompared };
    const isLive = place !== undefined;
    printJson('tenant drift', {
      outcome: 'done',
      isLive,
      tenant: summarizeTenant(tenant),
      ...result,
      warnings,
    });
    return 0;
  }
  for (const { message } of warnings) {
    console.error(`${paintIf(err)('yellow', 'warning')} ${message}`);
  }
  if (output === 'markdown') console.log(driftMarkdown(tenant, differences));
  else for (const line of driftLines(tenant, differences, now, paintIf(out))) console.log(line);
  return 0;
}

/** Returns what a tenant is compared with on this machine; undefined without a comparison. */
function resolveLiveTarget({ live = false, platform: file, cluster: named }: DriftOptions) {
  if (!live) {
    if ((file ?? named) === undefined) return undefined;
    throw new UsageError('--platform and --cluster must be given with --live, got them alone');
  }
  const { platform, problems } = readPlatform(file ?? defaultInput.platform, { mustExist: true });
  if (problems.length > 0) throw new UsageError(new InvalidInput(problems).message);
  const names = platform.clusters.map(({ name }) => name);
  const cluster = named ?? (names.length === 1 ? names[0] : undefined);
  if (cluster !== undefined && names.includes(cluster)) return { platform, cluster };
  const hint = cluster === undefined ? '' : didYouMean(findNearest(cluster, names));
  throw new UsageError(
    `--cluster must be one of the platform's (${formatList(names)}), got ${show(cluster)}${hint}`,
  );
}
