import { readDocuments } from '@tenantry/kube/yaml/read';
import { isEqual } from './counting.ts';
import type { FoundNamespace } from './namespaces.ts';

/** The maximum number of `#` in a Namespace: each could begin a comment, and is tried. */
const MAX_SIGNS = 200;

/**
 * Lists the comments in the YAML of a Namespace, each with the key beside which it is:
 * `Namespace shop-dev, owner: until May`.
 */
export function listComments({ name, namespace }: FoundNamespace): string[] {
  const { text = '' } = namespace;
  const signs = text.split('#').length - 1;
  if (signs === 0 || signs > MAX_SIGNS) return [];
  const value = readDocuments(text).documents[0]?.value;
  const lines = text.split('\n');
  const comments: string[] = [];
  for (const [at, line] of lines.entries()) {
    const start = findComment(lines, at, value);
    if (start === undefined) continue;
    const comment = line
      .slice(start)
      .replace(/^#+\s*/, '')
      // A lone CR would begin a new line.
      .replaceAll(/\s+/g, ' ')
      .trim();
    const key = /^\s*(?:"([^"]+)"|'([^']+)'|([^\s#:'"][^\s:]*)):/.exec(line.slice(0, start));
    const beside = key?.[1] ?? key?.[2] ?? key?.[3];
    if (comment === '') continue;
    comments.push(`Namespace ${name}${beside === undefined ? '' : `, ${beside}`}: ${comment}`);
  }
  return comments;
}

/** Returns where the comment of a line begins: the first `#` without which the text is the same object. */
function findComment(lines: readonly string[], at: number, value: unknown): number | undefined {
  const line = lines[at]!;
  for (const { index } of line.matchAll(/(?<=^|\s)#/g)) {
    const without = lines.with(at, line.slice(0, index)).join('\n');
    const { documents, problems } = readDocuments(without);
    if (problems.length === 0 && documents.length === 1 && isEqual(documents[0]!.value, value)) {
      return index;
    }
  }
  return undefined;
}
