/**
 * `npm run argocd`: runs Argo CD with this repository's dist/ synced, for manual inspection and experiments, until
 * Ctrl-C.
 */
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findBinaries } from '@tenantry/testing/controlplane/binaries';
import { isSettled, type Application } from './application.ts';
import { findArgoCd } from './programs.ts';
import { Stage } from './stage.ts';

const help = `npm run argocd -- [options]

Starts Argo CD's controllers and repo-server, a Kubernetes control plane for each cluster of
tenantry.yaml, and a Git repository with dist/, all on this machine; applies
dist/argocd/bootstrap, as a person would do once, and stays until Ctrl-C. Pods become ready
without running anything. There are no pages of Argo CD's: kubectl shows what it does.

While it runs, each change of dist/ is committed and synced: change tenants/, and run npm start.

  --project <folder>  another folder with tenantry.yaml and dist/ (default: this repository)
  --install           only build what is needed, for a pipeline that keeps ~/.cache/tenantry
  --help              this text

The first time Go builds Argo CD, which takes minutes.
Exit codes: 0 ended by Ctrl-C; 1 it could not start.`;

const repository = join(import.meta.dirname, '../..');

/** Seconds. There are dozens of Applications, and Argo CD is notified of changes. */
const resync = 60;

/** Milliseconds. */
const quiet = 1_000;
const every = 2_000;

try {
  process.exitCode = await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const values = readOptions();
  if (values.help) {
    console.log(help);
    return 0;
  }
  const { binaries, reason } = await findBinaries();
  if (!binaries) throw new Error(reason);
  const { programs, reason: why } = await findArgoCd();
  if (!programs) throw new Error(why);
  if (values.install) return 0;
  const interrupted = interruption();
  const project = resolve(values.project);
  const starting = Stage.start({ binaries, programs, project, resync, say });
  const stage = await Promise.race([starting, interrupted]);
  try {
    if (stage) await show(stage, join(project, 'dist'), interrupted);
  } finally {
    await (await starting.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
  return 0;
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    project: { type: 'string', default: repository },
    install: flag,
    help: flag,
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (cause) {
    const [sentence] = (cause as Error).message.split(/\. |\n/);
    throw new Error(`${sentence} (see npm run argocd -- --help)`, { cause });
  }
}

function interruption(): Promise<undefined> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => done(undefined));
    }
  });
}

async function show(stage: Stage, dist: string, interrupted: Promise<void>): Promise<void> {
  stage.commit('Render');
  await stage.bootstrap();
  const [first = '', ...others] = stage.clusters.keys();
  const kubeconfig = (name: string): string => stage.clusters.get(name)!.kubeconfigFile('admin');
  say(`cluster ${first}, with Argo CD in it, until Ctrl-C:`);
  console.log(`export KUBECONFIG=${kubeconfig(first)}`);
  for (const name of others) say(`cluster ${name}: ${kubeconfig(name)}`);
  say(`the Git repository that is synced: ${stage.git.folder}`);
  say('look at: kubectl get applications -n argocd');
  using following = followed(dist, () => void sync(stage));
  const ending = new AbortController();
  const progress = tellProgress(stage, ending.signal);
  await Promise.race([interrupted, progress]);
  ending.abort();
  await progress;
  void following;
}

async function sync(stage: Stage): Promise<void> {
  try {
    const before = stage.git.head;
    const revision = stage.commit('Render');
    if (revision === before) return;
    say(`dist/ is committed as ${revision.slice(0, 7)}`);
    await stage.argoCd.refresh();
  } catch (error) {
    say(`dist/ is not committed: ${(error as Error).message}`);
  }
}

/** Calls `then` when a folder has changed and is quiet again. */
function followed(folder: string, then: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(then, quiet);
  });
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}

/** Prints a line whenever the state of the Applications changes. */
async function tellProgress(stage: Stage, signal: AbortSignal): Promise<void> {
  let last = '';
  while (!signal.aborted) {
    const line = summary([...(await stage.argoCd.applications()).values()]);
    if (line !== last) say(line);
    last = line;
    await pause(every, undefined, { signal }).catch(() => {});
  }
}

function summary(applications: readonly Application[]): string {
  const rest = applications.filter((one) => !isSettled(one));
  const settled = applications.length - rest.length;
  const words = `${settled} of ${applications.length} Applications are Synced and Healthy`;
  if (rest.length === 0 || rest.length > 5) return words;
  const named = rest.map(({ metadata, status }) => {
    const { sync, health, operationState } = status ?? {};
    const states = [sync?.status, health?.status, operationState?.phase];
    return `${metadata?.name} ${states.filter((one) => one !== undefined).join(' ')}`.trim();
  });
  return `${words}; not: ${named.join(', ')}`;
}

function say(line: string): void {
  process.stderr.write(`tenantry: ${line}\n`);
}
