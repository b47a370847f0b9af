import { isMapping } from '@tenantry/kube/mapping';

const WIDTH = 100;

/**
 * Counts the lines of a document in the style of people and of the documentation: block style, with values in braces
 * where they fit on one line of 100 columns.
 */
export function compactLines(document: object): number {
  return Object.entries(document).reduce((sum, [key, value]) => sum + linesFor(key, value, 0), 0);
}

function linesFor(key: string, value: unknown, indent: number): number {
  // The fields that identify an object are on lines of their own.
  const isHead = indent === 0 && key !== 'metadata';
  if (!isHead && indent + key.length + 2 + flow(value).length <= WIDTH) return 1;
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + linesOfItem(item, indent + 2), 1);
  }
  if (!isMapping(value)) return typeof value === 'string' ? value.trimEnd().split('\n').length : 1;
  const inner = Object.entries(value).map(([k, v]) => linesFor(k, v, indent + 2));
  return inner.reduce((sum, lines) => sum + lines, 1);
}

function linesOfItem(item: unknown, indent: number): number {
  if (indent + 2 + flow(item).length <= WIDTH || !isMapping(item)) return 1;
  return Object.entries(item).reduce((sum, [k, v]) => sum + linesFor(k, v, indent + 2), 0);
}

/** Formats a value in one line with the spaces of prettier, and with quotes wherever they could be needed. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isMapping(value)) {
    const text = String(value);
    return /^[A-Za-z][\w./-]*$/.test(text) || typeof value !== 'string' ? text : `'${text}'`;
  }
  const entries = Object.entries(value).map(([key, inner]) => `${key}: ${flow(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
