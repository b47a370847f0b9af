import { Option, type Command } from 'commander';
import { show } from '@tenantry/kube/problem';
import { parseDuration } from '@tenantry/kube/time';
import { UsageError } from './usage-error.ts';

/** An option that accepts one of several words and defaults to the first. */
export function choice(flags: string, what: string, ...words: readonly string[]): Option {
  return new Option(flags, what).choices(words).default(words[0]);
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, all: readonly string[] = []): string[] {
  return [...all, value];
}

/** Describes `--date`. */
export const DATE_OPTION =
  'render what has not ended before this day (default: the date of HEAD; today without a commit)';

/** Adds the options of a command that renders the fleet. */
export function addRenderOptions(command: Command): Command {
  command
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--date <day>', DATE_OPTION)
    .option('--warnings-as-errors', 'treat warnings as errors')
    .option(
      '--workers <n>',
      'rendering threads (default: 1; for a large fleet, one fewer than cores)',
    );
  return addReportOptions(command, 'print only problems');
}

/** Adds the options for reports: `--output`, `--quiet`, `--color`. */
export function addReportOptions(command: Command, quiet: string): Command {
  return command
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .option('--quiet', quiet)
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'));
}

/**
 * Adds the options that select a cluster, as in kubectl, and color: `--kubeconfig`, `--context`,
 * `--color`.
 */
export function addClusterOptions(command: Command): Command {
  return addContextOptions(command).addOption(
    choice('--color <when>', 'color the output', 'auto', 'always', 'never'),
  );
}

/** Adds the options that select a cluster, as in kubectl: `--kubeconfig`, `--context`. */
export function addContextOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig file (default: KUBECONFIG, or ~/.kube/config)')
    .option('--context <name>', 'a context of the kubeconfig (default: its current one)');
}

/** Adds the options of a command that changes a cluster: `--timeout`, `--output`, `--quiet`. */
export function addOperationOptions(command: Command, timeout: string): Command {
  return command
    .option('--timeout <duration>', 'the time limit', timeout)
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .option('--quiet', 'print only problems');
}

/**
 * Parses the duration of --timeout, such as `90s` or `5m`, into milliseconds.
 * @throws {UsageError} when the text is no duration from a second to a day
 */
export function parseTimeout(text: string): number {
  const milliseconds = Number(parseDuration(text) ?? -1n) / 1e6;
  if (milliseconds >= 1000 && milliseconds <= 24 * 3_600_000) return milliseconds;
  throw new UsageError(
    `--timeout must be a duration from 1s to 24h, such as 90s or 5m, got ${show(text)}`,
  );
}
