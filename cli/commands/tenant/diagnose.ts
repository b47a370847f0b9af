import type { Command } from 'commander';
import { addClusterOptions, choice } from '../../options.ts';
import { escapeJsonForTerminal } from '@tenantry/kube/printable';
import { diagnose } from '../../../operator/diagnosis/diagnose.ts';
import { withCluster, type ClusterOptions } from '../../cluster/with-cluster.ts';
import type { ExitCode } from '../../failure-report.ts';
import { printJson } from '../../console-output.ts';

/** `tenantry tenant diagnose`: prints the data for a support request. */
export function configure(command: Command): void {
  command
    .option('--namespace <name>', 'where the operator runs', 'tenantry-system')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'));
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Contacts only the API server, so it works while the operator is down. Prints the images, conditions and restarts of the
Deployment and its pods, the leader, the versions of the definitions, the digest of the Platform, the rights that the
account lacks, and how many tenants have which reason. It reads no Secret, environment variable or log, and prints no
name of a tenant. If you may not read a part, it prints the answer of the API server instead.

Examples:
  tenantry tenant diagnose
  tenantry tenant diagnose --context fra1 --output json > diagnosis.json

Exit codes: 0 printed, whatever was found; 1 user error; 2 internal error.`,
    )
    .action(async (options: DiagnoseOptions) => {
      const version = findRoot(command).version() ?? 'unknown';
      process.exitCode = await runDiagnose(version, options);
    });
}

function findRoot(command: Command): Command {
  return command.parent ? findRoot(command.parent) : command;
}

/** The command line, as commander gives it. */
export interface DiagnoseOptions extends ClusterOptions {
  readonly output: 'text' | 'json';
  readonly namespace: string;
}

/**
 * Prints the state of the operator on a cluster.
 * @throws {UsageError} when the cluster does not answer
 */
export async function runDiagnose(version: string, options: DiagnoseOptions): Promise<ExitCode> {
  const report = await withCluster(options, async ({ client, server }) => ({
    version,
    server,
    ...(await diagnose(client, options.namespace)),
  }));
  if (options.output === 'json') {
    printJson('tenant diagnose', { outcome: 'done', ...report });
    return 0;
  }
  for (const [part, found] of Object.entries(report)) {
    if (part === 'notRead') continue;
    console.log(`${part}: ${escapeJsonForTerminal(JSON.stringify(found))}`);
  }
  for (const { part, why } of report.notRead)
    console.log(escapeJsonForTerminal(`${part}: not read: ${why}`));
  return 0;
}
