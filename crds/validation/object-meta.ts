import { show, type Path } from '../../kube/problem.ts';
import type { DecodedMeta, DecodedOwner } from '../fields/decoded-definition.ts';
import type { Findings } from '../../kube/finding.ts';
import {
  A_LABEL_VALUE,
  byteLength,
  isLabelValue,
  isQualifiedName,
  lowerCase,
  MAX_ANNOTATIONS,
  A_QUALIFIED_NAME,
} from '../../kube/names.ts';

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
