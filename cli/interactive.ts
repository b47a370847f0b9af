import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Prints a question and returns the answer as typed. */
export type Prompt = (prompt: string) => Promise<string>;

/** Whether there is a terminal, and so a person who can answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Runs an action that can question the person at the terminal.
 * @param ended what did not happen when the person interrupts with Ctrl-C or Ctrl-D
 * @param signal interrupts the questions, too
 * @throws {UsageError} with `ended`
 */
export async function withPrompt<T>(
  ended: string,
  run: (ask: Prompt) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const close = (): void => terminal.close();
  let isDone = false;
  const over = new Promise<never>((_, reject) => {
    terminal.once('close', () => {
      if (isDone) return;
      // Output after this must not continue the line of the question.
      process.stderr.write('\n');
      reject(new UsageError(ended));
    });
  });
  over.catch(() => {});
  signal?.addEventListener('abort', close);
  try {
    // Depending on the version of Node, an interrupted question throws or never gets an answer.
    return await run((prompt) => Promise.race([terminal.question(prompt).catch(() => over), over]));
  } finally {
    signal?.removeEventListener('abort', close);
    isDone = true;
    terminal.close();
  }
}

const NOTHING = 'nothing was deleted';

/**
 * Requires confirmation: the answer yes on a terminal, or --yes elsewhere.
 * @throws {UsageError} when the answer is anything else, or nobody can answer
 */
export async function confirm(
  question: string,
  { isGiven, signal }: { readonly isGiven: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (isGiven) return;
  if (!isInteractive()) {
    throw new UsageError('--yes must be given where nobody can be asked, got no terminal');
  }
  const ended = `${NOTHING}: the question has no answer`;
  const answer = await withPrompt(ended, (ask) => ask(`${question} [yes/no] `), signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError(NOTHING);
}
