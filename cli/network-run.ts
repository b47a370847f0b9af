import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkReport, tenantsIn } from '../apps/network-report.ts';
import { didYouMean, findNearest, show, type Problem } from '../kube/problem.ts';
import { runApp } from './app.ts';
import { reportFailure, type ExitCode } from './ending.ts';
import { networkLines } from './network-words.ts';
import { readRendered, type Rendered } from './rendered.ts';
import { resolveSettings, type CommandOptions, type Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, problemLines, printJson, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface NetworkOptions extends CommandOptions {
  readonly rendered?: string;
}

/**
 * Prints who can reach whom.
 * @param tenant limits the output to one tenant
 * @throws {UsageError} when the command line contradicts itself, or there is no such tenant
 */
export async function runNetwork(
  tenant: string | undefined,
  options: NetworkOptions,
): Promise<ExitCode> {
  if (options.rendered !== undefined && (options.tenants ?? options.platform) !== undefined) {
    throw new UsageError('--rendered cannot be combined with --tenants or --platform');
  }
  const settings = resolveSettings(options);
  if (options.rendered !== undefined) return report(tenant, read(options.rendered), settings);
  const out = mkdtempSync(join(tmpdir(), 'tenantry-network-'));
  try {
    const { memory: _, ...forgetful } = settings;
    const ended = await runApp({ ...forgetful, out: join(out, 'dist') }, 'write');
    if (ended.outcome !== 'done') return reportFailure('network', ended, settings);
    return report(tenant, read(join(out, 'dist')), settings, ended.summary.warnings);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const read = (folder: string): Rendered => readRendered(folder, ['Namespace', 'NetworkPolicy']);

function report(
  tenant: string | undefined,
  { clusters, problems }: Rendered,
  { json, quiet, colors }: Settings,
  warnings: readonly Problem[] = [],
): ExitCode {
  if (problems.length > 0) {
    if (json) printJson('network', { outcome: 'refused', problems });
    else for (const line of problemLines(problems, paintIf(colors.err))) console.error(line);
    return 1;
  }
  if (tenant !== undefined) checkTenant(tenant, tenantsIn(clusters));
  const reported = networkReport(clusters, { tenant });
  if (json) {
    printJson('network', { outcome: 'done', clusters: reported, warnings });
    return 0;
  }
  if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  for (const line of networkLines(reported, paintIf(colors.out))) console.log(line);
  return 0;
}

function checkTenant(name: string, known: ReadonlySet<string>): void {
  if (known.has(name)) return;
  const hint = didYouMean(findNearest(name, known));
  throw new UsageError(`the tenant must be one that has a namespace, got ${show(name)}${hint}`);
}
