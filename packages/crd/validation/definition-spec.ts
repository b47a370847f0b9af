import { show, type Path } from '@tenantry/kube/problem';
import { checkConversion } from './conversion-webhook.ts';
import type {
  DecodedSpec,
  DecodedVersion,
  DecodedColumn,
  DecodedScale,
  DecodedSubresources,
} from '../fields/decoded-definition.ts';
import type { Findings } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import { checkGroup, checkNames } from './definition-identity.ts';
import { checkVersionSchema } from './version-schema.ts';
import { byteLength, isDns1035Label, isPrintable, A_DNS_1035_LABEL } from '@tenantry/kube/names';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { findField } from '../schema/cel.ts';

export function checkSpec(spec: DecodedSpec, findings: Findings, leniency: Leniency): void {
  const path: Path = ['spec'];
  checkGroup(spec, path, findings);
  checkNames(spec.names ?? {}, [...path, 'names'], findings);
  checkVersions(spec.versions ?? [], [...path, 'versions'], findings, leniency);
  checkConversion(spec.conversion, [...path, 'conversion'], findings, leniency);
  const { strategy = 'None' } = spec.conversion ?? {};
  if (spec.preserveUnknownFields && strategy !== 'None') {
    const message = `must be None, since preserveUnknownFields is true, got ${show(strategy)}`;
    findings.addError([...path, 'conversion', 'strategy'], message, 'conversion-strategy');
  }
  if (spec.preserveUnknownFields && !leniency.preserveUnknownFields) {
    const message =
      "must be absent or false, got true; 'x-kubernetes-preserve-unknown-fields: true' in a schema does the same for one place";
    findings.addError([...path, 'preserveUnknownFields'], message, 'preserve-unknown-fields');
  }
}

function checkVersions(
  versions: readonly DecodedVersion[],
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  const storage = versions.filter((version) => version.storage).length;
  if (storage !== 1) {
    const message = `must have exactly one version with 'storage: true', got ${storage}`;
    findings.addError(path, message, 'storage-version');
  }
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    const { name = '' } = version;
    if (!isDns1035Label(name)) {
      const message = `must be ${A_DNS_1035_LABEL}, got ${show(version.name)}`;
      findings.addError([...path, i, 'name'], message, 'version-name');
    }
    if (seen.has(name)) {
      const message = `must be unique among the versions, got ${show(name)} again`;
      findings.addError([...path, i, 'name'], message, 'version-unique');
    }
    seen.add(name);
    checkDeprecation(version, [...path, i, 'deprecationWarning'], findings);
    const lenient = leniency.anySchemas || (leniency.missingSchemas && !version.served);
    if (!version.schema?.openAPIV3Schema && !lenient) {
      const at = [...path, i, 'schema', 'openAPIV3Schema'];
      findings.addError(at, 'must be a schema, got nothing', 'schema-missing');
    }
  }
  checkParts(versions, path, findings, leniency);
}

/** Parts that all versions share are only checked in the first. */
function checkParts(
  versions: readonly DecodedVersion[],
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  const shared = sharedParts(versions);
  const anyStatus = versions.some(({ subresources }) => subresources?.status !== undefined);
  for (const [i, version] of versions.entries()) {
    const at = [...path, i];
    const schema = version.schema?.openAPIV3Schema;
    const namesake = versions.find(({ name }) => name === version.name);
    const status = namesake?.subresources?.status !== undefined;
    if (schema && !leniency.anySchemas && (i === 0 || !shared.schema)) {
      const schemaPath = [...at, 'schema', 'openAPIV3Schema'];
      const hasStatus = shared.schema ? anyStatus : status;
      const isUnchanged = leniency.unchangedSchemas?.has(version.name ?? '') ?? false;
      checkVersionSchema(schema, schemaPath, { hasStatus, isUnchanged }, findings, leniency);
    }
    if (i === 0 || !shared.subresources) {
      checkSubresources(version.subresources, [...at, 'subresources'], findings);
    }
    if (i === 0 || !shared.columns) {
      const columns = version.additionalPrinterColumns ?? [];
      checkColumns(columns, [...at, 'additionalPrinterColumns'], findings);
    }
    if (i === 0 || !shared.selectableFields) {
      checkSelection(version, shared, at, findings, leniency);
    }
  }
}

/**
 * Checks the selectable fields as Kubernetes 1.36 does: they and the schemas must both be the same
 * in all versions, or both differ.
 */
function checkSelection(
  version: DecodedVersion,
  shared: Shared,
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  const { selectableFields = [], schema, name = '' } = version;
  if (selectableFields.length === 0) return;
  const at = [...path, 'selectableFields'];
  if (shared.selectableFields && !shared.schema) {
    const message =
      'must differ between the versions, since their schemas do, got the same (a limit of Kubernetes; another order is a difference)';
    return findings.addError(at, message, 'selectable-fields-shared');
  }
  if (shared.schema && !shared.selectableFields) {
    const message =
      'must be the same in all versions, since their schemas are, got a difference (a limit of Kubernetes)';
    return findings.addError(at, message, 'selectable-fields-shared');
  }
  const tooMany = leniency.selectableFields?.has(name) ?? false;
  checkSelectableFields(selectableFields, schema?.openAPIV3Schema, at, findings, tooMany);
}

