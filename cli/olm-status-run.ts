import { olmStatus } from '../install/olm/olm-status.ts';
import { escapeForTerminal } from '../kube/printable.ts';
import { withCluster, type ClusterOptions } from './cluster/opened.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { tableLines } from './tenants/table.ts';
import { paintIf, printJson } from './words.ts';

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
