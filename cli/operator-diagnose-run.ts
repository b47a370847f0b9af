import { escapeJsonForTerminal } from '../kube/printable.ts';
import { diagnose } from '../operator/diagnosis/diagnose.ts';
import { withCluster, type ClusterOptions } from './cluster/opened.ts';
import type { ExitCode } from './ending.ts';
import { printJson } from './words.ts';

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
    printJson('operator diagnose', { outcome: 'done', ...report });
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
