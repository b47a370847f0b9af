import { show, type Path } from '@tenantry/kube/problem';
import type {
  DecodedDefinition,
  DecodedNames,
  DecodedSpec,
  DecodedMeta,
  DecodedOwner,
} from '../fields/decoded-definition.ts';
import type { Findings } from '@tenantry/kube/finding';
import { parseRequestUri } from '@tenantry/kube/url';
import {
  isDns1035Label,
  isSubdomain,
  A_DNS_1035_LABEL,
  lowerCase,
  A_SUBDOMAIN,
  A_LABEL_VALUE,
  byteLength,
  isLabelValue,
  isQualifiedName,
  MAX_ANNOTATIONS,
  A_QUALIFIED_NAME,
} from '@tenantry/kube/names';

/** The annotation that definitions in a group of Kubernetes itself must have. */
export const APPROVAL = 'api-approved.kubernetes.io';

/** Checks `metadata.name`, which must be the plural and the group. */
export function checkName(
  { metadata = {}, spec = {} }: DecodedDefinition,
  findings: Findings,
): void {
  const { plural = '' } = spec.names ?? {};
  const { group = '' } = spec;
  const { name, generateName } = metadata;
  const wanted = `${plural}.${group}`;
  const example = plural !== '' && group !== '' ? `, ${show(wanted)}` : '';
  const must = `must be the plural and the group with a dot between${example}`;
  if (name === undefined || name !== wanted) {
    findings.addError(['metadata', 'name'], `${must}, got ${show(name)}`, 'name');
  } else if (!isSubdomain(name)) {
    findings.addWrong(['metadata', 'name'], `be ${A_SUBDOMAIN}`, name, 'name');
  }
  if (generateName !== undefined && generateName !== wanted) {
    findings.addWrong(['metadata', 'generateName'], 'be absent', generateName, 'name');
  }
}

export function checkGroup({ group, scope }: DecodedSpec, path: Path, findings: Findings): void {
  if (group === undefined || !isSubdomain(group) || !group.includes('.')) {
    const must = "a DNS subdomain with a dot, such as 'example.com'";
    findings.addWrong([...path, 'group'], `be ${must}`, group, 'group');
  }
  if (scope !== 'Cluster' && scope !== 'Namespaced') {
    findings.addWrong([...path, 'scope'], 'be Cluster or Namespaced', scope, 'scope');
  }
}

/**
 * Checks the names of the kind. The server fills in `singular` and `listKind` from the kind first.
 * Errors in these defaults are therefore reported at the kind.
 */
export function checkNames(names: DecodedNames, path: Path, findings: Findings): void {
  const { kind, plural, singular, listKind, shortNames = [], categories = [] } = names;
  const label = (name: string | undefined, at: Path, rule: string): void => {
    if (name !== undefined && isDns1035Label(name)) return;
    findings.addWrong([...path, ...at], `be ${A_DNS_1035_LABEL}`, name, rule);
  };
  label(plural, ['plural'], 'plural');
  if (singular !== undefined) label(singular, ['singular'], 'singular');
  if (kind === undefined || !isDns1035Label(lowerCase(kind))) {
    findings.addWrong([...path, 'kind'], `be, in lower case, ${A_DNS_1035_LABEL}`, kind, 'kind');
  } else if (listKind === undefined && !isDns1035Label(`${lowerCase(kind)}list`)) {
    const message = `must be at most 59 characters long, so that ${show(`${kind}List`)} can be the list kind, got ${kind.length}`;
    findings.addError([...path, 'kind'], message, 'list-kind');
  }
  if (listKind !== undefined) {
    const at = [...path, 'listKind'];
    if (!isDns1035Label(lowerCase(listKind))) {
      findings.addWrong(at, `be, in lower case, ${A_DNS_1035_LABEL}`, listKind, 'list-kind');
    }
    if (listKind === kind) {
      findings.addWrong(at, "be a name other than the kind's", listKind, 'list-kind');
    }
  }
  for (const [i, name] of shortNames.entries()) label(name, ['shortNames', i], 'short-name');
  for (const [i, name] of categories.entries()) label(name, ['categories', i], 'category');
}

