import { formatSteps, type FieldDiff } from '../operator/drift/difference.ts';
import { redact } from '../operator/drift/redact.ts';
import type { ImportResult } from '../import/import-manifests.ts';
import { listExceptionParts, type ExceptionPart } from '../model/classes/exceptions.ts';
import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import { formatPath, show, type Problem } from '@tenantry/kube/problem';
import type { Bookkeeping } from '../import/systems/translated-parts.ts';
import type { FileChange } from './import-files.ts';
import {
  listAdded,
  listTranslated,
  type ReportedAddition,
  type ReportedTranslation,
} from './import-systems-report.ts';
import {
  createAcceptance,
  nameObject,
  place,
  type Matcher,
  type ReportedPlace,
} from './reported-objects.ts';
import type { ReportedCluster } from './live-source/reported-cluster.ts';

/** What an import reports, as data. */
export interface ImportReport {
  /**
   * `done`: every object is equal or accepted, and the files are as they should be. `different`: some object is not.
   * `blocked`: a file with other content is in the way, so nothing was written.
   */
  readonly outcome: 'done' | 'different' | 'blocked';
  /** Absent for an import of files. */
  readonly cluster?: ReportedCluster;
  readonly namespaces: number;
  readonly tenants: readonly { readonly name: string; readonly namespaces: readonly string[] }[];
  readonly class: string;
  /** Why the namespaces belong to these tenants. */
  readonly grouping: readonly string[];
  readonly objects: {
    readonly total: number;
    readonly equal: number;
    readonly different: number;
    readonly leftOut: number;
    readonly made: number;
    readonly added: number;
    readonly accepted: number;
  };
  readonly differences: readonly ReportedDifference[];
  readonly leftOut: readonly ReportedObject[];
  /** Objects that controllers made, which nobody declares. They need no acceptance. */
  readonly made: readonly {
    readonly kind: string;
    readonly reason: string;
    readonly objects: number;
  }[];
  /** Rendered objects that the source does not have. */
  readonly added: readonly ReportedAddition[];
  /** Objects of other tenancy systems, and what became of their fields. */
  readonly translated: readonly ReportedTranslation[];
  /** Labels and annotations that only another system reads, and which are not declared. */
  readonly bookkeeping: readonly Bookkeeping[];
  readonly observations: readonly ReportedObservation[];
  readonly exceptions: readonly {
    readonly tenants: readonly string[];
    readonly namespaces?: readonly string[];
    readonly allows: readonly string[];
  }[];
  /** Errors of files that were left out. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly files: readonly Omit<FileChange, 'text'>[];
  readonly isWritten: boolean;
}

interface ReportedObject extends ReportedPlace {
  /** Why it is left out. */
  readonly reason: string;
  /** The tool or program that manages it: `helm:shop/redis`. */
  readonly manager?: string;
  readonly accepted: boolean;
}

interface ReportedDifference extends ReportedPlace {
  readonly fields: readonly string[];
  /** Why labels and annotations of a Namespace are not declared. */
  readonly reasons: readonly string[];
  readonly accepted: boolean;
}

interface ReportedObservation extends ReportedPlace {
  readonly rule: string;
  readonly message: string;
}

interface Context {
  /** Absent for an import of files. */
  readonly cluster?: ReportedCluster | undefined;
  readonly accepted: readonly string[];
  readonly files: readonly FileChange[];
  readonly isWritten: boolean;
  readonly isBlocked: boolean;
  readonly className: string;
}

/** Builds the report of an import. */
export function buildImportReport(result: ImportResult, context: Context): ImportReport {
  const { proof, fleet } = result;
  const isAccepted = createAcceptance(context.accepted);
  const differences = listDifferences(result, isAccepted);
  const leftOut = listLeftOut(result, isAccepted);
  const added = listAdded(result, isAccepted);
  const translated = listTranslated(result, isAccepted);
  const isEqual =
    [...differences, ...leftOut, ...added, ...translated].every(({ accepted }) => accepted) &&
    result.problems.length === 0;
  return {
    outcome: context.isBlocked ? 'blocked' : isEqual ? 'done' : 'different',
    ...(context.cluster && { cluster: context.cluster }),
    namespaces: result.namespaces,
    tenants: fleet.tenants.map(({ name, namespaces }) => ({
      name,
      namespaces: namespaces.map(({ found }) => found.name),
    })),
    class: context.className,
    grouping: [...fleet.grouping, ...result.translated.notes],
    objects: {
      total: proof.objects.length,
      equal: proof.objects.filter(({ verdict }) => verdict === 'equal').length,
      different: differences.length,
      leftOut: leftOut.length,
      made: proof.objects.filter(({ verdict }) => verdict === 'made').length,
      added: added.length,
      accepted: [...differences, ...leftOut].filter(({ accepted }) => accepted).length,
    },
    differences,
    leftOut,
    made: countMade(result),
    added,
    translated,
    bookkeeping: result.translated.bookkeeping,
    observations: result.observations.map(({ rule, found, message }) => ({
      ...place(found),
      rule,
      message,
    })),
    exceptions: listExceptions(result),
    problems: result.problems,
    warnings: proof.warnings,
    files: context.files.map(({ text: _text, ...rest }) => rest),
    isWritten: context.isWritten,
  };
}

