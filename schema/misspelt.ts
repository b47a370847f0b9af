import type { Finding } from '../kube/finding.ts';
import type { Path } from '../kube/problem.ts';

/**
 * Drops the findings about missing fields that are only misspelled. For such a field, the finding about the unknown
 * field already suggests the right name.
 */
export function dropMisspelledRequired(findings: readonly Finding[]): readonly Finding[] {
  const meant = new Set(
    findings.flatMap(({ path, about }) => {
      const field = about?.meantField;
      return field === undefined ? [] : [keyOf([...path.slice(0, -1), field])];
    }),
  );
  if (meant.size === 0) return findings;
  return findings.filter(({ path, rule }) => rule !== 'required' || !meant.has(keyOf(path)));
}

const keyOf = (path: Path): string => JSON.stringify(path);
