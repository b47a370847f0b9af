import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, memory, type Memory } from './proc.ts';

/** How an operator is started. */
export interface OperatorCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Where what it logs goes. */
  readonly log: string;
}

/** What it prints when it has reconciled all objects. */
const DONE = 'all reconciled';

/** Seconds without more than `CALM` of CPU a second, after which it counts as at rest. */
const STILL = 1;
const CALM = 0.02;
/** Seconds after which it is taken as it is. */
const PATIENCE = 15;

/** An operator that runs, and what it takes of the machine. */
export class OperatorProcess {
  readonly started = performance.now();
  /** Milliseconds of `performance.now()` at which it had reconciled all objects. Rejects when it ends before. */
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
    this.reconciled = this.#saidDone(log);
    this.reconciled.catch(() => undefined);
  }

  /** Of user and system, since it was started. */
  get cpuSeconds(): number {
    return cpuSeconds(this.#proc('stat'));
  }

  get memory(): Memory {
    return memory(this.#proc('status'));
  }

  /** Returns when it computes next to nothing. */
  async rest(): Promise<void> {
    const deadline = performance.now() + PATIENCE * 1000;
    for (let before = this.cpuSeconds; performance.now() < deadline; before = this.cpuSeconds) {
      await pause(STILL * 1000);
      if (this.cpuSeconds - before <= STILL * CALM) return;
    }
  }

  /** As a kubelet would. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }

  /** Without a word, where something went wrong. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #proc(file: string): string {
    return readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8');
  }

  #saidDone(log: string): Promise<number> {
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
