import type { Command } from 'commander';
import { addClusterOptions, choice } from '../../options.ts';
import { olmStatus } from '@tenantry/olm/live-cluster/olm-status';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { withCluster, type ClusterOptions } from '../../cluster/with-cluster.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { tableLines } from '../../tenants/table.ts';
import { paintIf, printJson } from '../../console-output.ts';

/** `tenantry olm status`: prints the state of OLM on a cluster. */
export function configure(command: Command): void {
  command.addOption(choice('--output <format>', 'the output format', 'text', 'json'));
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Prints which OLM is installed (v0, v1), whether its Deployments are available, and the state of each catalog,
Subscription, pending InstallPlan, ClusterServiceVersion, ClusterCatalog and ClusterExtension, with the reason if one is
stuck. Copies of ClusterServiceVersions in other namespaces are left out. It needs the right to list these kinds and
Deployments.

Examples:
  tenantry olm status
  tenantry olm status --context fra1 --output json

Exit codes: 0 OLM is installed, even if something is stuck; 1 it is not, or a user error; 2 internal error.`,
    )
    .action(async (options: OlmStatusOptions) => {
      process.exitCode = await runOlmStatus(options);
    });
}

/** The command line, as commander gives it. */
export interface OlmStatusOptions extends ClusterOptions {
  readonly output: 'text' | 'json';
  readonly color: ColorChoice;
}

/**
 * Prints the state of OLM on a cluster.
 * @throws {UsageError} when the cluster does not answer, or refuses
 */
export async function runOlmStatus(options: OlmStatusOptions): Promise<ExitCode> {
  const { versions, standings } = await withCluster(options, ({ client }) => olmStatus(client));
  const code = versions.length > 0 ? 0 : 1;
  if (options.output === 'json') {
    printJson('olm status', { outcome: code === 0 ? 'done' : 'refused', versions, standings });
    return code;
  }
  const colors = resolveColors(options.color);
  if (code === 1) {
    const must = 'the cluster must have OLM, got neither its kinds of v0 nor those of v1';
    console.error(`${paintIf(colors.err)('red', 'error')} ${must}`);
    return code;
  }
  const paint = paintIf(colors.out);
  console.log(`OLM ${versions.join(' and ')}`);
  const rows = standings.map(({ what, state, of = '', isFine }) => [
    { text: what },
    { text: state, style: isFine ? ('green' as const) : ('yellow' as const) },
    { text: of },
  ]);
  if (rows.length > 0) {
    for (const line of tableLines({ head: ['WHAT', 'STATE', 'OF'], rows }, paint))
      console.log(line);
  }
  for (const { what, reasons } of standings) {
    for (const reason of reasons) console.log(escapeForTerminal(`${what}: ${reason}`));
  }
  return code;
}
