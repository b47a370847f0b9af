import { matchesLabels } from '../../kube/label-selector.ts';
import { parseLabelSelector } from '../../kube/label-selector-text.ts';
import type { Selection } from '../client/client.ts';
import type { Cached } from './cached.ts';

/**
 * Returns whether a selection matches an object; undefined if that depends on a field that only the server evaluates.
 * Throws if the label selector is invalid.
 */
export function buildSelectionMatcher({
  namespace,
  labelSelector = '',
  fieldSelector = '',
}: Selection): (object: Cached) => boolean | undefined {
  const labels = parseLabelSelector(labelSelector);
  const fields = fieldSelector === '' ? [] : fieldSelector.split(',').map(parseFieldCondition);
  return ({ metadata }) => {
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (!matchesLabels(labels, metadata.labels ?? {})) return false;
    const answers = new Set(fields.map((holds) => holds(metadata)));
    if (answers.has(false)) return false;
    return answers.has(undefined) ? undefined : true;
  };
}

function parseFieldCondition(text: string): (metadata: Cached['metadata']) => boolean | undefined {
  const [, field, sign, value] = /^\s*metadata\.(name|namespace)(==?|!=)(\S*)\s*$/.exec(text) ?? [];
  if (field !== 'name' && field !== 'namespace') return () => undefined;
  return (metadata) => ((metadata[field] ?? '') === value) === (sign !== '!=');
}
