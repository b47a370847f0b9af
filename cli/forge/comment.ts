import { code } from '../markdown.ts';
import type { ChangeRequest } from './change-request.ts';

/** The first line of the comment. The forge does not show it. */
export const MARKER = '<!-- tenantry plan -->';
/** GitHub accepts 65,536 characters. */
const MAX_LENGTH = 65_000;
const CUT = '\n\nThe rest is too long for a comment: run `tenantry plan`.';

/** Builds the text of the comment from Markdown. */
export function buildComment(parts: readonly string[], commit: string): string {
  const text = parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
  const plan = text || 'There is no plan for this commit: the log of the job has the reason.';
  const foot = `\n\nThis is the plan of commit ${code(commit.slice(0, 10))}.\n`;
  return `${MARKER}\n${cut(plan, MAX_LENGTH - foot.length - MARKER.length)}${foot}`;
}

/** Cuts Markdown after a whole line, and closes what it leaves open. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const FOLD = '\n\n</details>';
  const end = text.lastIndexOf('\n', length - CUT.length - FOLD.length);
  const kept = text.slice(0, Math.max(0, end));
  const countOf = (tag: string): number => kept.split(`\n${tag}`).length;
  const fold = countOf('<details>') > countOf('</details>') ? FOLD : '';
  return `${kept}${fold}${CUT}`;
}

/**
 * Writes the comment of a change request, which has at most one. Only a comment of the token's own account counts: anybody
 * can write the marker.
 */
export async function publishComment(
  request: ChangeRequest,
  body: string,
): Promise<'created' | 'updated'> {
  const [known] = await listMarked(request);
  if (known) await request.updateComment(known, body);
  else await request.createComment(body);
  // A job that runs at the same time, or a repeated request, may have created another one.
  const [, ...others] = await listMarked(request);
  for (const id of others) await request.deleteComment(id);
  return known ? 'updated' : 'created';
}

async function listMarked(request: ChangeRequest): Promise<number[]> {
  const comments = await request.listOwnComments();
  return comments
    .filter(({ body }) => body.split('\n', 1)[0]?.trimEnd() === MARKER)
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
}
