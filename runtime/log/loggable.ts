const deepest = 5;
const mostItems = 100;
const longestText = 8192;

/**
 * Converts a value to loggable JSON. A Kubernetes object is reduced to its kind and name, since it may be a Secret;
 * bytes to their number. Errors include their causes. Long, deep and circular values are truncated.
 */
export function toLoggable(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return truncate(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[function ${value.name}]`;
    case 'object':
      return value === null ? null : objectToLoggable(value, depth);
    default:
      return value;
  }
}

function objectToLoggable(value: object, depth: number): unknown {
  if (value instanceof Error) return errorToLoggable(value, depth);
  if (depth === deepest) return '[...]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return itemsToLoggable(value, depth);
  if (value instanceof Set) return itemsToLoggable([...value], depth);
  if (value instanceof Map) return entriesToLoggable([...value], depth);
  if ('metadata' in value && isNamed(value.metadata)) return summarizeObject(value, value.metadata);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toLoggable(value.toJSON(), depth + 1);
  }
  return entriesToLoggable(Object.entries(value), depth);
}

function itemsToLoggable(items: readonly unknown[], depth: number): unknown[] {
  const listed = items.slice(0, mostItems).map((item) => toLoggable(item, depth + 1));
  return items.length > mostItems ? [...listed, `[${items.length - mostItems} more]`] : listed;
}

function entriesToLoggable(
  entries: readonly (readonly [unknown, unknown])[],
  depth: number,
): object {
  const listed = entries
    .slice(0, mostItems)
    .map(([name, field]) => [truncate(String(name)), toLoggable(field, depth + 1)] as const);
  const more = entries.length - listed.length;
  return Object.fromEntries(more > 0 ? [...listed, ['...', `[${more} more]`]] : listed);
}

interface Named {
  readonly name?: unknown;
  readonly generateName?: unknown;
  readonly namespace?: unknown;
}

function isNamed(metadata: unknown): metadata is Named {
  return typeof metadata === 'object' && metadata !== null;
}

function summarizeObject(value: object, { name, generateName, namespace }: Named): object {
  const kind = 'kind' in value ? value.kind : undefined;
  return { kind, namespace, name: name ?? generateName };
}

/** Fields of API errors: the request and the answer. */
const apiErrorFields = ['code', 'status', 'reason', 'request'] as const;

function errorToLoggable(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const fields: { [name: string]: unknown } = { name, message: truncate(message) };
  for (const field of apiErrorFields) {
    const value: unknown = Reflect.get(error, field);
    if (typeof value === 'string' || typeof value === 'number') fields[field] = value;
  }
  if (stack !== undefined) fields['stack'] = truncate(stack);
  if (depth === deepest) return fields;
  if (cause !== undefined) fields['cause'] = toLoggable(cause, depth + 1);
  if (error instanceof AggregateError) fields['errors'] = itemsToLoggable(error.errors, depth);
  return fields;
}

function truncate(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}[${text.length - longestText} more]`;
}
