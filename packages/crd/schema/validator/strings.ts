import { formatCheck } from '../format.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { compilePattern } from '../pattern.ts';
import { undeterminedPasses, always, type Check } from './schema-node.ts';

type StringCheck = Check<string>;

/** Builds the check of strings: enum, length in characters, pattern and format (`''` for none). */
export function stringCheck(schema: JSONSchemaProps, format: string): StringCheck {
  const { minLength, maxLength } = schema;
  const checks = [
    enumCheck(schema),
    lengthCheck(minLength, maxLength),
    patternCheck(schema),
    buildFormatCheck(format),
  ];
  const [first = always, ...rest] = checks.filter((check) => check !== undefined);
  return rest.reduce(
    (before, check) => (value, undetermined) =>
      before(value, undetermined) && check(value, undetermined),
    first,
  );
}

/** Returns the first keyword that an invalid string breaks. */
export function brokenStringKeyword(
  schema: JSONSchemaProps,
  value: string,
): 'enum' | 'minLength' | 'maxLength' | 'pattern' | 'format' {
  const keeps = (check: StringCheck | undefined): boolean =>
    check?.(value, undeterminedPasses) ?? true;
  if (schema.enum?.length && !schema.enum.includes(value)) return 'enum';
  if (!keeps(lengthCheck(schema.minLength))) return 'minLength';
  if (!keeps(lengthCheck(0, schema.maxLength))) return 'maxLength';
  return keeps(patternCheck(schema)) ? 'format' : 'pattern';
}

function enumCheck(schema: JSONSchemaProps): StringCheck | undefined {
  if (!schema.enum || schema.enum.length === 0) return undefined;
  const values = new Set<unknown>(schema.enum);
  return (value) => values.has(value);
}

function lengthCheck(minLength = 0, maxLength?: number): StringCheck | undefined {
  if (minLength <= 0 && maxLength === undefined) return undefined;
  const most = maxLength ?? Infinity;
  // A character is one or two UTF-16 units.
  return (value) => {
    const units = value.length;
    if (units <= most && units >= minLength * 2 - 1) return true;
    const characters = countCharacters(value);
    return characters >= minLength && characters <= most;
  };
}

/** Counts the characters (code points) of a string. */
function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function patternCheck({ pattern }: JSONSchemaProps): StringCheck | undefined {
  if (pattern === undefined || pattern === '') return undefined;
  let compiled: ReturnType<typeof compilePattern> | undefined;
  return (value, undetermined) => {
    compiled ??= compilePattern(pattern);
    if (!compiled.takesTooLong(value)) return compiled.test(value);
    return undetermined.add(
      'pattern',
      'whether so long a text matches so long a pattern takes too long',
    );
  };
}

function buildFormatCheck(format: string): StringCheck | undefined {
  const check = formatCheck(format);
  if (!check) return undefined;
  return (value, undetermined) =>
    check(value) ??
    undetermined.add(
      'format',
      `whether it is of format ${format} is decided by the API server alone`,
    );
}
