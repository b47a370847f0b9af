import type { Path } from '@tenantry/kube/problem';
import type { TenantRuleId } from '../findings/tenant-rules.ts';
import type { Cluster, Platform, TenantClassDeclaration } from '../declaration.ts';
import type { Aspect } from '../resource-presets/preset-objects.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';

/** The place that sets a value of a namespace. */
export interface SettingLocation {
  /** The deepest place in the Tenant that sets a part of it, else the name of its class. */
  readonly path: Path;
  readonly setting: Path;
  /** Which layer sets it there. `elsewhere`: the Tenant does not set it, and names its class at that place. */
  readonly by: 'tenant' | 'class' | 'elsewhere';
}

/** Reports a finding of one of some rules at a place. */
export type RuleReporter<Id extends TenantRuleId, At = Path> = (
  at: At,
  message: string,
  rule: Id,
  more?: RuleReportOptions,
) => void;

export interface RuleReportOptions {
  /** Default: that of the rule */
  readonly severity?: 'warning';
  /** The aspect of the part at the path. */
  readonly aspect?: Aspect;
  /** The path of an earlier occurrence: both together are one mistake. */
  readonly before?: Path;
  /** As in `Finding.about`. */
  readonly unknownName?: string;
}

/** Reports a finding at a place in the Tenant. */
export type TenantReporter<Id extends TenantRuleId> = RuleReporter<Id, Path | SettingLocation>;

/** One namespace, which a rule is about. */
export interface RuleContext {
  /** The tenant. Its class is that of the namespace, with the exceptions for it applied. */
  readonly tenant: ResolvedTenant;
  readonly namespace: ResolvedNamespace;
  /** Finds the place that sets a value: in the namespace's entry, else in the spec, else in the class. */
  where(...setting: Path): SettingLocation;
}

/** What the objects of a tenant are validated against. */
export interface ObjectContext {
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
  /** The clusters that the object is for. */
  readonly clusters: readonly Cluster[];
}
