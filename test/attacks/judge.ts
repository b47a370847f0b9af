import { afterAll } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { buildGo } from '../go/build.ts';
import type { Texts } from '../synth/output/folders.ts';

/** A way in which rendered files give someone more than the tenant and its class do; see test/go/judge. */
export interface Verdict {
  /** `part/what`. */
  readonly rule: string;
  readonly file: string;
  readonly object?: string;
  readonly message: string;
}

/** The platform and all files that existed before the attacker's. */
export interface World {
  readonly name: string;
  /** The text of `tenantry.yaml`. */
  readonly platform: string;
  /** The files of others, including classes. */
  readonly others: Texts;
  /** The rendered files of these. */
  readonly before: Texts;
}

interface Answer {
  readonly userFacing?: Readonly<Record<'admin' | 'edit' | 'view', unknown>>;
  readonly verdicts?: readonly Verdict[];
  readonly error?: string;
}

interface Running {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
}

/**
 * The evaluator of rendered files: a Go program that shares no code with Tenantry and uses kubectl's parser, and
 * Kubernetes' types, selectors and comparison of rights. One process answers line by line.
 */
export class Judge {
  readonly #program: string;
  readonly #worlds = new Set<string>();
  #running: Running | undefined;

  private constructor(program: string) {
    this.#program = program;
  }

  /**
   * Returns the judge of a test file. Its process starts with the first request and ends after the last test. Returns
   * undefined and prints the reason if the program cannot be built.
   */
  static async ofFile(): Promise<Judge | undefined> {
    const program = await buildGo('judge');
    if (program === undefined) return undefined;
    const judge = new Judge(program);
    afterAll(() => judge.#stop());
    return judge;
  }

  /** Returns the violations in `after`, which was rendered from the files of the world and of `written`. */
  async verdicts(world: World, written: Texts, after: Texts): Promise<readonly Verdict[]> {
    const { name, platform, others, before } = world;
    if (!this.#worlds.has(name)) {
      await this.#ask({ world: name, platform, others, before });
      this.#worlds.add(name);
    }
    return (await this.#ask({ world: name, written, after })).verdicts ?? [];
  }

  /** Returns the rules that it uses as those of Kubernetes' user-facing ClusterRoles. */
  async userFacing(): Promise<Readonly<Record<'admin' | 'edit' | 'view', unknown>>> {
    return (await this.#ask({ userFacing: true })).userFacing!;
  }

  async #ask(request: object): Promise<Answer> {
    const { process, lines } = (this.#running ??= this.#start());
    const answered = once(lines, 'line') as Promise<[string]>;
    process.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = JSON.parse((await answered)[0]) as Answer;
    if (answer.error !== undefined) throw new Error(`the judge fails: ${answer.error}`);
    return answer;
  }

  #start(): Running {
    const process = spawn(this.#program, { stdio: ['pipe', 'pipe', 'inherit'] });
    return { process, lines: createInterface(process.stdout) };
  }

  async #stop(): Promise<void> {
    if (!this.#running) return;
    const { process, lines } = this.#running;
    this.#running = undefined;
    // `close`, not `exit`: then the pipes are closed, too.
    const ended = once(process, 'close');
    process.stdin.end();
    await ended;
    lines.close();
  }
}

/** Formats the parts of a verdict that people read. */
export const wordsOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.map(({ rule, file, object, message }) => [rule, file, object, message].join(' | '));
