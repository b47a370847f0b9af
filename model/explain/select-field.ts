import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { didYouMean, findNearest, show } from '@tenantry/kube/problem';
import type { ExplainedTenant } from './explain-tenant.ts';
import type { ExplainedValue } from './explained-value.ts';
import { findFieldSchema, listFieldNames } from './fields.ts';

/** What FIELD selects: some namespaces of a tenant, and a setting. */
export interface FieldSelection {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** The dotted path of the setting; empty for all settings. */
  readonly setting: string;
}

/**
 * Parses a dotted path such as `quota.hard.pods` or `namespaces.shop-prod.quota`, as a declaration spells it below `spec`.
 * @returns the selection, or a message that begins with `must be` if no tenant has the field
 */
export function parseField(text: string, explained: ExplainedTenant): FieldSelection | string {
  const plain = text.replace(/^spec\./, '');
  const parts = plain.split('.');
  if (parts[0] !== 'namespaces') return checkSetting(plain, plain, explained) ?? { setting: plain };
  const names = [...new Set(explained.namespaces.map(({ name }) => name))];
  const name = parts[1];
  if (name === undefined) return { setting: '' };
  if (!names.includes(name)) {
    const hint = didYouMean(findNearest(name, names));
    return `must be a namespace of the tenant (${names.join(', ')}), got ${show(name)}${hint}`;
  }
  const setting = parts.slice(2).join('.');
  const wrong = setting === '' ? undefined : checkSetting(setting, plain, explained);
  return wrong ?? { namespace: name, setting };
}

/** Returns the selected values. */
export function selectValues(
  values: readonly ExplainedValue[],
  { setting }: FieldSelection,
): readonly ExplainedValue[] {
  if (setting === '') return values;
  return values.filter(({ path }) => `${path.join('.')}.`.startsWith(`${setting}.`));
}

/** Returns a message if neither a value nor the schema has the setting. */
function checkSetting(
  setting: string,
  whole: string,
  { values, namespaces }: ExplainedTenant,
): string | undefined {
  const all = [...values, ...namespaces.flatMap((one) => one.values)];
  if (selectValues(all, { setting }).length > 0) return undefined;
  const parts = setting.split('.');
  for (const [i, part] of parts.entries()) {
    const parent = parts.slice(0, i);
    const schema = findFieldSchema(parent);
    if (schema && takesAnyKey(schema)) return undefined;
    if (findFieldSchema([...parent, part])) continue;
    const known = new Set([
      ...listFieldNames(parent),
      ...all
        .filter(({ path }) => parent.every((one, n) => path[n] === one))
        .flatMap(({ path }) => path[i] ?? []),
    ]);
    if (known.has(part)) continue;
    const meant = findNearest(part, known);
    const before = whole.slice(0, whole.length - setting.length);
    const suggestion =
      meant === undefined
        ? undefined
        : `${before}${[...parent, meant, ...parts.slice(i + 1)].join('.')}`;
    return `must be a setting of a tenant, got ${show(whole)}${didYouMean(suggestion)}`;
  }
  return undefined;
}

function takesAnyKey({ additionalProperties, items }: JSONSchemaProps): boolean {
  return additionalProperties !== undefined || items !== undefined;
}
