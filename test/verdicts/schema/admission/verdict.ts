/** What one side says of an object. */
export interface AdmissionVerdict {
  readonly isAccepted: boolean;
  /** The fields that are blamed, in order and each once. */
  readonly blamed: readonly string[];
  readonly unknown: readonly string[];
  /** The spec as it is stored, where it is. */
  readonly spec: unknown;
  readonly messages: readonly string[];
}

/** What the two sides say differently of an object; undefined where they agree. */
export function difference(ours: AdmissionVerdict, server: AdmissionVerdict): string | undefined {
  const agree =
    ours.isAccepted === server.isAccepted &&
    ours.unknown.join() === server.unknown.join() &&
    ours.blamed.every((field) => isBlamed(field, server.blamed)) &&
    (!server.isAccepted || asSent(ours.spec) === asSent(server.spec));
  return agree ? undefined : JSON.stringify({ ours, server });
}

/** `a.b.0.c`, however a side writes keys and places in lists. */
export function plain(path: string): string {
  return path.replaceAll(/\["?([^\]"]*)"?\]/g, '.$1').replace(/^\./, '');
}

export function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/**
 * Whether the API server blames a field too. It blames nobody where it cannot read metadata, nor for
 * anyOf and oneOf; within metadata it names the field of metadata alone, and the name that it made,
 * not what it made it of; of a list by keys the item, not its key; of items that are there three
 * times the second.
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

/** Half of a character is none in Go. */
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
