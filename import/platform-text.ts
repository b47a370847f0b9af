import { isDeepEqual } from '@tenantry/kube/json';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { formatCompactYaml } from '@tenantry/kube/yaml/write';
import { isMapping } from '@tenantry/kube/mapping';
import type { PlatformSpec } from '../crds/platform.ts';

/**
 * Changes the text of a platform file so that it has a spec, and keeps its comments and its order: a changed field of
 * the spec is written again, and a new one is added at the end of the spec.
 * @param text a file with one Platform in block style
 * @returns undefined if that is not possible, as for a spec in braces
 */
export function editPlatformText(text: string, spec: PlatformSpec): string | undefined {
  const [document] = readDocuments(text).documents;
  const value = document?.value;
  if (!document || !isMapping(value) || !isMapping(value['spec'])) return undefined;
  const before = value['spec'];
  const lineOf = (...path: string[]): number => document.keyPositionAt(path).line - 1;
  const lines = text.trimEnd().split('\n');
  const end = findEnd(
    lines,
    Object.keys(value).map((key) => lineOf(key)),
    lineOf('spec'),
  );
  const starts = Object.keys(before).map((key) => lineOf('spec', key));
  const [first] = Object.keys(before);
  const indent =
    first === undefined ? '  ' : (/^ */.exec(lines[lineOf('spec', first)]!)?.[0] ?? '');
  const changes = Object.entries(spec)
    .filter(([key, wanted]) => !isDeepEqual(wanted, before[key]))
    .map(([key, wanted]) => {
      const start = key in before ? lineOf('spec', key) : end;
      const stop = key in before ? Math.min(end, findEnd(lines, starts, start)) : end;
      const [, ...field] = formatCompactYaml({ spec: { [key]: wanted } })
        .trimEnd()
        .split('\n');
      return { start, length: stop - start, field: field.map((line) => indent + line.slice(2)) };
    });
  // From the end, so that the lines before keep their numbers.
  for (const { start, length, field } of changes
    .toReversed()
    .toSorted((a, b) => b.start - a.start)) {
    lines.splice(start, length, ...field);
  }
  const edited = `${lines.join('\n')}\n`;
  return hasSpec(edited, spec) ? edited : undefined;
}

/** Returns the line after the value that begins at a line: without the comments before the next one. */
function findEnd(lines: readonly string[], starts: readonly number[], start: number): number {
  let end = Math.min(lines.length, ...starts.filter((one) => one > start));
  while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1]!)) end -= 1;
  return end;
}

function hasSpec(text: string, spec: PlatformSpec): boolean {
  const { documents, problems } = readDocuments(text);
  const value = documents[0]?.value;
  const isOne = problems.length === 0 && documents.length === 1 && isMapping(value);
  return isOne && isDeepEqual(value['spec'], JSON.parse(JSON.stringify(spec)));
}
