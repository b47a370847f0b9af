import type { Findings } from '../../../../kube/finding.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { parseQuantity } from '../../../../kube/quantity.ts';
import type { OperatorSpec } from '../spec.ts';

/** Reports errors in the requests and limits of the container at `at`. */
export function reportResources(
  at: Path,
  { resources = {} }: Pick<OperatorSpec, 'resources'>,
  findings: Findings,
): void {
  for (const name of ['cpu', 'memory', 'ephemeral-storage'] as const) {
    const [request, limit] = (['requests', 'limits'] as const).map((part) => {
      const text = resources[part]?.[name];
      const amount = text === undefined ? undefined : parseQuantity(text);
      if (text !== undefined && (amount === undefined || amount < 0n)) {
        const message = `must be a quantity such as '500m' or '128Mi', got ${show(text)}`;
        findings.addError([...at, 'resources', part, name], message, 'resources');
      }
      return amount;
    });
    if (request === undefined || limit === undefined || request <= limit) continue;
    const message = `must be at least what is requested (${resources.requests?.[name]}), got ${show(resources.limits?.[name])}`;
    findings.addError([...at, 'resources', 'limits', name], message, 'resources');
  }
}
