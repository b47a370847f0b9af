import type { Finding } from '../../kube/finding.ts';
import { isMapping, valueAt } from '../../kube/mapping.ts';
import { show, type Path } from '../../kube/problem.ts';
import { isSecret } from '../../kube/secret.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

/**
 * Adds advice to the errors of a value against the schema of one of our kinds, if YAML read
 * something other than what was meant. Names and numbers in a list of mappings are one error for
 * the whole list.
 */
export function addAdvice(
  errors: readonly Finding[],
  value: unknown,
  schema: JSONSchemaProps,
): Finding[] {
  const reportedLists = new Set<string>();
  return errors.flatMap((error) => {
    const got = valueAt(value, error.path);
    const asked = schemaAt(schema, error.path);
    const isItem = typeof error.path.at(-1) === 'number';
    if (isItem && asked?.type === 'object' && typeof got !== 'object') {
      const list = error.path.slice(0, -1);
      if (reportedLists.has(list.join('\0'))) return [];
      reportedLists.add(list.join('\0'));
      const [key] = keysOf(schemaAt(schema, list));
      if (key === undefined || typeof got !== 'string') return [error];
      return [
        { ...error, message: `${error.message}; write { ${key}: ${show(got).slice(1, -1)} }` },
      ];
    }
    const advice = isSecret(error.path) || !asked ? undefined : adviceOn(got, asked, error);
    return [advice === undefined ? error : { ...error, message: `${error.message}; ${advice}` }];
  });
}

/** Returns what to write if the error is in the notation of the value. */
function adviceOn(got: unknown, asked: JSONSchemaProps, { rule }: Finding): string | undefined {
  const takesText = asked.type === 'string' || asked['x-kubernetes-int-or-string'] === true;
  if (rule === 'required' || !takesText) return undefined;
  if (typeof got === 'boolean') {
    return 'YAML reads y, n, yes, no, on and off as true and false: write a text in quotes';
  }
  if (typeof got !== 'number') return undefined;
  return asked.type === 'string'
    ? `YAML reads it as a number: write it in quotes, as it is meant`
    : fractionAdvice(got);
}

/** The API server accepts a fraction as a quantity only if it is a string. */
function fractionAdvice(got: number): string | undefined {
  if (Number.isInteger(got) || got < 0) return undefined;
  const milli = Math.round(got * 1000);
  const isMilli = Math.abs(milli - got * 1000) < 1e-9;
  return `write it in quotes, '${got}'${isMilli ? `, or as '${milli}m'` : ''}`;
}

function keysOf(schema: JSONSchemaProps | undefined): readonly string[] {
  return schema?.['x-kubernetes-list-map-keys'] ?? [];
}

function schemaAt(schema: JSONSchemaProps, path: Path): JSONSchemaProps | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const part of path) {
    const { items, properties, additionalProperties }: JSONSchemaProps = at;
    const inner: unknown =
      typeof part === 'number' ? items : (properties?.[part] ?? additionalProperties);
    if (!isMapping(inner)) return undefined;
    at = inner;
  }
  return at;
}
