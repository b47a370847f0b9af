import { isMapping } from '@tenantry/kube/mapping';

const PLACEHOLDER = /\{\{(.*?)\}\}/gs;

/**
 * Fills in placeholders such as `{{ tenant.name }}`. An unknown one becomes nothing.
 * Source: pkg/template/fast.go
 */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(PLACEHOLDER, (_all, name: string) => values.get(name.trim()) ?? '');
}

/** Fills in placeholders in all texts and keys of a value. */
export function fillValue(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fillText(key, values), fillValue(inner, values)]),
  );
}

/** Returns a placeholder of a value that has no meaning; undefined if there is none. */
export function findUnknownPlaceholder(
  value: unknown,
  known: ReadonlySet<string>,
): string | undefined {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACEHOLDER)].find(([, name]) => !known.has(name!.trim()))?.[0];
  }
  if (Array.isArray(value)) return findFirst(value, known);
  if (!isMapping(value)) return undefined;
  return findFirst([...Object.keys(value), ...Object.values(value)], known);
}

function findFirst(values: readonly unknown[], known: ReadonlySet<string>): string | undefined {
  for (const value of values) {
    const found = findUnknownPlaceholder(value, known);
    if (found !== undefined) return found;
  }
  return undefined;
}
