/** `npm run demo`: the operator reports and heals the drift of a tenant, on a control plane of its own. */
import { parseArgs } from 'node:util';
import { resolveColors } from '../cli/settings.ts';
import { findBinaries } from '@tenantry/testing/controlplane/binaries';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { resolveVersion } from '@tenantry/testing/controlplane/programs';
import { play } from './demo/play.ts';
import { Stage } from './demo/stage.ts';
import { Narrator } from './demo/narrator.ts';

const help = `npm run demo -- [options]

Starts a Kubernetes control plane on 127.0.0.1, applies this repository's tenants to it, and runs the
operator. Then a user changes a quota and deletes a role binding. The operator reports the drift, and
heals it once healing is enabled. Each step shows the commands that a person would run. The demo takes
about half a minute and leaves nothing behind, even after Ctrl-C.

  --keep   keep it running until Ctrl-C, and print the KUBECONFIG
  --help   this text

Environment: NO_COLOR; TENANTRY_KUBERNETES=1.35 chooses another minor.
Exit codes: 0 done; 1 something on this machine needs fixing, such as a control plane that does not start;
2 internal error: the operator did not behave as expected; 130 Ctrl-C.`;

/** Something on this machine prevents the start. */
class CannotStart extends Error {}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

process.exitCode = await main();
// Requests in flight would keep an interrupted demo alive.
process.exit();

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions();
  } catch (error) {
    return fail(error, 1);
  }
  if (options.help) {
    console.log(help);
    return 0;
  }
  const interrupted = interruption();
  const narrator = new Narrator((line) => console.log(line), resolveColors('auto').out);
  const stage = open(narrator);
  try {
    const played = stage.then((one) => play(one, narrator));
    const code = await Promise.race([played, interrupted]);
    if (code !== undefined) return code;
    if (options.keep) await keep(await stage, narrator, interrupted);
    return 0;
  } catch (error) {
    return fail(error, error instanceof CannotStart ? 1 : 2);
  } finally {
    await stage.then((one) => one.close()).catch(() => undefined);
  }
}

interface Options {
  readonly keep: boolean;
  readonly help: boolean;
}

function readOptions(): Options {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { keep: flag, help: flag } }).values;
  } catch (cause) {
    const { message } = cause as Error;
    throw new CannotStart(`${message} (see npm run demo -- --help)`, { cause });
  }
}

/** Returns the exit code for the signal that interrupts the demo. */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(exitCodes))
      process.once(signal, () => resolve(code));
  });
}

async function open(narrator: Narrator): Promise<Stage> {
  const { binaries, reason } = await findBinaries();
  if (!binaries) throw new CannotStart(reason);
  const { version } = resolveVersion(process.env);
  narrator.step(`Kubernetes ${version} starts on this machine, with etcd and its controllers.`);
  try {
    return new Stage(await startCluster({ binaries, controllerManager: true }));
  } catch (cause) {
    throw new CannotStart((cause as Error).message, { cause });
  }
}

async function keep(stage: Stage, narrator: Narrator, interrupted: Promise<number>): Promise<void> {
  narrator.step('It keeps running until Ctrl-C.', `export KUBECONFIG=${stage.kubeconfig}`);
  // Supervisors and idle connections do not keep a process alive; a timer does.
  const alive = setInterval(() => {}, 2 ** 30);
  await interrupted;
  clearInterval(alive);
}

function fail(error: unknown, code: number): number {
  console.error(`tenantry: ${error instanceof Error ? error.message : String(error)}`);
  return code;
}
