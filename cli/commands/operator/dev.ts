import type { Command } from 'commander';
import type { ExitCode } from '../../failure-report.ts';
import { addClusterOptions, collect } from '../../options.ts';
import { UsageError } from '../../usage-error.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { deploy } from '@tenantry/operator-kit/install/apply/deploy';
import {
  findAccount,
  selectDefinitions,
  selectRights,
  buildContextKubeconfig,
  buildImpersonationKubeconfig,
  type KubeconfigFile,
} from '@tenantry/operator-kit/install/program/operator-program';
import { omitUndefined } from '@tenantry/kube/mapping';
import { InvalidInput, show, type Problem } from '@tenantry/kube/problem';
import { resolveContext, type ResolvedContext } from '@tenantry/runtime/connection/kubeconfig';
import { loadKubeconfig } from '@tenantry/runtime/connection/connection-from';
import { keyOf, type ObjectName } from '@tenantry/runtime/kinds/kind';
import { runClusterOperation } from '../../cluster/run-cluster-operation.ts';
import { resolveObjects } from './install.ts';
import { readClusterObjects } from './manifests.ts';
import { resolveColors } from '../../settings.ts';
import { paintIf, problemLines, warningLines } from '../../console-output.ts';

/** `tenantry operator dev`: runs a developer's operator on this machine. */
export function configure(command: Command): void {
  command
    .argument('<program>', 'the file of the operator, run by Node')
    .argument('[args...]', 'arguments of the program, after --')
    .option('--manifests <manifests>', 'the manifests of the operator (repeatable)', collect)
    .option('--install', 'first apply the CustomResourceDefinitions of the manifests')
    .option('--restricted', 'first apply its account and roles, and run with only these rights')
    .option('--watch', 'restart the program when one of its files changes');
  addClusterOptions(command)
    .addHelpText(
      'after',
      `
Runs the program against the context, on the Node of this command, until SIGTERM. --install applies the
CustomResourceDefinitions of --manifests. --restricted applies their Namespaces, ServiceAccounts, roles and bindings, and
impersonates the account of their Deployment. So you notice a missing right before you build an image.

Examples:
  tenantry operator dev main.ts
  tenantry operator dev main.ts --manifests dist --install --watch
  tenantry operator dev main.ts --manifests dist --install --restricted -- --verbose

Exit codes: that of the program; 1 user error; 2 internal error.`,
    )
    .action(async (program: string, args: readonly string[], options: ProgramOptions) => {
      process.exitCode = await runProgram(program, args, options);
    });
}

/** The command line, as commander gives it. */
export interface ProgramOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly manifests?: readonly string[] | undefined;
  readonly install?: boolean | undefined;
  readonly restricted?: boolean | undefined;
  readonly watch?: boolean | undefined;
}

/**
 * Runs a developer's operator on this machine until it ends or is interrupted.
 * @throws {UsageError} when the cluster does not answer, or the options contradict each other
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ExitCode> {
  if (!statSync(program, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`the program must be a file, got ${show(program)}`);
  }
  const { install = false, restricted = false, manifests = [], watch = false } = options;
  if ((install || restricted) !== manifests.length > 0) {
    throw new UsageError('--manifests must be given with --install, --restricted or both');
  }
  const prepared = await prepare(options);
  if (prepared.problems.length > 0) {
    for (const line of problemLines(prepared.problems, paintIf(resolveColors('auto').err))) {
      console.error(line);
    }
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-run-'));
  try {
    const kubeconfig = await kubeconfigIn(folder, options, prepared.account);
    if (prepared.account) {
      console.error(`runs as ServiceAccount ${keyOf(prepared.account)}, with its rights alone`);
    }
    return await untilEnded([...(watch ? ['--watch'] : []), program, ...args], kubeconfig);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Applies what the program needs in the cluster. */
async function prepare(
  options: ProgramOptions,
): Promise<{ readonly problems: readonly Problem[]; readonly account?: ObjectName }> {
  const { manifests = [], install = false, restricted = false } = options;
  if (manifests.length === 0) return { problems: [] };
  try {
    const { objects: read, warnings } = await readClusterObjects(manifests, 'all');
    for (const line of warningLines(warnings, paintIf(resolveColors('auto').err)))
      console.error(line);
    const way = { ...options, timeout: '1m', output: 'text', color: 'auto' } as const;
    return await runClusterOperation(way, async (operation, cluster) => {
      const objects = await resolveObjects(read, cluster, undefined);
      const account = restricted ? findAccount(objects) : undefined;
      if (typeof account === 'string') throw new UsageError(account);
      const wanted = new Set([
        ...(install ? selectDefinitions(objects) : []),
        ...(restricted ? selectRights(objects) : []),
      ]);
      const { problems } = await deploy(
        objects.filter((one) => wanted.has(one)),
        operation,
        { skipWait: true },
      );
      return omitUndefined({ problems, account });
    });
  } catch (error) {
    if (error instanceof InvalidInput) return { problems: error.problems };
    throw error;
  }
}

/** Returns the KUBECONFIG of the program; undefined to keep the current one. */
async function kubeconfigIn(
  folder: string,
  options: ProgramOptions,
  account: ObjectName | undefined,
): Promise<string | undefined> {
  if (account === undefined && options.context === undefined) return options.kubeconfig;
  const { chosen, files } = await chooseContext(options);
  const write = (content: KubeconfigFile): string => {
    const file = join(folder, 'kubeconfig');
    // The file may hold credentials.
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  if (account === undefined)
    return [write(buildContextKubeconfig(chosen)), ...files].join(delimiter);
  try {
    return write(buildImpersonationKubeconfig(chosen, account));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

async function chooseContext(
  options: ProgramOptions,
): Promise<{ readonly chosen: ResolvedContext; readonly files: readonly string[] }> {
  try {
    const config = await loadKubeconfig(options);
    if (!config) throw new UsageError('--restricted must be run with a kubeconfig, got a pod');
    return { chosen: resolveContext(config, options.context), files: config.files };
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs Node until it ends. It has its own process group, so that Ctrl-C reaches it once, from this
 * process and not from the terminal too. A second Ctrl-C kills it.
 */
async function untilEnded(
  args: readonly string[],
  kubeconfig: string | undefined,
): Promise<ExitCode> {
  const env = { ...process.env, ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }) };
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  let asked = false;
  const forward = (signal: NodeJS.Signals): void => {
    // With --watch the program is a child of the watching process, so the whole group is killed.
    if (asked && process.platform !== 'win32') process.kill(-child.pid!, 'SIGKILL');
    else child.kill(asked ? 'SIGKILL' : signal);
    asked = true;
  };
  for (const name of signals) process.on(name, forward);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code === 0 || (asked && code === 128 + constants.signals.SIGINT)) return 0;
    if (!asked) console.error(`error the operator ended with ${signal ?? code}`);
    return asked && signal !== 'SIGKILL' && code === null ? 0 : 1;
  } finally {
    for (const name of signals) process.off(name, forward);
  }
}