function listDifferences(
  { proof, fleet }: ImportResult,
  isAccepted: Matcher,
): ReportedDifference[] {
  const members = fleet.tenants.flatMap(({ namespaces }) => namespaces);
  const reasons = new Map(
    members.map(({ found, droppedKeys }) => [found.namespace, [...droppedKeys.values()]]),
  );
  return proof.objects.flatMap((one) => {
    if (one.verdict !== 'different') return [];
    const { found, fields } = one;
    const shown = fields.map((field) => formatField(redact(found.object.kind, field)));
    const accepted = isAccepted(nameObject(found.object), found.live?.manager?.id);
    return [{ ...place(found), fields: shown, reasons: reasons.get(found) ?? [], accepted }];
  });
}

/** Lists objects, and documents that are none; those that are meant for other programs need no acceptance. */
function listLeftOut({ proof, others }: ImportResult, isAccepted: Matcher): ReportedObject[] {
  const objects = proof.objects.flatMap((one): ReportedObject[] => {
    if (one.verdict !== 'left-out') return [];
    const manager = one.found.live?.manager?.id;
    const accepted = isAccepted(nameObject(one.found.object), manager);
    return [omitUndefined({ ...place(one.found), reason: one.reason, manager, accepted })];
  });
  const documents = others.map(({ file, line, reason, isObject }): ReportedObject => {
    const object = `${file}:${line}`;
    return { object, file, line, reason, accepted: !isObject || isAccepted(object) };
  });
  return [...objects, ...documents];
}

/** Counts the objects that controllers made, the most frequent first. */
function countMade({ proof }: ImportResult): ImportReport['made'] {
  const made = proof.objects.flatMap((one) => (one.verdict === 'made' ? [one] : []));
  const alike = Map.groupBy(made, (one) => `${one.found.object.kind}: ${one.made.summary}`);
  return [...alike.values()]
    .map((all) => ({
      kind: all[0]!.found.object.kind,
      reason: all[0]!.made.summary,
      objects: all.length,
    }))
    .toSorted((a, b) => b.objects - a.objects);
}

function listExceptions({ fleet }: ImportResult): ImportReport['exceptions'] {
  return fleet.classes
    .flatMap(({ spec }) => spec.exceptions ?? [])
    .map((exception) =>
      omitUndefined<ImportReport['exceptions'][number]>({
        tenants: exception.tenants,
        namespaces: exception.namespaces,
        allows: listExceptionParts(exception).map(formatPart),
      }),
    );
}

/**
 * Returns the patterns that match no object which is different, left out or added. An object that a controller made needs
 * no acceptance, but may have one.
 */
export function findUnusedAccepts(result: ImportResult, patterns: readonly string[]): string[] {
  const names = [
    ...result.proof.objects.flatMap(({ verdict, found }) =>
      verdict === 'equal' ? [] : [nameObject(found.object), found.live?.manager?.id],
    ),
    ...result.proof.added.map(nameObject),
    ...result.translated.listTranslated().map(({ found }) => nameObject(found.object)),
    ...result.others.map(({ file, line }) => `${file}:${line}`),
  ];
  return patterns.filter((pattern) => {
    const isAccepted = createAcceptance([pattern]);
    return !names.some((name) => isAccepted(name));
  });
}

/** `ceilings.limits.memory 8Gi` */
function formatPart({ path, value }: ExceptionPart): string {
  return `${formatPath(path)} ${isMapping(value) ? JSON.stringify(value) : String(value)}`;
}

/** `metadata.labels.team: 'a' in the source, nothing rendered`. */
function formatField({ path, desired, live }: FieldDiff): string {
  const what = formatSteps(path);
  if (desired === undefined && live === undefined) return what;
  return `${what}: ${show(desired)} in the source, ${show(live)} rendered`;
}
