/**
 * Converts a value that a Go program wrote as lists: `[0, ...items]`, `[1, ...keys and values]`. JSON.parse of Node 24
 * confuses escaped keys.
 */
export function unlisted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value[0] === 0) return value.slice(1).map(unlisted);
  const entries: [string, unknown][] = [];
  for (let i = 1; i < value.length; i += 2)
    entries.push([String(value[i]), unlisted(value[i + 1])]);
  return Object.fromEntries(entries);
}
