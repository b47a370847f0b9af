import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeFolder } from './code-folder.cjs';
import type { ExitMessage, StartMessage } from './supervisor.ts';

/**
 * The setting of Go's garbage collector (https://go.dev/doc/gc-guide#GOGC). A control plane with Argo CD takes 122 s of
 * processor time with the default of 100, 105 s with 200 and 97 s with 400, which takes half as much memory again.
 */
const GOGC = '200';

/**
 * The processes of one cluster, under a supervisor that ends them with this process. They do not keep
 * this process alive.
 */
export class Processes {
  readonly #supervisor: ChildProcess;
  readonly #logs: string;
  readonly #ended = new Map<string, string>();

  /** `folder` is removed at the end, unless `keep` is true; logs are `folder/<name>.log`. */
  constructor(folder: string, { keep = false }: { readonly keep?: boolean } = {}) {
    this.#logs = folder;
    this.#supervisor = fork(programFile('supervisor'), [folder, ...(keep ? ['keep'] : [])], {
      detached: true,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#supervisor.on('message', (message) => {
      const { name, how } = message as ExitMessage;
      this.#ended.set(name, how);
    });
    this.#supervisor.unref();
    this.#supervisor.channel?.unref();
  }

  /** `env` is added to this process' environment. Without a GOGC there, Go's programs collect garbage less often. */
  start(name: string, file: string, args: readonly string[], env: StartMessage['env'] = {}): void {
    this.#ended.delete(name);
    const log = join(this.#logs, `${name}.log`);
    const settings = { GOGC: process.env['GOGC'] ?? GOGC, ...env };
    this.#supervisor.send({ name, file, args, env: settings, log } satisfies StartMessage);
  }

  /** Describes how a process ended, with the last lines of its log. Returns undefined while it runs. */
  describeExit(name: string): string | undefined {
    const how = this.#ended.get(name);
    if (how === undefined) return undefined;
    const lines = readFileSync(join(this.#logs, `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n');
    return `${name} ended (${how}):\n${lines.slice(-15).join('\n')}`;
  }

  /** Ends all of them, and returns when they have ended and the folder is removed. */
  async stop(): Promise<void> {
    if (this.#supervisor.exitCode !== null || this.#supervisor.signalCode !== null) return;
    this.#supervisor.ref();
    const gone = once(this.#supervisor, 'exit');
    if (this.#supervisor.connected) this.#supervisor.disconnect();
    await gone;
  }
}

/** Returns the file of a program of this folder for a child process: the built file, or the source. */
export function programFile(name: string): string {
  const built = join(codeFolder, `${name}.js`);
  return existsSync(built) ? built : join(codeFolder, `${name}.ts`);
}
