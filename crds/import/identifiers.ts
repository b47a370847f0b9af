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
