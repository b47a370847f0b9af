import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { isMapping } from '../../kube/mapping.ts';

/** Fields whose presence has a meaning even if they are empty. */
const MEANINGFUL_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'automated',
  'retry',
  'orphanedResources',
  'plugin',
  'list',
  'clusters',
  'scmProvider',
  'pullRequest',
  'awsCodeCommit',
]);

/** Fields for which false or 0 differs from an absent value. */
const MEANINGFUL_ZEROS: ReadonlySet<string> = new Set([
  'enabled',
  'warn',
  'revisionHistoryLimit',
  'requeueAfterSeconds',
  'maxUpdate',
  'factor',
  'includeSharedProjects',
]);

/** Fields of a source's `kustomize` that only modify others. If there are no others, Argo CD treats it as empty. */
const KUSTOMIZE_MODIFIERS: ReadonlySet<string> = new Set([
  'commonAnnotationsEnvsubst',
  'forceCommonAnnotations',
  'forceCommonLabels',
  'labelIncludeTemplates',
  'labelWithoutSelector',
]);

/**
 * Removes from a value of one of Argo CD's kinds what Argo CD leaves out when it writes the object back: empty texts,
 * lists and mappings, and zeros and false if they mean the same as an absent value. A field that is in Git and never in
 * the cluster stays OutOfSync for ever. Values of free form are not changed.
 */
export function omitZeros<T>(schema: JSONSchemaProps, value: T): T;
export function omitZeros(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((one: unknown) => omitZeros(items, one)) : value;
  }
  if (!isPlain(value)) return value;
  const { properties, additionalProperties, required = [] } = schema;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const of = properties?.[name] ?? additionalProperties;
    const inner = typeof of === 'object' ? omitZeros(of, field) : field;
    const isKept = !properties?.[name] || required.includes(name) || !isZero(name, inner);
    if (isKept) kept[name] = inner;
  }
  return kept;
}

function isZero(name: string, value: unknown): boolean {
  if (value === false || value === 0) return !MEANINGFUL_ZEROS.has(name);
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isPlain(value) || MEANINGFUL_WHEN_EMPTY.has(name)) return false;
  const keys = Object.keys(value);
  return name === 'kustomize'
    ? keys.every((key) => KUSTOMIZE_MODIFIERS.has(key))
    : keys.length === 0;
}

/** Whether a value is plain data. Lazy values of cdk8s are objects of a class, whose content is known later. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    isMapping(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}
