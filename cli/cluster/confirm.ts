import { isInteractive, withPrompt } from '../interactive.ts';
import { UsageError } from '../usage-error.ts';

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
