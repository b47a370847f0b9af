/**
 * `breaking`: the upgrade does not happen, or what works today stops, or is lost. `review`: somebody must
 * decide whether it is meant. `fine`: it is told, and nobody has to do anything.
 */
export type UpgradeVerdict = 'breaking' | 'review' | 'fine';

/** From the worst on. */
export const verdicts: readonly UpgradeVerdict[] = ['breaking', 'review', 'fine'];

/** What a difference is about, in the order in which it is told. */
export const areas = [
  'graph',
  'definitions',
  'permissions',
  'webhooks',
  'requirements',
  'contents',
] as const;

export type UpgradeArea = (typeof areas)[number];

/** What is asked of an upgrade, under a name that stays. */
export interface UpgradeRule {
  readonly id: string;
  readonly area: UpgradeArea;
  readonly verdict: UpgradeVerdict;
  /** In one sentence, for the page of rules: what differs, and why the verdict. */
  readonly says: string;
}

/** One difference between two bundles, judged. */
export interface UpgradeChange {
  readonly area: UpgradeArea;
  readonly verdict: UpgradeVerdict;
  /** Stable name: a row of docs/reference/upgrade-rules.md, or, of definitions, of docs/crd-diff.md. */
  readonly rule: string;
  /** What it is about: a definition, `ServiceAccount redis-operator`, the name of a webhook. */
  readonly subject: string;
  /** What changed, and why the verdict. */
  readonly message: string;
  /** What OLD says; absent where it says nothing. */
  readonly before?: unknown;
  /** What NEW says; absent where it says nothing. */
  readonly after?: unknown;
}

/** Says that two bundles differ. */
export type ChangeReporter = (
  rule: UpgradeRule,
  subject: string,
  message: string,
  sides?: Pick<UpgradeChange, 'before' | 'after'>,
) => void;

/** A group of rules, and what asks them. */
export interface UpgradeCheck<Given> {
  readonly rules: readonly UpgradeRule[];
  compare(before: Given, after: Given, tell: ChangeReporter): void;
}

/** Rules of one area, with no identity said twice. */
export function defineUpgradeRules<Name extends string>(
  area: UpgradeArea,
  definitions: Readonly<Record<Name, readonly [id: string, verdict: UpgradeVerdict, says: string]>>,
): Readonly<Record<Name, UpgradeRule>> {
  const entries = Object.entries<readonly [string, UpgradeVerdict, string]>(definitions);
  const rules = entries.map(([name, [id, verdict, description]]) => [
    name,
    { id, area, verdict, says: description },
  ]);
  return Object.fromEntries(rules) as Readonly<Record<Name, UpgradeRule>>;
}
