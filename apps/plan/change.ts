/**
 * `high`: data is lost, a bound goes that holds somebody back, or somebody comes to have power over others.
 * `medium`: somebody must decide whether it is meant. `low`: it is told.
 */
export type Risk = 'high' | 'medium' | 'low';

/** From the highest on. */
export const risks: readonly Risk[] = ['high', 'medium', 'low'];

/** What a change is about, in the order in which changes of one risk are told. */
export const planAreas = [
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

/** What is asked of a change, under a name that stays. */
export interface PlanRule {
  readonly id: string;
  readonly area: PlanArea;
  readonly risk: Risk;
  /** In one sentence, for the page of rules: what changes, and why the risk. */
  readonly says: string;
}

/** Where in the fleet something changes. */
export interface ChangeLocation {
  /** Empty for what lies in the folder of no cluster. */
  readonly cluster: string;
  /** Absent where it is in none, or a Namespace itself. */
  readonly namespace?: string;
  /** Whose it is, by its label; absent where it is no tenant's. */
  readonly tenant?: string;
}

/** One thing that changes, judged; at several places where it is the same at all of them. */
export interface PlannedChange {
  readonly risk: Risk;
  readonly area: PlanArea;
  /** Stable name: a row of docs/plan.md. */
  readonly rule: string;
  /** What it is about: `Group payments`, `ResourceQuota tenant-quota`. */
  readonly subject: string;
  /** What changes, as the end of a sentence. */
  readonly message: string;
  readonly where: readonly ChangeLocation[];
}

/** Says that something changes at a place. */
export type ReportChange = (
  rule: PlanRule,
  subject: string,
  message: string,
  where: ChangeLocation,
) => void;

/** Rules of one area. */
export function definePlanRules<Name extends string>(
  area: PlanArea,
  definitions: Readonly<Record<Name, readonly [id: string, risk: Risk, says: string]>>,
): Readonly<Record<Name, PlanRule>> {
  const entries = Object.entries<readonly [string, Risk, string]>(definitions);
  const rules = entries.map(([name, [id, risk, description]]) => [
    name,
    { id, area, risk, says: description },
  ]);
  return Object.fromEntries(rules) as Readonly<Record<Name, PlanRule>>;
}

/** The same change at several places is told once, the riskiest first. */
export class ChangeCollector {
  readonly #found = new Map<string, PlannedChange & { readonly where: ChangeLocation[] }>();

  readonly tell: ReportChange = ({ id, area, risk }, subject, message, where) => {
    const key = JSON.stringify([id, subject, message]);
    const known = this.#found.get(key);
    if (known) known.where.push(where);
    else this.#found.set(key, { risk, area, rule: id, subject, message, where: [where] });
  };

  /** By risk, area, and how they were told. */
  all(): PlannedChange[] {
    return [...this.#found.values()].toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ risk, area }: PlannedChange): number {
  return risks.indexOf(risk) * planAreas.length + planAreas.indexOf(area);
}
