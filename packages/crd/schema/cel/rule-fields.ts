import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show } from '@tenantry/kube/problem';
import { hasLineBreak, trimSpace } from '@tenantry/kube/names';
import { escapes as letters } from './token.ts';

const rules = {
  rule: 'cel-rule-empty',
  message: 'cel-message',
  messageExpression: 'cel-message-expression',
  fieldPath: 'cel-field-path',
  reason: 'cel-reason',
} as const;

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * Validates the fields of a rule before its expressions are parsed. Paths are relative to the rule.
 *
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver
 */
export function validateRuleFields(
  rule: Partial<ValidationRule>,
  schema: JSONSchemaProps,
): readonly Finding[] {
  const errors: Finding[] = [];
  const wrong = (field: keyof typeof rules, must: string, got: unknown): void => {
    errors.push(errorAt([field], `must ${must}, got ${show(got)}`, rules[field]));
  };
  const { messageExpression, reason, fieldPath } = rule;
  const text = trimSpace(rule.rule ?? '');
  const message = trimSpace(rule.message ?? '');
  if (text === '') wrong('rule', 'not be empty', rule.rule);
  else if (rule.message && message === '') {
    wrong('message', 'have words in it or be absent', rule.message);
  } else if (hasLineBreak(message)) wrong('message', 'be one line', message);
  else if (hasLineBreak(text) && message === '') {
    wrong('message', 'be given, since the rule has more than one line', undefined);
  }
  if (messageExpression && trimSpace(messageExpression) === '') {
    wrong('messageExpression', 'have words in it or be absent', messageExpression);
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    wrong('reason', `be one of ${reasons.join(', ')}`, reason);
  }
  if (fieldPath) {
    const found = findField(fieldPath, schema, { brackets: true });
    if ('must' in found) wrong('fieldPath', found.must, fieldPath);
    else if (hasLineBreak(fieldPath)) wrong('fieldPath', 'be one line', fieldPath);
  }
  return errors;
}

/** The target of a field path in a schema. */
interface FoundField {
  /** The field names along the path. */
  readonly names: readonly string[];
  /** Undefined if the path ends in a mapping of anything. */
  readonly schema: JSONSchemaProps | undefined;
}

/** The reason why a path has no target: what it must be, as in 'must ...'. */
interface NoField {
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
  const tokens = tokenize(path);
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
function tokenize(path: string): string[] {
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
  let isValid = true;
  const text = token.slice(1, -1).replaceAll(/\\./g, ([, letter = '']) => {
    isValid &&= Object.hasOwn(escapes, letter);
    return escapes[letter] ?? '';
  });
  return isValid ? text : undefined;
}
