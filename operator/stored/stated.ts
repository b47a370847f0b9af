import { isMapping } from '../../kube/mapping.ts';

/** Where an empty mapping means everything, and none of it something else. */
const selectors: ReadonlySet<string> = new Set(['podSelector', 'namespaceSelector', 'selector']);

/**
 * A value without the fields that state nothing: the API server stores none that is null or empty, and
 * reads one that is absent as it reads these. What is in a list stays: an empty peer is everybody.
 */
export function stated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stated);
  if (!isMapping(value)) return value;
  const kept = Object.entries(value)
    .map(([field, inside]) => [field, stated(inside)] as const)
    .filter(([field, inside]) => selectors.has(field) || !statesNothing(inside));
  return Object.fromEntries(kept);
}

function statesNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMapping(value) && Object.keys(value).length === 0;
}
