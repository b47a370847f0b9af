import type { Command } from 'commander';
import { addClusterOptions, choice, collect } from '../../options.ts';
import { show } from '@tenantry/kube/problem';
import type { Client } from '@tenantry/runtime/client/client';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice, type Colors } from '../../settings.ts';
import {
  getTenant,
  listTenants,
  withCluster,
  type ClusterOptions,
} from '../../tenants/read-tenants.ts';
import { findFailing, failures, type Failing, type Failure } from '../../tenants/fail-on.ts';
import { findOperatorHints } from '../../tenants/operator-hints.ts';
import { tenantMarkdown, tenantsMarkdown } from '../../tenants/markdown.ts';
import {
  sortWorstFirst,
  summarizeTenant,
  type LiveTenant,
  countByState,
  totalsLine,
} from '../../tenants/tenant-summary.ts';
import { tableLines } from '../../tenants/table.ts';
import { tenantLines } from '../../tenants/tenant-lines.ts';
import { tenantsTable } from '../../tenants/tenants-table.ts';
import { UsageError } from '../../usage-error.ts';
import { count, paintIf, printJson, truncateList } from '../../console-output.ts';
import { followTenants } from '../../tenants/follow-tenants.ts';
import { runUntilInterrupted } from '../../cluster/run-cluster-operation.ts';
import { Screen, TenantLog, TenantScreen, type WatchConsole } from '../../tenants/watch-output.ts';

/** `tenantry tenant status`: prints the state of the tenants of a cluster, as the operator reports it. */
export function configure(command: Command): void {
  command
    .argument('[tenant]', 'print all details of this tenant (default: one line for each)')
    .option('--watch', 'keep running until Ctrl-C, and print each change')
    .addOption(
      choice('--output <format>', 'the output format', 'table', 'wide', 'json', 'markdown'),
    )
    .option(
      '--fail-on <what>',
      'exit with 1 on drift, not-ready or undeclared, or if the state is unknown (repeatable)',
      collect,
    );
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Reads only the status that the operator writes to each Tenant. It needs the right to get, list and watch
tenants.tenantry.dev. Tenants with problems come first.

  READY       whether everything is as declared; - if the operator has not reported yet
  DRIFTED     fields that differ from the declaration; see tenantry tenant drift
  UNDECLARED  role bindings and network policies that nobody declared
  SINCE       how long the tenant has been ready, or not ready

With --fail-on, a tenant of unknown state fails too; a cordoned tenant does not. With --watch, a terminal
is redrawn; otherwise each change is a line. The exit code is that of the last state.

Examples:
  tenantry tenant status
  tenantry tenant status payments
  tenantry tenant status --watch --context fra1
  tenantry tenant status --fail-on drift --fail-on not-ready --output markdown

Exit codes: 0 done; 1 a tenant fails (--fail-on), or a user error; 2 internal error.`,
    )
    .action(async (tenant: string | undefined, options: StatusOptions) => {
      process.exitCode = await runStatus(tenant, options);
    });
}

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
  const request: StatusRequest = {
    name,
    output,
    color,
    failOn: parseFailures(options.failOn ?? []),
  };
  const watched = watch ? watchable(output) : undefined;
  return withCluster(options, async ({ client }) => {
    const tenants = await readTenants(client, name);
    if (watched === undefined) return report(tenants, request);
    const last = await watchTenants(client, name, watched, resolveColors(color));
    return reportFailing(findFailing(last, request.failOn), request);
  });
}

function watchable(output: StatusOptions['output']): WatchedOutput {
  if (output !== 'markdown') return output;
  throw new UsageError('--watch must be given with --output table, wide or json, got markdown');
}

function parseFailures(words: readonly string[]): readonly Failure[] {
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

function report(tenants: readonly LiveTenant[], request: StatusRequest): ExitCode {
  const { name, output, failOn, color } = request;
  const now = new Date();
  const failing = findFailing(tenants, failOn);
  const warnings = findOperatorHints(tenants, now);
  if (output === 'json') {
    const outcome = failing.length > 0 ? 'refused' : 'done';
    printJson('tenant status', { outcome, ...json(tenants, name), failing, warnings });
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
    const summaries = sortWorstFirst(tenants.map(summarizeTenant));
    const table = tenantsTable(summaries, now, { isWide: output === 'wide' });
    if (summaries.length > 0) {
      for (const line of tableLines(table, paintIf(out))) console.log(line);
      console.log('');
    }
    console.log(totalsLine(countByState(summaries)));
  }
  return reportFailing(failing, request);
}

function json(tenants: readonly LiveTenant[], name: string | undefined): object {
  const summaries = sortWorstFirst(tenants.map(summarizeTenant));
  const [one] = tenants;
  if (name !== undefined && one) return { tenant: summaries[0], status: one.status ?? null };
  return { tenants: summaries, totals: countByState(summaries) };
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

/** The formats that can be printed line by line. */
export type WatchedOutput = 'table' | 'wide' | 'json';

/** Milliseconds between two checks for something to draw. */
const tick = 100;

/**
 * Prints the state of tenants until Ctrl-C. It redraws a terminal; elsewhere it prints a line for
 * each change.
 * @returns the tenants in their last state
 */
export async function watchTenants(
  client: Client,
  name: string | undefined,
  output: WatchedOutput,
  colors: Colors,
): Promise<readonly LiveTenant[]> {
  const watchConsole: WatchConsole = {
    out: (line) => console.log(line),
    err: (line) => console.error(line),
    paint: paintIf(colors.out),
    paintError: paintIf(colors.err),
    now: () => new Date(),
  };
  const isDrawn = process.stdout.isTTY && output !== 'json';
  const last = await runUntilInterrupted((signal) =>
    isDrawn
      ? draw(client, name, output, watchConsole, signal)
      : followTenants(client, new TenantLog(watchConsole, output), { name, signal }),
  );
  return [...last.values()];
}

async function draw(
  client: Client,
  name: string | undefined,
  output: WatchedOutput,
  watchConsole: WatchConsole,
  signal: AbortSignal,
): ReturnType<typeof followTenants> {
  const { stdout } = process;
  const screen = new Screen({
    get rows() {
      return stdout.rows;
    },
    write: (text) => void stdout.write(text),
  });
  const drawn = new TenantScreen(screen, watchConsole, output === 'wide', name);
  const resized = (): void => drawn.resized();
  const timer = setInterval(() => drawn.tick(), tick);
  stdout.on('resize', resized);
  try {
    return await followTenants(client, drawn, { name, signal });
  } finally {
    clearInterval(timer);
    stdout.off('resize', resized);
  }
}
