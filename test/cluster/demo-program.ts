import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../structure/tracked.ts';

/** A run of `npm run demo` that writes all its files to a folder of its own. */
export class DemoProgram implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: ChildProcess;
  #out = '';
  #err = '';

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder;
    this.#process = process;
    process.stdout!.setEncoding('utf8').on('data', (text: string) => (this.#out += text));
    process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#err += text));
  }

  static async start(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<DemoProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const env = { ...process.env, TMPDIR: folder, ...environment };
    const program = [join(root, 'scripts', 'demo.ts'), ...args];
    return new DemoProgram(folder, spawn(process.execPath, program, { env, cwd: folder }));
  }

  /** All of its standard output so far. */
  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  async waitForOutput(text: string): Promise<void> {
    await until(
      `the demo prints ${text}`,
      () => {
        if (this.#process.exitCode !== null) throw new Error(`${this.#out}${this.#err}`);
        return this.#out.includes(text);
      },
      { within: 240_000 },
    );
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Waits for the end of the demo, and returns its exit code, or the signal that ended it. */
  async end(): Promise<number | string | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      await once(this.#process, 'close');
    }
    return this.#process.exitCode ?? this.#process.signalCode;
  }

  /** Returns what is left of the demo: files, and processes whose command line has its folder. */
  left(): string[] {
    return [...readdirSync(this.#folder), ...processesOf(this.#folder)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the command lines that contain a text; none on systems without /proc. */
function processesOf(text: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      const line = readFileSync(join('/proc', id, 'cmdline'), 'utf8').replaceAll('\0', ' ');
      return line.includes(text) ? [line] : [];
    } catch {
      return []; // The process has ended.
    }
  });
}
