import { isMapping } from '../../kube/mapping.ts';

/** Fields in which an empty mapping means everything, and an absent one means something else. */
const selectors: ReadonlySet<string> = new Set(['podSelector', 'namespaceSelector', 'selector']);

/** The field in which every key counts, whatever its name and value: an empty text is a value like any other. */
const labels = 'matchLabels';

/**
 * Removes the fields of a value that are null or empty: the API server does not store them, and reads an absent field
 * the same way. List entries stay: an empty peer means everybody, and the empty group is the core group.
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
