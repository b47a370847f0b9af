const deepest = 5;
const mostItems = 100;
const longestText = 8192;

/**
 * What a log says of a value, as JSON. An object of Kubernetes is told by its kind and name alone, since
 * it may be a Secret; bytes by their number. Errors are told with their causes. What is long, deep or
 * goes round is cut off.
 */
export function sayable(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case 'string':
      return shortened(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[function ${value.name}]`;
    case 'object':
      return value === null ? null : sayableObject(value, depth);
    default:
      return value;
  }
}

function sayableObject(value: object, depth: number): unknown {
  if (value instanceof Error) return errorFields(value, depth);
  if (depth === deepest) return '[...]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return itemsOf(value, depth);
  if (value instanceof Set) return itemsOf([...value], depth);
  if (value instanceof Map) return fieldsOf([...value], depth);
  if ('metadata' in value && isNamed(value.metadata)) return nameOfObject(value, value.metadata);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return sayable(value.toJSON(), depth + 1);
  }
  return fieldsOf(Object.entries(value), depth);
}

function itemsOf(items: readonly unknown[], depth: number): unknown[] {
  const said = items.slice(0, mostItems).map((item) => sayable(item, depth + 1));
  return items.length > mostItems ? [...said, `[${items.length - mostItems} more]`] : said;
}

function fieldsOf(entries: readonly (readonly [unknown, unknown])[], depth: number): object {
  const said = entries
    .slice(0, mostItems)
    .map(([name, field]) => [shortened(String(name)), sayable(field, depth + 1)] as const);
  const more = entries.length - said.length;
  return Object.fromEntries(more > 0 ? [...said, ['...', `[${more} more]`]] : said);
}

interface Named {
  readonly name?: unknown;
  readonly generateName?: unknown;
  readonly namespace?: unknown;
}

function isNamed(metadata: unknown): metadata is Named {
  return typeof metadata === 'object' && metadata !== null;
}

function nameOfObject(value: object, { name, generateName, namespace }: Named): object {
  const kind = 'kind' in value ? value.kind : undefined;
  return { kind, namespace, name: name ?? generateName };
}

/** Of errors of the API server: what was asked, and the answer. */
const told = ['code', 'status', 'reason', 'request'] as const;

function errorFields(error: Error, depth: number): object {
  const { name, message, stack, cause } = error;
  const fields: { [name: string]: unknown } = { name, message: shortened(message) };
  for (const field of told) {
    const value: unknown = Reflect.get(error, field);
    if (typeof value === 'string' || typeof value === 'number') fields[field] = value;
  }
  if (stack !== undefined) fields['stack'] = shortened(stack);
  if (depth === deepest) return fields;
  if (cause !== undefined) fields['cause'] = sayable(cause, depth + 1);
  if (error instanceof AggregateError) fields['errors'] = itemsOf(error.errors, depth);
  return fields;
}

function shortened(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}[${text.length - longestText} more]`;
}
