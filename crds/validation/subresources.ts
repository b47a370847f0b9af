import { show, type Path } from '../../kube/problem.ts';
import type { DecodedScale, DecodedSubresources } from '../fields/decoded-definition.ts';
import type { Findings } from '../../kube/finding.ts';

/** The status and scale subresources; only the paths of scale can be wrong. */
export function checkSubresources(
  subresources: DecodedSubresources | undefined,
  path: Path,
  findings: Findings,
): void {
  const scale = subresources?.scale;
  if (!scale) return;
  for (const [field, roots] of Object.entries(scalePaths)) {
    const name = field as keyof DecodedScale;
    const value = scale[name];
    if (name === 'labelSelectorPath' && !value) continue;
    if (roots.some((root) => value?.startsWith(root))) continue;
    const message = `must be a JSON path that starts with '${roots.join("' or '")}', got ${show(value)}`;
    findings.addError([...path, 'scale', name], message, 'scale-path');
  }
}

const scalePaths = {
  specReplicasPath: ['.spec.'],
  statusReplicasPath: ['.status.'],
  labelSelectorPath: ['.spec.', '.status.'],
} as const;
