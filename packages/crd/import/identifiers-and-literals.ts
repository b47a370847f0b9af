/** Names and texts of a CRD as TypeScript writes them. */

/** Converts the parts of a name that are valid in an identifier to Pascal case: `my-kind` becomes `MyKind`. */
export function pascal(name: string): string {
  const parts = name.split(/[^\p{ID_Continue}]+/u).filter(Boolean);
  return parts.map((part) => part.replace(/^./u, (first) => first.toUpperCase())).join('');
}

/** A type's name for a kind: always an identifier. */
export function typeName(kind: string): string {
  const name = pascal(kind);
  return /^\p{ID_Start}/u.test(name) ? name : `Kind${name}`;
}

/** A variable's name for a kind: `HTTPRoute` is `httpRoute`. */
export function camel(kind: string): string {
  return typeName(kind).replace(/^(?:\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}+)/u, (capitals) =>
    capitals.toLowerCase(),
  );
}

/**
 * Returns the singular of a regular English plural: `rules` becomes `rule`, `policies` `policy`,
 * `addresses` `address`, `analyses` `analysis`; `status` stays.
 */
export function singular(name: string): string {
  if (/(?:ss|us|is)$/i.test(name) || name.length < 4) return name;
  if (name.endsWith('yses')) return name.replace(/es$/, 'is');
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(?:ss|x|ch|sh)es$/.test(name)) return name.replace(/es$/, '');
  return name.replace(/s$/, '');
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Formats a property's name in an interface, quoted if necessary. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : quoted(name);
}

/** A string as a literal, in single quotes unless that needs more escapes. */
export function quoted(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (text.includes("'") && !text.includes('"')) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

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
      parts.push(inner, chooseKey(key, names));
      write(mapping[key], inner, parts, names);
      parts.push(',\n');
    }
  }
  if (parts.length === start + 1) parts[start] = isList ? '[]' : '{}';
  else parts.push(indentation, isList ? ']' : '}');
}

function chooseKey(key: string, names: Map<string, string>): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  // A bare __proto__ would be the prototype, not a field.
  const name = `${key === '__proto__' ? "['__proto__']" : propertyName(key)}: `;
  names.set(key, name);
  return name;
}
