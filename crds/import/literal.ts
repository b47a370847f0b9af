import { propertyName } from './identifiers.ts';

/** Plain data as an expression of TypeScript that gives an equal value; keys are sorted. */
export function literal(value: unknown): string {
  const parts: string[] = [];
  write(value, '', parts, new Map());
  return parts.join('').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** @param names the keys that were written before, in their written form */
function write(
  value: unknown,
  indentation: string,
  parts: string[],
  names: Map<string, string>,
): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value));
    return;
  }
  const inner = `${indentation} `;
  const isList = Array.isArray(value);
  const start = parts.length;
  parts.push(isList ? '[\n' : '{\n');
  if (isList) {
    for (const item of value as readonly unknown[]) {
      parts.push(inner);
      write(item, inner, parts, names);
      parts.push(',\n');
    }
  } else {
    const mapping = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(mapping).toSorted()) {
      if (mapping[key] === undefined) continue;
      parts.push(inner, keyOf(key, names));
      write(mapping[key], inner, parts, names);
      parts.push(',\n');
    }
  }
  if (parts.length === start + 1) parts[start] = isList ? '[]' : '{}';
  else parts.push(indentation, isList ? ']' : '}');
}

function keyOf(key: string, names: Map<string, string>): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  // A bare __proto__ would be the prototype, not a field.
  const name = `${key === '__proto__' ? "['__proto__']" : propertyName(key)}: `;
  names.set(key, name);
  return name;
}
