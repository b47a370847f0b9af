import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, memory, type Memory } from './proc.ts';

/** The command of an operator. */
export interface OperatorCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** The file for its log. */
  readonly log: string;
}

/** The line that it prints when it has reconciled all objects. */
const DONE = 'all reconciled';

/** Seconds with at most `CALM` of CPU a second, after which it counts as at rest. */
const STILL = 1;
const CALM = 0.02;
/** Seconds after which it is measured even if it is not at rest. */
const TIMEOUT = 15;

/** A running operator, and its resource usage. */
export class OperatorProcess {
  readonly started = performance.now();
  /**
   * The time of `performance.now()`, in milliseconds, when it had reconciled all objects. Rejects when
   * it ends before.
   */
  readonly reconciled: Promise<number>;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor({ file, args, env, log }: OperatorCommand) {
    const stderr = openSync(log, 'w');
    this.#child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', stderr],
    });
    closeSync(stderr);
    this.#exited = once(this.#child, 'exit');
    const kill = (): void => this.kill();
    process.once('exit', kill);
    this.#child.once('exit', () => process.off('exit', kill));
    this.reconciled = this.#waitUntilDone(log);
    this.reconciled.catch(() => undefined);
  }

  /** User and system time since its start. */
  get cpuSeconds(): number {
    return cpuSeconds(this.#proc('stat'));
  }

  get memory(): Memory {
    return memory(this.#proc('status'));
  }

  /** Resolves when it uses almost no CPU. */
  async rest(): Promise<void> {
    const deadline = performance.now() + TIMEOUT * 1000;
    for (let before = this.cpuSeconds; performance.now() < deadline; before = this.cpuSeconds) {
      await pause(STILL * 1000);
      if (this.cpuSeconds - before <= STILL * CALM) return;
    }
  }

  /** Ends it as a kubelet would. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }

  /** Kills it without an error, after a failure. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #proc(file: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8');
  }

  #waitUntilDone(log: string): Promise<number> {
    const { stdout } = this.#child;
    if (!stdout) throw new Error('the operator must have a standard output');
    return new Promise((resolve, reject) => {
      createInterface(stdout).on('line', (line) => {
        if (line === DONE) resolve(performance.now());
      });
      this.#child.on('error', reject);
      this.#child.on('exit', (code, signal) => {
        const lastLines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
        reject(
          new Error(
            `the operator must run, and ended (${signal ?? `exit ${code}`}):\n${lastLines}`,
          ),
        );
      });
    });
  }
}
