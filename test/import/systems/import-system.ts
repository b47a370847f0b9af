import type { PlatformSpec } from '../../../crds/platform.ts';
import { importManifests, type ImportResult } from '../../../import/import-manifests.ts';
import { buildImportReport, type ImportReport } from '../../../cli/import-report.ts';
import { formatObjectName } from '../../../operator/drift/object-drift.ts';
import { formatProblem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';

/** An import of YAML texts, and its report. */
export interface SystemImport {
  readonly result: ImportResult;
  /** Its `omitted` is `leftOut` with what controllers made, which needs no acceptance. */
  readonly report: ImportReport & { readonly omitted: ImportReport['leftOut'] };
}

/**
 * Imports files by their names, or one text of YAML.
 * @throws {Error} with the problems, if there are any
 */
export function importSystem(
  source: string | Readonly<Record<string, string>>,
  accepted: readonly string[] = [],
  platform?: PlatformSpec,
  pinned: ReadonlyMap<string, string> = new Map<string, string>(),
): SystemImport {
  const files = typeof source === 'string' ? { 'all.yaml': source } : source;
  const sources = Object.entries(files).map(([file, text]) => ({ file, text }));
  const className = 'imported';
  const choices = { className, cluster: 'in-cluster', pinned, ...(platform && { platform }) };
  const result = importManifests(sources, choices);
  if (!('proof' in result)) throw new Error(result.problems.map(formatProblem).join('\n'));
  if (result.proof.problems.length > 0) {
    throw new Error(result.proof.problems.map(formatProblem).join('\n'));
  }
  const context = { accepted, files: [], isWritten: false, isBlocked: false, className };
  const report = buildImportReport(result, context);
  return { result, report: { ...report, omitted: addMade(result, report) } };
}

/** Returns the objects that are left out, with those that controllers made, which need no acceptance. */
function addMade({ proof }: ImportResult, { leftOut }: ImportReport): ImportReport['leftOut'] {
  const others = leftOut.values();
  const objects = proof.objects.flatMap((one) => {
    if (one.verdict === 'left-out') return others.next().value ?? [];
    if (one.verdict !== 'made') return [];
    const { kind, metadata } = one.found.object;
    const object = formatObjectName({ kind, ...metadata });
    return [{ object, reason: one.made.reason, accepted: true }];
  });
  return [...objects, ...others];
}

/** Returns the spec of a tenant as it is written. */
export function readTenant({ result }: SystemImport, name: string): unknown {
  const file = result.files.find(({ path }) => path === `${name}.yaml`);
  const value = file && readDocuments(file.text).documents[0]?.value;
  return (value as { readonly spec?: unknown } | undefined)?.spec;
}

/** Returns what became of the fields of an object, as `field: outcome`. */
export function readOutcomes({ report }: SystemImport, object: string): Record<string, string> {
  const found = report.translated.find((one) => one.object === object);
  const fields = found?.fields ?? [];
  return Object.fromEntries(
    fields.map(({ field, outcome, text }) => [field, `${outcome}: ${text}`]),
  );
}
