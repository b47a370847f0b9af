/** The verdict of one side on an object. */
export interface AdmissionVerdict {
  readonly isAccepted: boolean;
  /** The reported fields, sorted and without duplicates. */
  readonly blamed: readonly string[];
  readonly unknown: readonly string[];
  /** The spec as it is stored; undefined if it is refused. */
  readonly spec: unknown;
  readonly messages: readonly string[];
}

/** Describes how the verdicts of the two sides on an object differ; undefined if they agree. */
export function difference(ours: AdmissionVerdict, server: AdmissionVerdict): string | undefined {
  const agree =
    ours.isAccepted === server.isAccepted &&
    ours.unknown.join() === server.unknown.join() &&
    ours.blamed.every((field) => isBlamed(field, server.blamed)) &&
    (!server.isAccepted || asSent(ours.spec) === asSent(server.spec));
  return agree ? undefined : JSON.stringify({ ours, server });
}

/** Formats a path as `a.b.0.c`, however a side writes keys and list positions. */
export function plain(path: string): string {
  return path.replaceAll(/\["?([^\]"]*)"?\]/g, '.$1').replace(/^\./, '');
}

export function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/**
 * Whether the API server reports a field too. It reports no field if it cannot read metadata, nor for anyOf and oneOf.
 * Within metadata it reports only the field of metadata, and the generated name instead of its source. For a list with
 * keys it reports the item instead of its key, and for items that occur three times the second.
 */
export function isBlamed(field: string, fields: readonly string[]): boolean {
  if (fields.length === 0 || fields.includes('<nil>')) return true;
  const blamed = new Set(fields.map(coarse));
  const item = field.replace(/\.[^.]+$/, '');
  return blamed.has(coarse(field)) || (/\.\d+$/.test(item) && blamed.has(coarse(item)));
}

function coarse(field: string): string {
  return field
    .replace(/metadata\.generateName$/, 'metadata.name')
    .replace(/(metadata\.\w+)\..*$/, '$1')
    .replace(/\.\d+$/, '.*');
}

/** Replaces half of a surrogate pair, which Go does not have. */
function asSent(value: unknown): string {
  return JSON.stringify(sort(value)).replaceAll(/\\u[dD][89a-fA-F]../g, '\ufffd');
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sort(inner)]);
}
