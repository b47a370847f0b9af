/**
 * Who must agree to a change, from the least: `nobody`, the `owners` of the tenant, the owners of
 * another tenant that it concerns (`other-owners`), or the `platform`.
 */
export const agreements = ['nobody', 'owners', 'other-owners', 'platform'] as const;

export type Agreement = (typeof agreements)[number];

/** A rule that decides who must agree. Its id is stable. */
export interface AgreementRule {
  readonly id: string;
  readonly agreement: Agreement;
  /** One sentence for the page of rules. */
  readonly description: string;
}

/** Who must agree to a change, and why. */
export interface Verdict {
  readonly agreement: Agreement;
  /** The id of the rule: a row of docs/review.md. */
  readonly rule: string;
  /** The end of a sentence that begins with the change. */
  readonly reason: string;
  /** What would need less agreement. */
  readonly hint?: string;
  /** The other tenants whose owners must agree, sorted. */
  readonly tenants?: readonly string[];
}

/** Defines rules of agreement. */
export function defineAgreementRules<Name extends string>(
  definitions: Readonly<Record<Name, readonly [id: string, Agreement, description: string]>>,
): Readonly<Record<Name, AgreementRule>> {
  const entries = Object.entries<readonly [string, Agreement, string]>(definitions);
  return Object.fromEntries(
    entries.map(([name, [id, agreement, description]]) => [name, { id, agreement, description }]),
  ) as Readonly<Record<Name, AgreementRule>>;
}

/** Builds the verdict of a rule. */
export function decide(
  { id, agreement }: AgreementRule,
  reason: string,
  more: Pick<Verdict, 'hint' | 'tenants'> = {},
): Verdict {
  return { agreement, rule: id, reason, ...more };
}

/** Returns the verdict that needs the most; the first of equal ones. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.reduce<Verdict | undefined>((most, one) => {
    return most === undefined || rankOf(one.agreement) > rankOf(most.agreement) ? one : most;
  }, undefined);
}

/** The place of an agreement in their order. */
export const rankOf = (agreement: Agreement): number => agreements.indexOf(agreement);
