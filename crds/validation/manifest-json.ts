import { show, type Path } from '../../kube/problem.ts';
import type { Json } from '../../kube/object.ts';
import type { Findings } from '../../kube/finding.ts';

/** Levels of nesting that are looked into; Go itself stops at 10,000. */
const DEEPEST = 1000;

/**
 * Converts a value to the JSON that is sent; undefined, with findings, if that is impossible.
 * Fields that are undefined or have a symbol as the key are not sent.
 */
export function plainJson(value: unknown, findings: Findings): Json | undefined {
  const before = findings.errors.length + findings.notChecked.length;
  const copy = copyOf(value, [], new Set(), findings);
  const after = findings.errors.length + findings.notChecked.length;
  return after > before ? undefined : copy;
}

function copyOf(value: unknown, path: Path, around: Set<object>, findings: Findings): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      findings.addError(path, `must be a number, got ${value}`, 'not-json');
    return value;
  }
  if (typeof value !== 'object') {
    findings.addError(path, `must be a value of JSON, got ${show(value)}`, 'not-json');
    return null;
  }
  if (around.has(value)) {
    findings.addError(path, 'must not contain itself, got a value that contains it', 'not-json');
    return null;
  }
  if (path.length > DEEPEST) {
    findings.addNotChecked(
      path,
      `must be at most ${DEEPEST} levels deep to be checked, got more`,
      'depth',
    );
    return null;
  }
  around.add(value);
  const copy = Array.isArray(value)
    ? value.map((item: unknown, i) => copyOf(item ?? null, [...path, i], around, findings))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, field]) => field !== undefined)
          .map(([key, field]) => [key, copyOf(field, [...path, key], around, findings)]),
      );
  around.delete(value);
  return copy;
}
