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

/** A value as OLM reads it, and what is to say of it. */
export interface DecodedValue {
  /** Without fields that OLM does not know; what is missing is filled in. */
  readonly value: unknown;
  /** Errors where a value is of another type; warnings of fields that are passed over. */
  readonly findings: readonly Finding[];
}

const FIELD = 'catalog-field';

/**
 * Reads a value by the schema of its object: fields that are spelled with other cases are known, as
 * OLM knows them, others are passed over.
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

/** The value with its fields spelled as the schema has them. */
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

/** What OLM reads a null in a list as. */
function emptyOf({ type }: JSONSchemaProps): unknown {
  return type === 'object' ? {} : '';
}
