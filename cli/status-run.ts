import { show } from '../kube/problem.ts';
import type { Client } from '../runtime/client/client.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { getTenant, listTenants, withCluster, type ClusterOptions } from './tenants/cluster.ts';
import { failingOf, failures, type Failing, type Failure } from './tenants/failing.ts';
import { hintsOf } from './tenants/hints.ts';
import { tenantMarkdown, tenantsMarkdown } from './tenants/markdown.ts';
import { summarizeTenant, sortWorstFirst, type LiveTenant } from './tenants/standing.ts';
import { tableLines } from './tenants/table.ts';
import { tenantLines } from './tenants/tenant-lines.ts';
import { tenantsTable } from './tenants/tenants-table.ts';
import { totalsLine, countByState } from './tenants/totals.ts';
import { watchTenants, type WatchedOutput } from './status-watch.ts';
import { UsageError } from './usage-error.ts';
import { truncateList, count, paintIf, printJson } from './words.ts';

/** The command line, as commander gives it. */
export interface StatusOptions extends ClusterOptions {
  readonly watch?: boolean;
  readonly output: 'table' | 'wide' | 'json' | 'markdown';
  readonly failOn?: readonly string[];
  readonly color: ColorChoice;
}

/** The parsed and validated command line. */
interface StatusRequest {
  readonly name: string | undefined;
  readonly output: StatusOptions['output'];
  readonly failOn: readonly Failure[];
  readonly color: ColorChoice;
}

/**
 * Prints the state of tenants, once or until Ctrl-C.
 * @throws {UsageError} when the command line contradicts itself, the cluster does not answer or
 * refuses, or it has no such tenant
 */
export async function runStatus(
  name: string | undefined,
  options: StatusOptions,
): Promise<ExitCode> {
  const { output, color, watch = false } = options;
  const asked: StatusRequest = { name, output, color, failOn: failuresOf(options.failOn ?? []) };
  const watched = watch ? watchable(output) : undefined;
  return withCluster(options, async ({ client }) => {
    const tenants = await readTenants(client, name);
    if (watched === undefined) return report(tenants, asked);
    const last = await watchTenants(client, name, watched, resolveColors(color));
    return reportFailing(failingOf(last, asked.failOn), asked);
  });
}

function watchable(output: StatusOptions['output']): WatchedOutput {
  if (output !== 'markdown') return output;
  throw new UsageError('--watch must be given with --output table, wide or json, got markdown');
}

function failuresOf(words: readonly string[]): readonly Failure[] {
  return words
    .flatMap((word) => word.split(','))
    .map((word) => {
      const known = failures.find((one) => one === word);
      if (known !== undefined) return known;
      throw new UsageError(`--fail-on must be one of ${failures.join(', ')}, got ${show(word)}`);
    });
}

async function readTenants(
  client: Client,
  name: string | undefined,
): Promise<readonly LiveTenant[]> {
  return name === undefined ? listTenants(client) : [await getTenant(client, name)];
}

function report(tenants: readonly LiveTenant[], asked: StatusRequest): ExitCode {
  const { name, output, failOn, color } = asked;
  const now = new Date();
  const failing = failingOf(tenants, failOn);
  const warnings = hintsOf(tenants, now);
  if (output === 'json') {
    const outcome = failing.length > 0 ? 'refused' : 'done';
    printJson('status', { outcome, ...json(tenants, name), failing, warnings });
    return failing.length > 0 ? 1 : 0;
  }
  const { out, err } = resolveColors(color);
  for (const { message } of warnings) {
    console.error(`${paintIf(err)('yellow', 'warning')} ${message}`);
  }
  const [one] = tenants;
  if (output === 'markdown') {
    console.log(name !== undefined && one ? tenantMarkdown(one) : tenantsMarkdown(tenants, now));
  } else if (name !== undefined && one) {
    for (const line of tenantLines(one, now, paintIf(out))) console.log(line);
  } else {
    const standings = sortWorstFirst(tenants.map(summarizeTenant));
    const table = tenantsTable(standings, now, { isWide: output === 'wide' });
    if (standings.length > 0) {
      for (const line of tableLines(table, paintIf(out))) console.log(line);
      console.log('');
    }
    console.log(totalsLine(countByState(standings)));
  }
  return reportFailing(failing, asked);
}

function json(tenants: readonly LiveTenant[], name: string | undefined): object {
  const standings = sortWorstFirst(tenants.map(summarizeTenant));
  const [one] = tenants;
  if (name !== undefined && one) return { tenant: standings[0], status: one.status ?? null };
  return { tenants: standings, totals: countByState(standings) };
}

function reportFailing(failing: readonly Failing[], { failOn, color }: StatusRequest): ExitCode {
  if (failing.length === 0) return 0;
  const paint = paintIf(resolveColors(color).err);
  const names = failing.map(({ tenant, because }) => `${tenant}: ${because}`);
  const title = `${count(failing.length, 'tenant')} fail${failing.length === 1 ? 's' : ''} --fail-on ${failOn.join(',')}`;
  console.error(`${paint('red', 'error')} ${title}`);
  for (const line of truncateList(names, 20)) console.error(`  ${line}`);
  return 1;
}
