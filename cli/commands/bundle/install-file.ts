import type { Command } from 'commander';
import { choice, collect } from '../../options.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import {
  createFindingLocator,
  locateErrors,
  type BundleFinding,
} from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { buildExtensionObjects } from '@tenantry/olm/install-objects/extension-objects';
import { checkExtensionSupport } from '@tenantry/olm/install-objects/extension-findings';
import { buildSubscriptionObjects } from '@tenantry/olm/install-objects/subscription-objects';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { paintNothing, printProblems, warningLines } from '../../console-output.ts';
import { writeObjects } from '../../written-objects.ts';

/** `tenantry bundle install-file`: writes the objects with which OLM installs an operator to one file. */
export function configure(command: Command): void {
  command
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .addOption(choice('--olm <version>', 'which OLM', 'v0', 'v1'))
    .option('--namespace <name>', 'where it runs (default: what it suggests, or its package)')
    .option('--existing-namespace', 'omit the Namespace, because it exists')
    .option(
      '--channel <name>',
      'the channel; v1: repeatable (default: its default; v1: any)',
      collect,
    )
    .option('--to <file>', 'write to this file, atomically (default: standard output)')
    .option(
      '--catalog <namespace/name>',
      'v0: the CatalogSource (default: olm/operatorhubio-catalog)',
    )
    .option(
      '--starting-csv <name>',
      'v0: the first version to install (default: the head of the channel)',
    )
    .option('--manual', 'v0: require approval of each InstallPlan')
    .option(
      '--watch <namespace>',
      'v0: what it watches (repeatable; default: all, or else where it runs)',
      collect,
    )
    .option(
      '--versions <range>',
      'v1: the versions that may be installed (default: that of the bundle)',
    )
    .option(
      '--upgrades-from <bundle>',
      'v1: an older bundle that may be installed, whose objects the account may remove (repeatable)',
      collect,
    )
    .option(
      '--no-account',
      'v1: omit the account, for OLM v1.11 or later, which installs with its own rights',
    )
    .addOption(choice('--output <format>', 'the output format', 'yaml', 'json'))
    .addHelpText(
      'after',
      `
For OLM v0, prints the Namespace, an OperatorGroup with an install mode that the bundle supports, and the
Subscription. For v1, prints the Namespace, a ServiceAccount that may install, upgrade and remove exactly this
bundle, its roles, and the ClusterExtension. The bundle must be in a catalog of the cluster. The same bundle and
options give the same bytes.

Examples:
  tenantry bundle install-file operators/redis/1.2.3 | kubectl apply -f -
  tenantry bundle install-file operators/redis/1.2.3 --catalog olm/caches --channel stable --to redis.yaml
  tenantry bundle install-file operators/redis/1.2.3 --olm v1 --upgrades-from operators/redis/1.2.2

Exit codes: 0 done; 1 OLM would not install the bundle this way, or the input cannot be read; 2 internal error.`,
    )
    .action(async (bundle: string, options: InstallFileOptions) => {
      process.exitCode = runInstallFile(bundle, options);
    });
}

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
  const unread = [{ one: source, bundle }, ...older].flatMap(({ one, bundle: each }) =>
    locateErrors(each, one),
  );
  if (unread.length > 0) return refuse(unread);
  const place = createFindingLocator(bundle, source);
  // Problems of an older bundle are reported at its own files.
  const wrong = older.flatMap(({ one, bundle }) =>
    selectErrors(checkExtensionSupport(bundle)).map(createFindingLocator(bundle, one)),
  );
  const { objects, findings } =
    options.olm === 'v0'
      ? buildSubscriptionObjects(bundle, subscribedProps(options))
      : buildExtensionObjects(
          bundle,
          extendedProps(options),
          wrong.length > 0 ? [] : older.map((one) => one.bundle),
        );
  const problems = [...selectErrors(findings).map(place), ...wrong];
  if (problems.length > 0) return refuse(problems);
  const warnings = findings.filter(({ severity }) => severity !== 'error').map(place);
  for (const line of warningLines(warnings, paintNothing)) console.error(line);
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
    ...(catalog !== undefined && { source: parseSource(catalog) }),
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
  return omitUndefined({ namespace, makesNamespace: !existingNamespace });
}

function parseSource(value: string): { readonly name: string; readonly namespace: string } {
  const [namespace = '', name = '', ...more] = value.split('/');
  if (namespace !== '' && name !== '' && more.length === 0) return { namespace, name };
  throw new UsageError(`--catalog must be namespace/name, got ${show(value)}`);
}

function selectErrors(findings: readonly BundleFinding[]): BundleFinding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

function refuse(problems: readonly Problem[]): ExitCode {
  printProblems(new InvalidInput(problems).problems, 'nothing is written', paintNothing);
  return 1;
}