/** Checks that a group of the Kubernetes community has an approval, or states that it has none. */
export function checkApproval(group: string, approval: string, findings: Findings): void {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || isApproved(approval)) return;
  const must = `the URL of the approval, or a reason that starts with 'unapproved', since ${show(group)} is a group of Kubernetes itself`;
  const message = `must be ${must}, got ${show(approval === '' ? undefined : approval)}`;
  findings.addError(['metadata', 'annotations', APPROVAL], message, 'api-approval');
}

/** Returns the state of an approval for updates: an unchanged approval is not checked again. */
export function approvalState(approval: string): string {
  if (approval === '') return 'missing';
  if (approval.startsWith('unapproved')) return 'bypassed';
  const { scheme = '', host = '' } = parseRequestUri(approval) ?? {};
  return scheme !== '' && host !== '' ? 'approved' : 'invalid';
}

function isApproved(approval: string): boolean {
  return ['bypassed', 'approved'].includes(approvalState(approval));
}

/** Checks the metadata that every object has, except its name and namespace. */
export function checkMetadata(meta: DecodedMeta, path: Path, findings: Findings): void {
  const { labels = {}, annotations = {} } = meta;
  for (const [key, value] of Object.entries(labels)) {
    const at = [...path, 'labels', key];
    if (!isQualifiedName(key)) {
      findings.addWrong(at, `have as its key ${A_QUALIFIED_NAME}`, key, 'label-key');
    }
    if (!isLabelValue(value)) {
      findings.addWrong(at, `be ${A_LABEL_VALUE}`, value, 'label-value');
    }
  }
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    size += byteLength(key) + byteLength(value);
    if (isQualifiedName(lowerCase(key))) continue;
    const message = `must have as its key ${A_QUALIFIED_NAME}, got ${show(key)}`;
    findings.addError([...path, 'annotations', key], message, 'annotation-key');
  }
  if (size > MAX_ANNOTATIONS) {
    const message = `must be at most ${MAX_ANNOTATIONS} bytes with their keys, got ${size}`;
    findings.addError([...path, 'annotations'], message, 'annotations-size');
  }
  checkOwners(meta.ownerReferences ?? [], [...path, 'ownerReferences'], findings);
}

function checkOwners(owners: readonly DecodedOwner[], path: Path, findings: Findings): void {
  for (const [i, owner] of owners.entries()) {
    const version = parseVersion(owner.apiVersion ?? '');
    if (version === '') {
      const message = `must be an apiVersion such as 'apps/v1', got ${show(owner.apiVersion)}`;
      findings.addError([...path, i, 'apiVersion'], message, 'owner-reference');
    }
    for (const field of ['kind', 'name', 'uid'] as const) {
      if (owner[field] !== undefined) continue;
      findings.addError([...path, i, field], 'must not be empty, got nothing', 'owner-reference');
    }
    if (owner.kind === 'Event' && ['v1', '/v1'].includes(owner.apiVersion ?? '')) {
      findings.addError([...path, i], 'must not be an Event, got one', 'owner-reference');
    }
  }
  const controllers = owners.filter(({ controller }) => controller).length;
  if (controllers > 1) {
    const message = `must name at most one controller, got ${controllers}`;
    findings.addError(path, message, 'owner-reference');
  }
}

/** Returns `v1` of `apps/v1`; empty if there is none. */
function parseVersion(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : parts.at(-1)!;
}

export function checkFinalizers(
  finalizers: readonly string[],
  path: Path,
  findings: Findings,
): void {
  for (const [i, finalizer] of finalizers.entries()) {
    if (isQualifiedName(finalizer)) continue;
    findings.addWrong([...path, i], `be ${A_QUALIFIED_NAME}`, finalizer, 'finalizer');
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const message = "must not hold both 'orphan' and 'foregroundDeletion', got both";
    findings.addError(path, message, 'finalizer');
  }
}
