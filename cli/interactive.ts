import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Asks a person: the answer, as it was typed. */
export type Prompt = (prompt: string) => Promise<string>;

/** Whether there is a terminal, and so somebody who can be asked. */
export function isInteractive(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Runs with questions to the person at the terminal.
 * @param ended what did not happen when the person ends them by Ctrl-C or Ctrl-D
 * @param signal ends them, too
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
      // What comes next is not of the line of the question.
      process.stderr.write('\n');
      reject(new UsageError(ended));
    });
  });
  over.catch(() => {});
  signal?.addEventListener('abort', close);
  try {
    // A question that is ended so stays without an answer for ever, or throws: by the version of Node.
    return await run((prompt) => Promise.race([terminal.question(prompt).catch(() => over), over]));
  } finally {
    signal?.removeEventListener('abort', close);
    isDone = true;
    terminal.close();
  }
}
