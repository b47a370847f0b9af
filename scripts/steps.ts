import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { styleText } from 'node:util';
import { cacheRoot } from '@tenantry/testing/controlplane/cache';

export const root = dirname(import.meta.dirname);

/** A program that must exit with 0, run by this Node. */
export interface Step {
  readonly name: string;
  /** Node's arguments: flags, a file, the file's arguments. */
  readonly args: readonly string[];
}

export interface StepResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed';
  readonly seconds: number;
  readonly detail?: string | undefined;
}

const bin = (path: string) => join('node_modules', path);

/** Returns all checks that run no test. */
export function staticSteps(): Step[] {
  const cli = join('cli', 'main.ts');
  return [
    {
      name: 'formatting',
      // The results for unchanged files are cached, also in a new checkout.
      args: [
        bin('prettier/bin/prettier.cjs'),
        '--check',
        '--cache',
        '--cache-strategy',
        'content',
        '--cache-location',
        join(cacheRoot(process.env), 'prettier'),
        '--log-level',
        'warn',
        '.',
      ],
    },
    { name: 'style', args: [join('scripts', 'style.ts')] },
    { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--deny-warnings'] },
    // With several threads, each would do much of the work again, and the tests need the CPU.
    { name: 'types', args: [bin('typescript/bin/tsc'), '--noEmit', '--singleThreaded'] },
    { name: 'generated files', args: [join('scripts', 'gen.ts'), '--check'] },
    {
      name: 'dist is fresh',
      args: [cli, 'check'],
    },
  ];
}

/** Runs one step in the repository root, with a heading, and passes its output through. */
export async function runStep(step: Step): Promise<StepResult> {
  console.log(heading(step));
  const options = { cwd: root, stdio: 'inherit', env: environment() } as const;
  const started = performance.now();
  const detail = await endOf(spawn(process.execPath, step.args, options));
  return reportStep(step, performance.now() - started, detail);
}

/** Resolves when a program has ended and all its output has arrived, with the reason where it failed. */
function endOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) =>
      resolve(status === 0 ? undefined : `exit ${signal ?? status}`),
    );
  });
}

/** Runs steps concurrently, as many as there are cores, and prints each one after those before it. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const waiting = [...steps];
  const ended = steps.map(() => Promise.withResolvers<() => StepResult>());
  const runOn = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      ended[steps.indexOf(step)]!.resolve(await runAside(step));
    }
  };
  void Promise.all(Array.from({ length: availableParallelism() }, runOn));
  const results: StepResult[] = [];
  for (const { promise } of ended) results.push((await promise)());
  return results;
}

/** Runs a step, and returns a function that prints its output. */
async function runAside(step: Step): Promise<() => StepResult> {
  const started = performance.now();
  const child = spawn(process.execPath, step.args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const detail = await endOf(child);
  const took = performance.now() - started;
  return () => {
    console.log(heading(step));
    process.stdout.write(output);
    return reportStep(step, took, detail);
  };
}

function heading({ name }: Step): string {
  return `\n${colour('bold', `== ${name}`)}`;
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // The compiler runs for seconds: this saves a quarter of the CPU time for an eighth more memory.
    GOGC: process.env.GOGC ?? '400',
    // Not every program supports NO_COLOR; all support a dumb terminal.
    ...(process.env.NO_COLOR && { TERM: 'dumb' }),
  };
}

/**
 * @param took in ms
 * @param detail why it failed, where it did
 */
function reportStep({ name }: Step, took: number, detail: string | undefined): StepResult {
  const seconds = took / 1000;
  const outcome = detail === undefined ? 'passed' : 'failed';
  console.log(`${name}: ${describe(outcome)} in ${seconds.toFixed(1)} s`);
  return { name, outcome, seconds, detail };
}

/** Prints one line for each step; true when none failed. */
export function summarize(results: readonly StepResult[]): boolean {
  console.log(`\n${colour('bold', '== summary')}`);
  for (const { name, outcome, seconds, detail } of results) {
    const line = `${describe(outcome)} ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s`;
    console.log(detail ? `${line}  ${detail}` : line);
  }
  return results.every(({ outcome }) => outcome !== 'failed');
}

function describe(outcome: StepResult['outcome']): string {
  const colours = { passed: 'green', failed: 'red' } as const;
  return colour(colours[outcome], outcome);
}

/** `styleText` itself omits colors where stdout is no terminal or NO_COLOR is set. */
function colour(format: 'bold' | 'green' | 'red', text: string): string {
  return styleText(format, text, { stream: process.stdout });
}
