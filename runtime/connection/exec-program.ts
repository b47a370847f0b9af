import { spawn } from 'node:child_process';
import { formatBrief } from '../../kube/problem.ts';
import type { Clock } from '../clock/clock.ts';

/** A program with its arguments and environment. */
export interface ProgramProps {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How to install the program if it is missing. */
  readonly installHint?: string | undefined;
  readonly clock: Clock;
}

/** Milliseconds. A program that waits for an interactive login would never end. */
const longest = 60_000;

/** Characters. Credentials have some thousand; of standard error, the last ones are kept. */
const most = 1024 * 1024;
const lastWords = 2000;

/**
 * Runs a program and returns its standard output. It gets no terminal and no input, and is killed if it does not end in
 * time. Error messages contain the end of its standard error, and nothing of its output, which may be a secret.
 */
export function runProgram(props: ProgramProps): Promise<string> {
  const { command, args, env, clock, installHint } = props;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > most) fail(`${command} must write a credential, got ${most} characters`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-lastWords);
    });
    const cancel = clock.after(longest, () => fail(`${command} has not ended in ${longest} ms`));
    const fail = (what: string, cause?: unknown): void => {
      cancel();
      child.kill('SIGKILL');
      // Child processes of the program may still hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
      const words = extractLastLine(errorOutput);
      const message = words === '' ? what : `${what}: ${words}`;
      reject(new Error(message, cause === undefined ? {} : { cause }));
    };
    child.on('error', (cause) => {
      const hint = installHint ? `: ${installHint.trim()}` : '';
      fail(`${command} cannot be run: ${cause.message}${hint}`, cause);
    });
    child.on('close', (code, signal) => {
      if (code !== 0) return fail(`${command} ended with ${code ?? signal}`);
      cancel();
      resolve(output);
    });
  });
}

/** Returns the last line that is not empty. */
function extractLastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  return formatBrief(line.trim());
}
