import { formatSteps, type FieldDiff } from '../operator/drift/difference.ts';
import { redact } from '../operator/drift/redact.ts';
import type { ImportResult } from '../import/import-manifests.ts';
import { formatObjectName } from '../operator/drift/object-drift.ts';
import { listExceptionParts, type ExceptionPart } from '../model/classes/exceptions.ts';
import type { FoundObject } from '../import/manifests.ts';
import { createMatcher } from '../import/text-patterns.ts';
import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath, show, type Problem } from '@tenantry/kube/problem';
import type { FieldOutcome } from '../import/systems/system-object.ts';
import type { Bookkeeping } from '../import/systems/translation.ts';
import type { FileChange } from './import-files.ts';
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

interface ReportedPlace {
  /** `RoleBinding shop-dev/admin`. */
  readonly object: string;
  /** Absent, with the line, for an object of a cluster. */
  readonly file?: string;
  readonly line?: number;
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

/** `accepted` also if another system's object explains it. */
interface ReportedAddition {
  readonly object: string;
  readonly reason?: string;
  readonly accepted: boolean;
}

/** What became of an object of another tenancy system. */
export interface ReportedTranslation extends ReportedPlace {
  /** `Capsule`. */
  readonly system: string;
  readonly fields: readonly {
    /** `spec.owners[0].kind`. */
    readonly field: string;
    readonly outcome: FieldOutcome['outcome'];
    /** What it becomes; for a field that is left, why. */
    readonly text: string;
  }[];
  /** Whether every field is taken, or the object accepted by name. */
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

/** Whether one of the names of an object is accepted. */
type Matcher = (...names: readonly (string | undefined)[]) => boolean;

/** An object is accepted by its name or its manager. */
function createAcceptance(patterns: readonly string[]): Matcher {
  const matches = createMatcher(patterns);
  return (...names) => names.some((name) => name !== undefined && matches(name));
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

/** Lists what is rendered beyond the source. The parts of a total that another system has are explained by it. */
function listAdded(
  { proof, fleet, settings }: ImportResult,
  isAccepted: Matcher,
): ReportedAddition[] {
  const totals = new Map(
    fleet.tenants.flatMap(({ name, namespaces }) => {
      const setting = settings.placed.get(name)?.find(({ spec }) => spec.quota?.total);
      return setting ? namespaces.map(({ found }) => [found.name, setting] as const) : [];
    }),
  );
  return proof.added.map((object) => {
    const name = nameObject(object);
    const total =
      object.kind === 'ResourceQuota' ? totals.get(object.metadata.namespace!) : undefined;
    return omitUndefined<ReportedAddition>({
      object: name,
      reason: total && `it is a part of the total that a ${total.origin.found.object.kind} shares`,
      accepted: total !== undefined || isAccepted(name),
    });
  });
}

function listTranslated({ translated }: ImportResult, isAccepted: Matcher): ReportedTranslation[] {
  return translated.listTranslated().map(({ system, found, fields }) => ({
    ...place(found),
    system,
    fields: fields.map(({ path, ...outcome }) => ({
      field: formatPath(path),
      outcome: outcome.outcome,
      text: formatOutcome(outcome),
    })),
    accepted:
      fields.every(({ outcome }) => outcome === 'taken') || isAccepted(nameObject(found.object)),
  }));
}

function formatOutcome(outcome: DistributiveOmit<FieldOutcome, 'path'>): string {
  if (outcome.outcome === 'left') return outcome.reason;
  return outcome.outcome === 'taken'
    ? outcome.becomes
    : `${outcome.becomes}: ${outcome.difference}`;
}

type DistributiveOmit<T, K extends keyof T> = T extends unknown ? Omit<T, K> : never;

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

/** How messages and `--accept` name an object: `RoleBinding shop-dev/admin`, `Namespace shop-dev`. */
const nameObject = ({ kind, metadata }: KubeObject): string =>
  formatObjectName({ kind, ...metadata });

/** `ceilings.limits.memory 8Gi` */
function formatPart({ path, value }: ExceptionPart): string {
  return `${formatPath(path)} ${isMapping(value) ? JSON.stringify(value) : String(value)}`;
}

function place({ object, file, line }: FoundObject): ReportedPlace {
  return omitUndefined<ReportedPlace>({ object: nameObject(object), file, line });
}

/** `metadata.labels.team: 'a' in the source, nothing rendered`. */
function formatField({ path, desired, live }: FieldDiff): string {
  const what = formatSteps(path);
  if (desired === undefined && live === undefined) return what;
  return `${what}: ${show(desired)} in the source, ${show(live)} rendered`;
}
