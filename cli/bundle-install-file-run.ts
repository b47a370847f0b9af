import { InvalidInput, show, type Problem } from '../kube/problem.ts';
import { placing, type Bundle, type BundleFinding } from '../olm/bundle/bundle.ts';
import { readBundle } from '../olm/folder/read-bundle.ts';
import { buildExtensionObjects } from '../olm/install/extension-objects.ts';
import { checkExtensionSupport } from '../olm/install/extension-findings.ts';
import { buildSubscriptionObjects } from '../olm/install/subscription-objects.ts';
import type { ExitCode } from './ending.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printProblems, warningLines } from './words.ts';
import { writeObjects } from './written-objects.ts';

/** The command line, as commander gives it. */
export interface InstallFileOptions {
  readonly olm: 'v0' | 'v1';
  readonly namespace?: string;
  readonly existingNamespace?: boolean;
  readonly channel?: readonly string[];
  readonly to?: string;
  readonly catalog?: string;
  readonly startingCsv?: string;
  readonly manual?: boolean;
  readonly watch?: readonly string[];
  readonly versions?: string;
  readonly upgradesFrom?: readonly string[];
  /** False if no account is wanted. */
  readonly account: boolean;
  readonly output: 'yaml' | 'json';
}

/**
 * Prints the objects with which OLM installs the operator of a bundle, or writes them to a file.
 * @throws {UsageError} when the command line contradicts itself
 */
export function runInstallFile(source: string, options: InstallFileOptions): ExitCode {
  checkOptions(options);
  const bundle = readBundle(source);
  const older = (options.upgradesFrom ?? []).map((one) => ({ one, bundle: readBundle(one) }));
  const unread = [{ one: source, bundle }, ...older].flatMap(faultsOf);
  if (unread.length > 0) return refuse(unread);
  const place = placing(bundle, source);
  // Problems of an older bundle are reported at its own files.
  const wrong = older.flatMap(({ one, bundle }) =>
    errorsOf(checkExtensionSupport(bundle)).map(placing(bundle, one)),
  );
  const { objects, findings } =
    options.olm === 'v0'
      ? buildSubscriptionObjects(bundle, subscribedProps(options))
      : buildExtensionObjects(
          bundle,
          extendedProps(options),
          wrong.length > 0 ? [] : older.map((one) => one.bundle),
        );
  const problems = [...errorsOf(findings).map(place), ...wrong];
  if (problems.length > 0) return refuse(problems);
  const warnings = findings.filter(({ severity }) => severity !== 'error').map(place);
  for (const line of warningLines(warnings, paintIf(false))) console.error(line);
  writeObjects(objects, options);
  return 0;
}

/** The options that only one version of OLM supports. */
const only = {
  v0: { catalog: '--catalog', startingCsv: '--starting-csv', manual: '--manual', watch: '--watch' },
  v1: { versions: '--versions', upgradesFrom: '--upgrades-from', account: '--no-account' },
} as const;

function checkOptions(options: InstallFileOptions): void {
  const { olm, channel = [] } = options;
  const other = olm === 'v0' ? 'v1' : 'v0';
  for (const [key, flag] of Object.entries(only[other])) {
    const value = options[key as keyof InstallFileOptions];
    const isGiven = key === 'account' ? value === false : value !== undefined;
    if (isGiven) throw new UsageError(`${flag} must come with --olm ${other}, got --olm ${olm}`);
  }
  if (olm === 'v0' && channel.length > 1) {
    throw new UsageError(`--channel must be given once with --olm v0, got ${channel.join(', ')}`);
  }
}

function subscribedProps(
  options: InstallFileOptions,
): Parameters<typeof buildSubscriptionObjects>[1] {
  const { channel = [], catalog, startingCsv, manual, watch } = options;
  const [only] = channel;
  return {
    ...buildNamespaceProps(options),
    ...(only !== undefined && { channel: only }),
    ...(catalog !== undefined && { source: sourceOf(catalog) }),
    ...(startingCsv !== undefined && { startingCSV: startingCsv }),
    ...(manual && { approval: 'Manual' }),
    ...(watch && { watch }),
  };
}

function extendedProps(options: InstallFileOptions): Parameters<typeof buildExtensionObjects>[1] {
  const { channel, versions, account } = options;
  return {
    ...buildNamespaceProps(options),
    ...(channel && { channels: channel }),
    ...(versions !== undefined && { version: versions }),
    account: account ? 'Installer' : 'None',
  };
}

function buildNamespaceProps({ namespace, existingNamespace = false }: InstallFileOptions): object {
  return { ...(namespace !== undefined && { namespace }), makesNamespace: !existingNamespace };
}

function sourceOf(value: string): { readonly name: string; readonly namespace: string } {
  const [namespace = '', name = '', ...more] = value.split('/');
  if (namespace !== '' && name !== '' && more.length === 0) return { namespace, name };
  throw new UsageError(`--catalog must be namespace/name, got ${show(value)}`);
}

function faultsOf({ one, bundle }: { readonly one: string; readonly bundle: Bundle }): Problem[] {
  return errorsOf(bundle.faults).map(placing(bundle, one));
}

function errorsOf(findings: readonly BundleFinding[]): BundleFinding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

function refuse(problems: readonly Problem[]): ExitCode {
  printProblems(new InvalidInput(problems).problems, 'nothing is written', paintIf(false));
  return 1;
}
