import { afterAll } from '@jest/globals';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { buildGo } from '../go/build.ts';
import type { Texts } from '../synth/output/folders.ts';

/** One way in which a rendering gives somebody more than the tenant and its class; see test/go/judge. */
export interface Verdict {
  /** `part/what`. */
  readonly rule: string;
  readonly file: string;
  readonly object?: string;
  readonly says: string;
}

/** The platform and everybody who was there before the attacker. */
export interface World {
  readonly name: string;
  /** The text of `tenantry.yaml`. */
  readonly platform: string;
  /** What others wrote, classes included. */
  readonly others: Texts;
  /** What is rendered of that. */
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
 * The evaluator of rendered files, a Go program that shares no code with Tenantry: kubectl's parser,
 * Kubernetes' types, selectors and comparison of rights. One process, asked line by line.
 */
export class Judge {
  readonly #program: string;
  readonly #worlds = new Set<string>();
  #running: Running | undefined;

  private constructor(program: string) {
    this.#program = program;
  }

  /**
   * The judge of a test file, whose process begins with the first question and ends after the last
   * test. Undefined where the program cannot be built; the reason is then printed.
   */
  static async ofFile(): Promise<Judge | undefined> {
    const program = await buildGo('judge');
    if (program === undefined) return undefined;
    const judge = new Judge(program);
    afterAll(() => judge.#stop());
    return judge;
  }

  /** What is wrong with `after`, rendered of the world's files and those of `written`. */
  async verdicts(world: World, written: Texts, after: Texts): Promise<readonly Verdict[]> {
    const { name, platform, others, before } = world;
    if (!this.#worlds.has(name)) {
      await this.#ask({ world: name, platform, others, before });
      this.#worlds.add(name);
    }
    return (await this.#ask({ world: name, written, after })).verdicts ?? [];
  }

  /** The rules that it takes for those of Kubernetes' ClusterRoles for people. */
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
    // `close`, not `exit`: then its pipes are closed, too.
    const ended = once(process, 'close');
    process.stdin.end();
    await ended;
    lines.close();
  }
}

/** The parts of a verdict that a person reads. */
export const wordsOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.map(({ rule, file, object, says }) => [rule, file, object, says].join(' | '));
