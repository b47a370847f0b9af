import type { LabelSelector } from '@tenantry/kube/api/meta';
import type { Findings } from '@tenantry/kube/finding';
import type { Immutable } from '@tenantry/kube/immutable';
import {
  A_LABEL_VALUE,
  A_QUALIFIED_NAME,
  isLabelValue,
  isQualifiedName,
} from '@tenantry/kube/names';
import { show, type Path } from '@tenantry/kube/problem';

/** A key of a label. */
export function reportKey(path: Path, key: string | undefined, findings: Findings): void {
  if (key !== undefined && isQualifiedName(key)) return;
  findings.addError(path, `must be ${A_QUALIFIED_NAME}, got ${show(key)}`, 'scheduling');
}

/** Reports a value that is not one of the words. */
export function reportWord(
  path: Path,
  word: string | undefined,
  words: readonly string[],
  findings: Findings,
): void {
  if (word !== undefined && words.includes(word)) return;
  findings.addError(path, `must be one of ${words.join(', ')}, got ${show(word)}`, 'scheduling');
}

/** A selector of pods, or of namespaces. */
export function reportSelector(
  at: Path,
  selector: Immutable<LabelSelector>,
  findings: Findings,
): void {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  for (const [key, value] of Object.entries(matchLabels)) {
    reportKey([...at, 'matchLabels', key], key, findings);
    reportValues([...at, 'matchLabels', key], [value], findings);
  }
  for (const [i, one] of matchExpressions.entries()) {
    reportRequirement([...at, 'matchExpressions', i], one, findings);
  }
}

/** A requirement for the labels of pods, or of nodes, which have more operators. */
interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export function reportRequirement(
  at: Path,
  one: Requirement,
  findings: Findings,
  ...more: readonly string[]
): void {
  const { key, operator, values = [] } = one;
  reportKey([...at, 'key'], key, findings);
  reportWord(
    [...at, 'operator'],
    operator,
    ['In', 'NotIn', 'Exists', 'DoesNotExist', ...more],
    findings,
  );
  const path = [...at, 'values'];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) findings.addError(path, 'must have a value, got none', 'scheduling');
    reportValues(path, values, findings);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return;
    const message = `must be left out where the operator is ${show(operator)}, got ${show(values)}`;
    findings.addError(path, message, 'scheduling');
  } else if (more.includes(operator) && !(values.length === 1 && /^[0-9]+$/.test(values[0]!))) {
    findings.addError(
      path,
      `must be one whole number, as a text, got ${show(values)}`,
      'scheduling',
    );
  }
}

function reportValues(path: Path, values: readonly string[], findings: Findings): void {
  const odd = values.find((value) => !isLabelValue(value));
  if (odd === undefined) return;
  findings.addError(path, `must be ${A_LABEL_VALUE}, got ${show(odd)}`, 'scheduling');
}
