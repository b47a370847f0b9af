import type { JSONSchemaProps } from '../schema/jsonschema.ts';

const escapes = /\\(.)/gs;
const known = new Set("abfnrtv'\\");

/**
 * What is wrong with the `fieldPath` of a rule, such as `.spec.labels['a.b']`; undefined where it
 * leads to a field of the schema. It goes through no list.
 */
export function fieldPathProblem(path: string, schema: JSONSchemaProps): string | undefined {
  let at: JSONSchemaProps | undefined = schema;
  const words = path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|(?:(?!['])[^.[\]])[^.[\]]*|'[^]*/gs) ?? [];
  for (let i = 0; i < words.length; i += 1) {
    let name: string | undefined;
    if (words[i] === '.') name = words[(i += 1)];
    else if (words[i] === '[') {
      name = unquoted(words[(i += 1)] ?? '');
      if (name === undefined) return `must have a name in single quotes after '[', got '${path}'`;
      if (words[(i += 1)] !== ']') return `must have ']' after the name, got '${path}'`;
    } else return `must begin with '.' or '[', got '${path}'`;
    if (name === undefined) return `must not end with '.', got '${path}'`;
    at = step(at, name);
    if (!at) return `must lead to a field of the schema, got '${path}'`;
  }
  return undefined;
}

function step(schema: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties: values } = schema;
  if (Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  if (values === undefined) return undefined;
  return typeof values === 'object' ? values : {};
}

function unquoted(word: string): string | undefined {
  if (!/^'.*'$/s.test(word) || word.length < 2) return undefined;
  const body = word.slice(1, -1);
  for (const [, letter] of body.matchAll(escapes)) if (!known.has(letter!)) return undefined;
  return body.replaceAll(escapes, (_, letter: string) => plain[letter] ?? letter);
}

const plain: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
