import { escapes as letters } from './string-literal.ts';
import type { JSONSchemaProps } from '../json-schema.ts';

/** The target of a field path in a schema. */
export interface FoundField {
  /** The field names along the path. */
  readonly names: readonly string[];
  /** Undefined if the path ends in a mapping of anything. */
  readonly schema: JSONSchemaProps | undefined;
}

/** The reason why a path has no target: what it must be, as in 'must ...'. */
export interface NoField {
  readonly must: string;
}

/** The characters that can follow a backslash. */
const escapes: Readonly<Record<string, string>> = { ...letters, "'": "'", '\\': '\\' };

/**
 * Follows a path such as `.spec.ports['http-80']` through properties and additionalProperties. It cannot name items of
 * lists.
 * Source: the field `fieldPath` of a validation rule, and `jsonPath` of a selectable field, which allows no brackets.
 */
export function findField(
  path: string,
  root: JSONSchemaProps,
  { brackets }: { readonly brackets: boolean },
): FoundField | NoField {
  const names: string[] = [];
  let schema: JSONSchemaProps | undefined = root;
  const step = (name: string): NoField | undefined => {
    const { properties, additionalProperties }: JSONSchemaProps = schema ?? {};
    const named = properties && Object.keys(properties).length > 0;
    if (named ? !Object.hasOwn(properties, name) : additionalProperties === undefined) {
      return { must: 'refer to a field of the schema' };
    }
    names.push(name);
    if (named) schema = properties[name];
    else schema = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    return undefined;
  };
  const tokens = tokensOf(path);
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i];
    let failure: NoField | undefined;
    if (token === '.') {
      const name = tokens[(i += 1)];
      failure = name === undefined ? { must: "not end with '.'" } : step(name);
    } else if (token === '[' && brackets) {
      const name = unquoted(tokens[(i += 1)] ?? '');
      if (name === undefined) return { must: "have names in single quotes between '[' and ']'" };
      failure = step(name) ?? (tokens[(i += 1)] === ']' ? undefined : { must: "close '['" });
    } else {
      failure = { must: brackets ? "consist of '.name' and ['name']" : "consist of '.name'" };
    }
    if (failure) return failure;
  }
  return { names, schema };
}

/** Splits a path into '.', '[', ']', and the texts between them; a text in single quotes is one token. */
function tokensOf(path: string): string[] {
  const tokens: string[] = [];
  for (let rest = path; rest !== '';) {
    const token = rest.startsWith("'") ? quoted(rest) : /^(?:[.[\]]|[^.[\]]+)/.exec(rest)![0];
    tokens.push(token);
    rest = rest.slice(token.length);
  }
  return tokens;
}

/** Returns the text up to the next quote without a backslash before it, or up to the end. */
function quoted(text: string): string {
  for (let i = 1; i < text.length; i += 1) {
    if (text[i] === "'" && text[i - 1] !== '\\') return text.slice(0, i + 1);
  }
  return text;
}

function unquoted(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  let sound = true;
  const text = token.slice(1, -1).replaceAll(/\\./g, ([, letter = '']) => {
    sound &&= Object.hasOwn(escapes, letter);
    return escapes[letter] ?? '';
  });
  return sound ? text : undefined;
}