function checkDeprecation(
  { deprecated, deprecationWarning: warning }: DecodedVersion,
  path: Path,
  findings: Findings,
): void {
  if (warning === undefined) return;
  const wrong = (must: string): void => {
    findings.addWrong(path, `${must}`, warning, 'deprecation-warning');
  };
  if (!deprecated) return wrong('be absent unless the version is deprecated');
  if (warning === '') wrong('not be empty');
  if (byteLength(warning) > 256) wrong('be at most 256 bytes of UTF-8');
  if (!isPrintable(warning)) wrong('consist of printable characters and plain spaces');
}

const MAX_SELECTABLE_FIELDS = 8;

/** Checks the fields that `kubectl get --field-selector` can select by. */
function checkSelectableFields(
  fields: readonly { readonly jsonPath?: string }[],
  schema: JSONSchemaProps | undefined,
  path: Path,
  findings: Findings,
  tooMany = false,
): void {
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const wrong = (must: string): void => {
      findings.addWrong([...path, i, 'jsonPath'], `${must}`, jsonPath, 'selectable-field');
    };
    if (jsonPath === undefined) {
      wrong("be a path such as '.spec.color'");
      continue;
    }
    const found = findField(jsonPath, schema ?? {}, { brackets: false });
    if ('must' in found) {
      wrong(found.must);
      continue;
    }
    if (found.names[0] === 'metadata') wrong('refer to a field outside of metadata');
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      wrong('refer to a string, a boolean or an integer');
    }
    const key = JSON.stringify(found.names);
    if (seen.has(key)) wrong('refer to a field that no other entry refers to');
    seen.add(key);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS && !tooMany) {
    const message = `must have at most ${MAX_SELECTABLE_FIELDS} entries, got ${seen.size}`;
    findings.addError(path, message, 'selectable-fields-count');
  }
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

/** The columns of `kubectl get`. */
export function checkColumns(
  columns: readonly DecodedColumn[],
  path: Path,
  findings: Findings,
): void {
  for (const [i, { name, type, format, jsonPath }] of columns.entries()) {
    const wrong = (field: string, must: string, got: unknown): void => {
      findings.addError(
        [...path, i, field],
        `must ${must}, got ${show(got)}`,
        `column-${columnRules[field]}`,
      );
    };
    if (name === undefined) wrong('name', 'not be empty', name);
    if (type === undefined || !COLUMN_TYPES.includes(type)) {
      wrong('type', `be one of ${COLUMN_TYPES.join(', ')}`, type);
    }
    if (format !== undefined && !COLUMN_FORMATS.includes(format)) {
      wrong('format', `be one of ${COLUMN_FORMATS.join(', ')}`, format);
    }
    if (!jsonPath?.startsWith('.'))
      wrong('jsonPath', "be a JSON path that starts with '.'", jsonPath);
  }
}

const columnRules: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  format: 'format',
  jsonPath: 'path',
};

/** The status and scale subresources; only the paths of scale can be wrong. */
export function checkSubresources(
  subresources: DecodedSubresources | undefined,
  path: Path,
  findings: Findings,
): void {
  const scale = subresources?.scale;
  if (!scale) return;
  for (const [field, roots] of Object.entries(scalePaths)) {
    const name = field as keyof DecodedScale;
    const value = scale[name];
    if (name === 'labelSelectorPath' && !value) continue;
    if (roots.some((root) => value?.startsWith(root))) continue;
    const message = `must be a JSON path that starts with '${roots.join("' or '")}', got ${show(value)}`;
    findings.addError([...path, 'scale', name], message, 'scale-path');
  }
}

const scalePaths = {
  specReplicasPath: ['.spec.'],
  statusReplicasPath: ['.status.'],
  labelSelectorPath: ['.spec.', '.status.'],
} as const;

/** Which parts all versions have alike. The API server keeps such a part once, and checks it once. */
interface Shared {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectableFields: boolean;
}

function sharedParts(versions: readonly DecodedVersion[]): Shared {
  const alike = (part: keyof DecodedVersion): boolean =>
    versions.every((version) => equal(version[part], versions[0]?.[part], part));
  return {
    schema: alike('schema'),
    subresources: alike('subresources'),
    columns: alike('additionalPrinterColumns'),
    selectableFields: alike('selectableFields'),
  };
}

/** Fields that are mappings from names: without any, they are as good as absent. */
const mappings = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** Returns whether two API values are equivalent; an empty list counts as absent. */
export function equal(a: unknown, b: unknown, field = ''): boolean {
  if (isVoid(a, field) && isVoid(b, field)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const named = mappings.has(field);
  return [...names].every((name) => {
    if (named && Object.hasOwn(left, name) !== Object.hasOwn(right, name)) return false;
    return equal(left[name], right[name], named || Array.isArray(a) ? '' : name);
  });
}

function isVoid(value: unknown, field: string): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return mappings.has(field) && typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
