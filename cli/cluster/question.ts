import { createInterface } from 'node:readline/promises';
import { UsageError } from '../usage-error.ts';

/**
 * Asks on a terminal, where yes is the word; elsewhere --yes must have been given.
 * @throws {UsageError} where the answer is no, or nobody can be asked
 */
export async function confirm(
  question: string,
  isGiven: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (isGiven) return;
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError('--yes must be given where nobody can be asked, got no terminal');
  }
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await asked.question(`${question} [yes/no] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was deleted');
  } finally {
    asked.close();
  }
}
