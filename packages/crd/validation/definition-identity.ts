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
    findings.addError(['metadata', 'name'], `must be ${A_SUBDOMAIN}, got ${show(name)}`, 'name');
  }
  if (generateName !== undefined && generateName !== wanted) {
    const message = `must be absent, got ${show(generateName)}`;
    findings.addError(['metadata', 'generateName'], message, 'name');
  }
}

/** Checks the group and the scope. */
export function checkGroup({ group, scope }: DecodedSpec, path: Path, findings: Findings): void {
  if (group === undefined || !isSubdomain(group) || !group.includes('.')) {
    const must = "a DNS subdomain with a dot, such as 'example.com'";
    findings.addError([...path, 'group'], `must be ${must}, got ${show(group)}`, 'group');
  }
  if (scope !== 'Cluster' && scope !== 'Namespaced') {
    findings.addError(
      [...path, 'scope'],
      `must be Cluster or Namespaced, got ${show(scope)}`,
      'scope',
    );
  }
}

/**
 * Checks the names of the kind. The server fills in `singular` and `listKind` from the kind first.
 * Errors in these defaults are therefore reported at the kind.
 */
export function checkNames(names: DecodedNames, path: Path, findings: Findings): void {
  const { kind, plural, singular, listKind, shortNames = [], categories = [] } = names;
  if (plural === undefined || !isDns1035Label(plural)) {
    findings.addError(
      [...path, 'plural'],
      `must be ${A_DNS_1035_LABEL}, got ${show(plural)}`,
      'plural',
    );
  }
  if (singular !== undefined && !isDns1035Label(singular)) {
    findings.addError(
      [...path, 'singular'],
      `must be ${A_DNS_1035_LABEL}, got ${show(singular)}`,
      'singular',
    );
  }
  if (kind === undefined || !isDns1035Label(lowerCase(kind))) {
    const message = `must be, in lower case, ${A_DNS_1035_LABEL}, got ${show(kind)}`;
    findings.addError([...path, 'kind'], message, 'kind');
  } else if (listKind === undefined && !isDns1035Label(`${lowerCase(kind)}list`)) {
    const message = `must be at most 59 characters long, so that ${show(`${kind}List`)} can be the list kind, got ${kind.length}`;
    findings.addError([...path, 'kind'], message, 'list-kind');
  }
  if (listKind !== undefined) {
    if (!isDns1035Label(lowerCase(listKind))) {
      const message = `must be, in lower case, ${A_DNS_1035_LABEL}, got ${show(listKind)}`;
      findings.addError([...path, 'listKind'], message, 'list-kind');
    }
    if (listKind === kind) {
      const message = `must be a name other than the kind's, got ${show(listKind)}`;
      findings.addError([...path, 'listKind'], message, 'list-kind');
    }
  }
  for (const [i, shortName] of shortNames.entries()) {
    if (isDns1035Label(shortName)) continue;
    const message = `must be ${A_DNS_1035_LABEL}, got ${show(shortName)}`;
    findings.addError([...path, 'shortNames', i], message, 'short-name');
  }
  for (const [i, category] of categories.entries()) {
    if (isDns1035Label(category)) continue;
    const message = `must be ${A_DNS_1035_LABEL}, got ${show(category)}`;
    findings.addError([...path, 'categories', i], message, 'category');
  }
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
      findings.addError(
        at,
        `must have as its key ${A_QUALIFIED_NAME}, got ${show(key)}`,
        'label-key',
      );
    }
    if (!isLabelValue(value)) {
      findings.addError(at, `must be ${A_LABEL_VALUE}, got ${show(value)}`, 'label-value');
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
    const version = versionOf(owner.apiVersion ?? '');
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
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : parts.at(-1)!;
}

/** Checks the finalizers. */
export function checkFinalizers(
  finalizers: readonly string[],
  path: Path,
  findings: Findings,
): void {
  for (const [i, finalizer] of finalizers.entries()) {
    if (isQualifiedName(finalizer)) continue;
    findings.addError(
      [...path, i],
      `must be ${A_QUALIFIED_NAME}, got ${show(finalizer)}`,
      'finalizer',
    );
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const message = "must not hold both 'orphan' and 'foregroundDeletion', got both";
    findings.addError(path, message, 'finalizer');
  }
}
