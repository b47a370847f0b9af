import type { Path } from '../../kube/problem.ts';
import type { ValidationRule } from '../../schema/jsonschema.ts';
import type { Findings } from '../../kube/finding.ts';

/** Comparisons, each of which costs at most 1.6 million of the 10 million that a rule may cost. */
const MOST = 3;

/**
 * The API server estimates what a rule costs from the sizes that schemas allow. That estimate is not
 * made here: only rules that are asked once for each object, and that compare and call nothing but
 * `has`, `size` and the like, are known to be cheap.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#resource-use-by-validation-functions
 */
export function checkCost(
  rule: ValidationRule,
  schemaPath: Path,
  rulePath: Path,
  findings: Findings,
): void {
  const once = isAskedOnce(schemaPath);
  for (const field of ['rule', 'messageExpression'] as const) {
    const expression = rule[field];
    if (expression === undefined || (once && isCheap(expression))) continue;
    const message = 'must cost at most 10 million by the estimate of the API server';
    findings.unsure([...rulePath, field], 'cel-cost', message);
  }
}

/** Not below a list or a mapping, which may have many items. */
function isAskedOnce(path: Path): boolean {
  let isName = false;
  for (const part of path) {
    if (!isName && (part === 'items' || part === 'additionalProperties')) return false;
    isName = !isName && part === 'properties';
  }
  return true;
}

function isCheap(expression: string): boolean {
  const text = expression.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '0');
  const calls = text.match(/[\w)\]]\s*\(/g)?.length ?? 0;
  const cheapCalls = text.match(/\b(?:has|size|hasValue|value|orValue)\s*\(/g)?.length ?? 0;
  const operators = text.match(/[=!<>]=|[<>+*/%]|\bin\b/g)?.length ?? 0;
  return calls === cheapCalls && operators <= MOST;
}
