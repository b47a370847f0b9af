import { isInteractive, withPrompt } from '../interactive.ts';
import { UsageError } from '../usage-error.ts';

const NOTHING = 'nothing was deleted';

/**
 * Asks on a terminal, where yes is the word; elsewhere --yes must have been given.
 * @throws {UsageError} where the answer is no, there is none, or nobody can be asked
 */
export async function confirm(
  question: string,
  isGiven: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (isGiven) return;
  if (!isInteractive()) {
    throw new UsageError('--yes must be given where nobody can be asked, got no terminal');
  }
  const ended = `${NOTHING}: the question has no answer`;
  const answer = await withPrompt(ended, (ask) => ask(`${question} [yes/no] `), signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError(NOTHING);
}
