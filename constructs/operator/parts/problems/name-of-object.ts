import type { Findings } from '../../../../kube/finding.ts';
import { A_SUBDOMAIN, isSubdomain } from '../../../../kube/names.ts';
import { show, type Path } from '../../../../kube/problem.ts';

/** The name of an object that the pods use: a Secret, a ConfigMap. */
export function reportObjectName(path: Path, name: string, findings: Findings): void {
  if (isSubdomain(name)) return;
  findings.addError(path, `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'pod');
}
