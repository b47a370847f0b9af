import { Option, type Command } from 'commander';
import { readFileSync } from 'node:fs';
import { readPlatform } from '../../apps/platform-file.ts';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { CannotRun, runOperator, type OperatorProps } from '../../operator/main.ts';
import { readSettings, resolveCluster } from '../../operator/settings/read-settings.ts';
import {
  CONFIG,
  formatFlag,
  settingNames,
  settings,
  formatVariable,
} from '../../operator/settings/settings.ts';
import type { ExitCode } from '../failure-report.ts';
import { resolveColors } from '../settings.ts';
import { paintIf, problemLines } from '../console-output.ts';

/** `tenantry serve`: runs the tenant operator, usually in a pod. */
export function configure(command: Command): void {
  for (const name of settingNames) {
    const { taker, description, absent, absence } = settings[name];
    const otherwise = `default: ${absent ?? absence}; ${formatVariable(name)}`;
    const flags = `--${formatFlag(name)} <${taker.value}>`;
    command.addOption(new Option(flags, `${description} (${otherwise})`));
  }
  command
    .addOption(
      new Option(
        `--${CONFIG} <file>`,
        `a YAML file of settings, named like the flags in camelCase (default: none; ${formatVariable(CONFIG)})`,
      ),
    )
    .addHelpText(
      'after',
      `
If a setting is given several times, the flag wins over the variable, and the variable over the file. All
problems with the settings and the Platform are reported together, before the operator contacts a cluster.

It logs JSON lines to standard error. /readyz returns 200 once the caches have read the cluster.

Examples:
  tenantry serve --cluster fra1
  tenantry serve --cluster fra1 --context admin@fra1 --leader-election false --metrics-address off
  TENANTRY_CLUSTER=fra1 tenantry serve --config operator.yaml

Exit codes: 0 stopped; 1 user error, or leadership was lost; 2 internal error.`,
    )
    .action(async (flags: Readonly<Record<string, string>>) => {
      process.exitCode = await serve(flags);
    });
}

/** Runs the operator until the process receives a signal to stop. */
async function serve(flags: Readonly<Record<string, string>>): Promise<ExitCode> {
  try {
    await runOperator(parseProps(flags));
    return 0;
  } catch (error) {
    if (error instanceof InvalidInput) return printErrors(problemLines(error.problems, paint()));
    if (error instanceof CannotRun)
      return printErrors([`${paint()('red', 'error')} ${error.message}`]);
    throw error;
  }
}

/** @throws {InvalidInput} with all problems of the settings and the platform */
function parseProps(flags: Readonly<Record<string, string>>): OperatorProps {
  const read = readSettings({
    flags,
    environment: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const {
    platform,
    text,
    problems: ofPlatform,
  } = readPlatform(read.settings.platform, { mustExist: true });
  const problems: Problem[] = [...read.problems, ...ofPlatform];
  if (text === undefined) throw new InvalidInput(problems);
  const { cluster, problems: ofBoth } = resolveCluster(read, { platform, text });
  problems.push(...ofBoth);
  if (cluster === undefined || problems.length > 0) throw new InvalidInput(problems);
  return { settings: read.settings, platform, cluster };
}

const paint = () => paintIf(resolveColors('auto').err);

function printErrors(lines: readonly string[]): ExitCode {
  for (const line of lines) console.error(line);
  return 1;
}
