/**
 * `high`: data is lost, a limit is removed, or a subject gains power over others. `medium`: a
 * person must confirm that the change is intended. `low`: for information.
 */
export type Risk = 'high' | 'medium' | 'low';

/** The risks, highest first. */
export const risks: readonly Risk[] = ['high', 'medium', 'low'];

/** The subjects of changes, in the order in which changes of equal risk are reported. */
const planAreas = [
  'data',
  'access',
  'isolation',
  'network',
  'definitions',
  'delivery',
  'quota',
  'objects',
] as const;

export type PlanArea = (typeof planAreas)[number];

/** A rule that classifies changes. Its id is stable. */
export interface PlanRule {
  readonly id: string;
  readonly area: PlanArea;
  readonly risk: Risk;
  /** One sentence for the page of rules: what changes, and the reason for the risk. */
  readonly description: string;
}

/** Where in the fleet something changes. */
export interface ChangeLocation {
  /** Empty for a file outside the folders of clusters. */
  readonly cluster: string;
  /** Absent for an object without a namespace and for a Namespace itself. */
  readonly namespace?: string;
  /** The tenant that the label of the object names; absent if it has none. */
  readonly tenant?: string;
}

/** One classified change, with all places where it is the same. */
export interface PlannedChange {
  readonly risk: Risk;
  readonly area: PlanArea;
  /** The id of the rule: a row of docs/plan.md. */
  readonly rule: string;
  /** The object or subject that changes: `Group payments`, `ResourceQuota tenant-quota`. */
  readonly subject: string;
  /** What changes, as the end of a sentence. */
  readonly message: string;
  readonly where: readonly ChangeLocation[];
}

/** Reports a change at a place. */
export type ReportChange = (
  rule: PlanRule,
  subject: string,
  message: string,
  where: ChangeLocation,
) => void;

/** Defines the rules of one area. */
export function definePlanRules<Name extends string>(
  area: PlanArea,
  definitions: Readonly<Record<Name, readonly [id: string, risk: Risk, description: string]>>,
): Readonly<Record<Name, PlanRule>> {
  const entries = Object.entries<readonly [string, Risk, string]>(definitions);
  const rules = entries.map(([name, [id, risk, description]]) => [
    name,
    { id, area, risk, description },
  ]);
  return Object.fromEntries(rules) as Readonly<Record<Name, PlanRule>>;
}

/** Merges equal changes at several places and sorts them, the riskiest first. */
export class ChangeCollector {
  readonly #found = new Map<string, PlannedChange & { readonly where: ChangeLocation[] }>();

  readonly report: ReportChange = ({ id, area, risk }, subject, message, where) => {
    const key = JSON.stringify([id, subject, message]);
    const known = this.#found.get(key);
    if (known) known.where.push(where);
    else this.#found.set(key, { risk, area, rule: id, subject, message, where: [where] });
  };

  /** Adds a change of another collector. */
  add({ rule, area, risk, subject, message, where }: PlannedChange): void {
    const id = { id: rule, area, risk, description: '' };
    for (const one of where) this.report(id, subject, message, one);
  }

  /** Returns the changes sorted by risk and area, then in the order of their reports. */
  all(): PlannedChange[] {
    return [...this.#found.values()].toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ risk, area }: PlannedChange): number {
  return risks.indexOf(risk) * planAreas.length + planAreas.indexOf(area);
}
