import type { ImportResult } from '../import/import-manifests.ts';
import type { FieldOutcome } from '../import/systems/system-object.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { formatPath } from '@tenantry/kube/problem';
import { nameObject, place, type Matcher, type ReportedPlace } from './reported-objects.ts';

/** A rendered object that the source does not have; `accepted` also if another system's object explains it. */
export interface ReportedAddition {
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

/** Lists what is rendered beyond the source. The parts of a total that another system has are explained by it. */
export function listAdded(
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

/** Lists what became of the objects of other systems. */
export function listTranslated(
  { translated }: ImportResult,
  isAccepted: Matcher,
): ReportedTranslation[] {
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
