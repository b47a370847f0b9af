import type { ExitCode } from './ending.ts';
import { colorsOf, type ColorChoice } from './settings.ts';
import { getTenant, withCluster, type ClusterOptions } from './status/cluster.ts';
import { differencesOf } from './status/differences.ts';
import { driftLines } from './status/drift-lines.ts';
import { hintsOf } from './status/hints.ts';
import { driftMarkdown } from './status/markdown.ts';
import { standingOf } from './status/standing.ts';
import { paintIf, tellJson } from './words.ts';

/** The command line, as commander gives it. */
export interface DriftOptions extends ClusterOptions {
  readonly output: 'text' | 'json' | 'markdown';
  readonly color: ColorChoice;
}

/**
 * Prints how a tenant differs from what is declared.
 * @throws {UsageError} where the cluster does not answer, or has no such tenant
 */
export async function runDrift(name: string, options: DriftOptions): Promise<ExitCode> {
  const tenant = await withCluster(options, ({ client }) => getTenant(client, name));
  const now = new Date();
  const differences = differencesOf(tenant);
  const warnings = hintsOf([tenant], now);
  const { output } = options;
  const { out, err } = colorsOf(options.color);
  if (output === 'json') {
    const { objects, more, undeclared, moreUndeclared } = differences;
    const drift = objects.flatMap((one) => one.differences);
    const said = { tenant: standingOf(tenant), drift, more, undeclared, moreUndeclared };
    tellJson('drift', { outcome: 'done', ...said, warnings });
    return 0;
  }
  for (const { message } of warnings) {
    console.error(`${paintIf(err)('yellow', 'warning')} ${message}`);
  }
  if (output === 'markdown') console.log(driftMarkdown(tenant, differences));
  else for (const line of driftLines(tenant, differences, now, paintIf(out))) console.log(line);
  return 0;
}
