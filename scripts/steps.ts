import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { styleText } from 'node:util';

export const root = dirname(import.meta.dirname);

/** One program that must exit with 0, run by the Node that runs this. */
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

/** All that is checked without running a test. */
export function staticSteps(): Step[] {
  const cli = join('cli', 'main.ts');
  return [
    {
      name: 'formatting',
      args: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    },
    { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--deny-warnings'] },
    { name: 'types', args: [bin('typescript/bin/tsc'), '--noEmit'] },
    { name: 'generated files', args: [join('scripts', 'gen.ts'), '--check'] },
    {
      name: 'dist is fresh',
      args: [cli, 'check'],
    },
  ];
}

/** Runs one step in the repository root, with a heading; its output goes straight through. */
export function runStep({ name, args }: Step): StepResult {
  console.log(`\n${colour('bold', `== ${name}`)}`);
  const started = performance.now();
  const { status, signal, error } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    // Not every program knows NO_COLOR; all know a terminal that can do nothing.
    env: process.env.NO_COLOR ? { ...process.env, TERM: 'dumb' } : process.env,
  });
  const seconds = (performance.now() - started) / 1000;
  const outcome = status === 0 ? 'passed' : 'failed';
  const detail = outcome === 'passed' ? undefined : (error?.message ?? `exit ${signal ?? status}`);
  console.log(`${name}: ${describe(outcome)} in ${seconds.toFixed(1)} s`);
  return { name, outcome, seconds, detail };
}

/** Prints one line per step; true when none failed. */
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

/** styleText itself leaves colours out where stdout is no terminal or NO_COLOR is set. */
function colour(format: 'bold' | 'green' | 'red', text: string): string {
  return styleText(format, text, { stream: process.stdout });
}
