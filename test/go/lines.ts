import { execFileSync, type StdioOptions } from 'node:child_process';

export interface AskedOptions {
  /** @default - none */
  readonly flags?: readonly string[];
  /** @default - pipes, with stderr on the terminal */
  readonly stdio?: StdioOptions;
}

/** Returns the answers of a Go program to many questions, in one process: a line of JSON in, a line out. */
export function linesOf(
  program: string,
  questions: readonly unknown[],
  { flags = [], ...options }: AskedOptions = {},
): string[] {
  const input = questions.map((one) => `${JSON.stringify(one)}\n`).join('');
  const output = execFileSync(program, flags, {
    input,
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
    ...options,
  });
  return output.split('\n').slice(0, questions.length);
}
