import { show, type Path } from '../../kube/problem.ts';
import { checkColumns } from './printer-columns.ts';
import { checkSubresources } from './subresources.ts';
import type { DecodedVersion } from '../fields/decoded-definition.ts';
import type { Findings } from '../../kube/finding.ts';
import type { Leniency } from './leniency.ts';
import { checkVersionSchema } from './version-schema.ts';
import { checkSelectableFields } from './selectable-fields.ts';
import { sharedParts, type Shared } from './shared-parts.ts';
import { byteLength, isDns1035Label, isPrintable, A_DNS_1035_LABEL } from '../../kube/names.ts';

export function checkVersions(
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

export function checkDeprecation(
  { deprecated, deprecationWarning: warning }: DecodedVersion,
  path: Path,
  findings: Findings,
): void {
  if (warning === undefined) return;
  const wrong = (must: string): void => {
    findings.addError(path, `must ${must}, got ${show(warning)}`, 'deprecation-warning');
  };
  if (!deprecated) return wrong('be absent unless the version is deprecated');
  if (warning === '') wrong('not be empty');
  if (byteLength(warning) > 256) wrong('be at most 256 bytes of UTF-8');
  if (!isPrintable(warning)) wrong('consist of printable characters and plain spaces');
}
