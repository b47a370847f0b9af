import { matchesLabels } from '../../../kube/label-selector.ts';
import { parseLabelSelector } from '../../../kube/label-selector-text.ts';
import { valueAt } from '../../../kube/mapping.ts';
import type { Selection } from '../../../runtime/client/client.ts';
import { badRequest } from './refusal.ts';
import type { ServedKind } from './served-kind.ts';
import type { StoredObject } from './stored.ts';

/** Builds a predicate for objects of a selection. @throws {ApiError} for an invalid selector */
export function buildSelectionMatcher(
  served: ServedKind,
  { namespace, labelSelector = '', fieldSelector = '' }: Selection,
): (object: StoredObject) => boolean {
  if (namespace === undefined && labelSelector === '' && fieldSelector === '') return () => true;
  const labels = parseLabels(labelSelector);
  const fields = fieldSelector === '' ? [] : fieldSelector.split(',');
  const conditions = fields.map((text) => parseFieldCondition(served, text.trim()));
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    matchesLabels(labels, object.metadata.labels ?? {}) &&
    conditions.every((holds) => holds(object));
}

function parseLabels(text: string) {
  try {
    return parseLabelSelector(text);
  } catch {
    throw badRequest(`unable to parse requirement: ${text}`);
  }
}

function parseFieldCondition(served: ServedKind, text: string): (object: StoredObject) => boolean {
  const [, field = '', sign, value] = /^([^=!]+)(==?|!=)(.*)$/.exec(text) ?? [];
  const known = ['metadata.name', 'metadata.namespace', ...(served.selectable ?? [])];
  if (sign === undefined)
    throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  if (!known.includes(field)) throw badRequest(`field label not supported: ${field}`);
  const path = field.split('.');
  return (object) => {
    const found = valueAt(object, path) ?? '';
    return (String(found) === value) === (sign !== '!=');
  };
}
