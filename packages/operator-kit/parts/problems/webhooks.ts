import type { Findings } from '@tenantry/kube/finding';
import { A_SUBDOMAIN, isSubdomain } from '@tenantry/kube/names';
import { show, showWhole } from '@tenantry/kube/problem';
import { manifestOf } from '../names.ts';
import type { OperatorSpec, AdmissionRule, OperatorAdmission } from '../spec.ts';

type At = readonly (string | number)[];

/** Reports errors in the webhooks: each needs a name, a path and the requests that it handles. */
export function reportWebhooks(spec: OperatorSpec, findings: Findings): void {
  const { webhooks } = spec;
  if (!webhooks) return;
  const { certificates, conversion = [], validating = [], mutating = [] } = webhooks;
  if (conversion.length + validating.length + mutating.length === 0) {
    const message = 'must contain a webhook, got none; leave the field out without webhooks';
    findings.addError(['webhooks'], message, 'webhook');
  }
  if (typeof certificates === 'object' && !isSubdomain(certificates.issuer.name)) {
    const message = `must be ${A_SUBDOMAIN}, got ${show(certificates.issuer.name)}`;
    findings.addError(['webhooks', 'certificates', 'issuer', 'name'], message, 'webhook');
  }
  reportConversions(spec, findings);
  reportAdmissions(['webhooks', 'validating'], validating, findings);
  reportAdmissions(['webhooks', 'mutating'], mutating, findings);
}

function reportConversions({ owned = [], webhooks }: OperatorSpec, findings: Findings): void {
  const names = new Set(owned.map((kind) => manifestOf(kind).metadata.name));
  const seen = new Set<string>();
  for (const [i, { kind, path }] of (webhooks?.conversion ?? []).entries()) {
    const at = ['webhooks', 'conversion', i];
    const { name } = manifestOf(kind).metadata;
    if (!names.has(name)) {
      const message = `must be one of owned, got ${showWhole(name)}`;
      findings.addError([...at, 'kind'], message, 'webhook');
    } else if (seen.has(name)) {
      findings.addError(
        [...at, 'kind'],
        `must be named once, got ${showWhole(name)} again`,
        'webhook',
      );
    }
    seen.add(name);
    reportPath([...at, 'path'], path, findings);
  }
}

function reportAdmissions(at: At, all: readonly OperatorAdmission[], findings: Findings): void {
  const names = new Set<string>();
  for (const [i, one] of all.entries()) {
    const path = [...at, i];
    const { name, rules, timeout = 10, failurePolicy = 'Fail' } = one;
    if (!isSubdomain(name) || name.split('.').length < 3) {
      const message = `must be a DNS name with two dots or more, such as 'owners.shops.example.com', got ${show(name)}`;
      findings.addError([...path, 'name'], message, 'webhook');
    } else if (names.has(name)) {
      const message = `must be a name of its own, got ${show(name)} again`;
      findings.addError([...path, 'name'], message, 'webhook');
    }
    names.add(name);
    reportPath([...path, 'path'], one.path, findings);
    if (!Number.isInteger(timeout) || timeout < 1 || timeout > 30) {
      const message = `must be a whole number of seconds from 1 to 30, got ${show(timeout)}`;
      findings.addError([...path, 'timeout'], message, 'webhook');
    }
    if (rules.length === 0) {
      const message = 'must name the requests that it handles, got an empty list';
      findings.addError([...path, 'rules'], message, 'webhook');
    }
    for (const [j, rule] of rules.entries()) {
      reportRule([...path, 'rules', j], rule, failurePolicy === 'Fail', findings);
    }
  }
}

function reportPath(at: At, path: string | undefined, findings: Findings): void {
  if (path === undefined || /^\/[^?#\s]*$/.test(path)) return;
  findings.addError(at, `must be a path from '/' on, got ${show(path)}`, 'webhook');
}

function reportRule(at: At, rule: AdmissionRule, isFatal: boolean, findings: Findings): void {
  for (const field of ['groups', 'versions', 'resources', 'operations'] as const) {
    const values: readonly string[] = rule[field];
    if (values.length === 0) {
      findings.addError([...at, field], 'must not be an empty list', 'webhook');
    }
    if (
      !isFatal ||
      field === 'versions' ||
      !values.some((one) => /(^|\/)\*/.test(one) || one === '*')
    ) {
      continue;
    }
    const message = `must name each of them, got '*': while the operator does not answer, no matching object could be written`;
    findings.addError([...at, field], message, 'webhook');
  }
}
