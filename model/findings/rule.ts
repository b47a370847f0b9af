/** A rule for tenants, their classes and the platform file, under a stable name. */
export interface TenantRule<Id extends string = string> {
  readonly id: Id;
  /** The severity of its findings. Some findings of an error rule are warnings where the description mentions it. */
  readonly severity: 'error' | 'warning';
  /** What the rule needs: only the object, other declarations too, or files. */
  readonly place: 'schema' | 'fleet' | 'source';
  /** Whether a finding about a tenant may be the fault of its class. If the class is invalid, it is not reported. */
  readonly dependsOnClass: boolean;
  /** What is wrong and what to do, in one or two sentences of Markdown, for the page of rules. */
  readonly description: string;
}

/** Returns rules with their ids as a type. */
export function defineRules<const Id extends string>(
  rules: readonly TenantRule<Id>[],
): readonly TenantRule<Id>[] {
  return rules;
}
