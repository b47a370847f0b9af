import type { Findings } from '../../../../kube/finding.ts';
import { isDnsLabel, A_DNS_LABEL } from '../../../../kube/names.ts';
import { show, showWhole } from '../../../../kube/problem.ts';
import { manifestOf } from '../names.ts';
import type { OperatorSpec } from '../spec.ts';

/** Reports a kind that is listed twice, and a watch scope without its namespaces. */
export function reportKinds(spec: OperatorSpec, findings: Findings): void {
  const seen = new Map<string, string>();
  for (const field of ['owned', 'required'] as const) {
    for (const [i, kind] of (spec[field] ?? []).entries()) {
      const { name } = manifestOf(kind).metadata;
      const before = seen.get(name);
      if (before !== undefined) {
        const message = `must be a kind of its own, got ${showWhole(name)} again, which is ${before} already`;
        findings.addError([field, i], message, 'kind');
      }
      seen.set(name, field);
    }
  }
  reportScope(spec, findings);
}

function reportScope({ watch }: OperatorSpec, findings: Findings): void {
  const report = (path: readonly (string | number)[], name: string): void => {
    if (isDnsLabel(name)) return;
    findings.addError(path, `must be ${A_DNS_LABEL}, got ${show(name)}`, 'watch');
  };
  if (watch?.mode === 'SingleNamespace') report(['watch', 'namespace'], watch.namespace);
  if (watch?.mode !== 'MultiNamespace') return;
  const path = ['watch', 'namespaces'];
  const { namespaces } = watch;
  if (namespaces.length === 0) {
    findings.addError(
      path,
      'must name the namespaces that are watched, got an empty list',
      'watch',
    );
  }
  for (const [i, name] of namespaces.entries()) {
    report([...path, i], name);
    if (namespaces.indexOf(name) === i) continue;
    findings.addError([...path, i], `must be named once, got ${show(name)} again`, 'watch');
  }
}
