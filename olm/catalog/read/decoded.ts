import type { Finding } from '../../../kube/finding.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { didYouMean, show, type Path } from '../../../kube/problem.ts';
import {
  applyDefaults,
  dropNulls,
  pruneValue,
  buildUnknownFieldErrors,
} from '../../../schema/admission.ts';
import type { JSONSchemaProps } from '../../../schema/language.ts';
import { compileSchema } from '../../../schema/validator.ts';

/** A value as OLM decodes it, with the findings about it. */
export interface DecodedValue {
  /** The value without unknown fields; missing fields are filled in. */
  readonly value: unknown;
  /** Errors for values of wrong types; warnings for ignored fields. */
  readonly findings: readonly Finding[];
}

const FIELD = 'catalog-field';

/**
 * Decodes a value by the schema of its object. As in OLM, field names match in any case, and unknown fields are
 * ignored.
 */
export function decodeCatalogValue(schema: JSONSchemaProps, given: unknown): DecodedValue {
  const findings: Finding[] = [];
  const warn = (finding: Finding): void => {
    findings.push({ ...finding, severity: 'warning', rule: FIELD });
  };
  const { value, pruned } = pruneValue(schema, normalizeSpelling(schema, given, [], warn));
  for (const unknown of buildUnknownFieldErrors(schema, pruned)) warn(unknown);
  const known = dropNulls(schema, value);
  const { errors } = compileSchema(schema).check(applyDefaults(schema, known));
  findings.push(...errors.map((error) => ({ ...error, rule: 'catalog-type' })));
  return { value: applyDefaults(schema, known), findings };
}

/** Renames the fields of a value to the spelling of the schema. */
function normalizeSpelling(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path,
  warn: (finding: Finding) => void,
): unknown {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    if (!items) return value;
    return value.map((item, i) =>
      normalizeSpelling(items, item ?? emptyOf(items), [...path, i], warn),
    );
  }
  if (!isMapping(value) || !properties) return value;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = Object.hasOwn(properties, key) ? key : names.get(key.toLowerCase());
    if (name === undefined || (name !== key && Object.hasOwn(value, name))) return [key, inner];
    if (name !== key) {
      const message = `must be spelled as it is known, got ${show(key)}${didYouMean(name)}`;
      warn({ path: [...path, key], atKey: true, message, rule: FIELD, severity: 'warning' });
    }
    return [name, normalizeSpelling(properties[name]!, inner, [...path, name], warn)];
  });
  return Object.fromEntries(entries);
}

/** Returns the value that OLM reads for a null in a list. */
function emptyOf({ type }: JSONSchemaProps): unknown {
  return type === 'object' ? {} : '';
}
