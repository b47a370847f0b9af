import { isMapping } from '../../kube/mapping.ts';

/** Where an empty mapping means everything, and none of it something else. */
const selectors: ReadonlySet<string> = new Set(['podSelector', 'namespaceSelector', 'selector']);

/** Where every key counts, whatever it is called and whatever it says: an empty text is a value like others. */
const labels = 'matchLabels';

/**
 * A value without the fields that state nothing: the API server stores none that is null or empty, and
 * reads one that is absent as it reads these. What is in a list stays: an empty peer is everybody, and the
 * empty group the core one.
 */
export function removeEmptyFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeEmptyFields);
  if (!isMapping(value)) return value;
  const kept: [string, unknown][] = [];
  for (const field of Object.keys(value)) {
    const inside = field === labels ? value[field] : removeEmptyFields(value[field]);
    if (!statesNothing(inside) || isSelector(field, inside)) kept.push([field, inside]);
  }
  return Object.fromEntries(kept);
}

function isSelector(field: string, inside: unknown): boolean {
  return selectors.has(field) && isMapping(inside);
}

function statesNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMapping(value) && Object.keys(value).length === 0;
}
