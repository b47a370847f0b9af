import { checkAccessRule, type AccessRule } from '@tenantry/kube/access';
import type { Findings } from '@tenantry/kube/finding';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { show, showWhole } from '@tenantry/kube/problem';
import type { OperatorSpec } from '../spec.ts';
import { resolveScope, watchedNamespaces } from '../rights.ts';
import { manifestOf } from '../names.ts';

/** Reports access rules that grant everything or nothing, or whose namespaces are unclear. */
export function reportAccess(spec: OperatorSpec, findings: Findings): void {
  const watched = watchedNamespaces(spec);
  for (const [i, rule] of spec.access.entries()) {
    const path = ['access', i];
    const wrong = findAccessFault(rule);
    if (wrong !== undefined) {
      findings.addError(path, wrong, 'access');
      continue;
    }
    reportNamespaces(rule, path, findings);
    if (watched && !rule.namespaces && resolveScope(rule, spec) === undefined) {
      const of = rule.group === '' ? rule.resource : `${rule.resource}.${rule.group}`;
      const message = `must be of a kind in owned or required, or name namespaces: the scope of ${of} is not known`;
      findings.addError(path, message, 'access');
    }
  }
}

/** Returns why no role can be made of a rule; undefined for a valid rule. */
export function findAccessFault(rule: AccessRule): string | undefined {
  try {
    checkAccessRule(rule);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `must be a valid access rule: ${error.message}`;
  }
}

function reportNamespaces(
  { namespaces = [] }: AccessRule,
  path: readonly (string | number)[],
  findings: Findings,
): void {
  for (const [i, name] of namespaces.entries()) {
    if (isDnsLabel(name)) continue;
    const message = `must be ${A_DNS_LABEL}, got ${show(name)}`;
    findings.addError([...path, 'namespaces', i], message, 'access');
  }
}

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
