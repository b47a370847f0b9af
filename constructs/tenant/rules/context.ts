import type { Path } from '../../../kube/problem.ts';
import type { Aspect } from '../resourcepresets/made.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';

/** Where a setting of a namespace is said. */
export interface SettingLocation {
  /** The deepest place in the Tenant that says something about it, else the name of its class. */
  readonly path: Path;
  readonly setting: Path;
  /** Who says something there. `elsewhere`: the Tenant says nothing, and names its class there. */
  readonly by: 'tenant' | 'class' | 'elsewhere';
}

/** Says that something is refused (or odd), and where it stands. */
export type RuleReporter<At = Path> = (
  at: At,
  message: string,
  rule: string,
  more?: RuleReportOptions,
) => void;

export interface RuleReportOptions {
  /** Default: an error */
  readonly severity?: 'warning';
  /** What of it is meant. */
  readonly aspect?: Aspect;
  /** Where the same stands before: with that it is one mistake. */
  readonly before?: Path;
}

/** Says that something is refused (or odd), and where it stands in the Tenant. */
export type TenantReporter = (
  at: Path | SettingLocation,
  message: string,
  rule: string,
  more?: TenantReportOptions,
) => void;

interface TenantReportOptions extends RuleReportOptions {
  /** As in `Finding.about`. */
  readonly unknownName?: string;
}

/** What a rule about one namespace gets to see. */
export interface RuleContext {
  /** Its class is that of the namespace, with what is excepted there. */
  readonly tenant: ResolvedTenant;
  readonly namespace: ResolvedNamespace;
  /** Where a setting is said: in the namespace's entry, else in the spec, else in the class. */
  where(...setting: Path): SettingLocation;
  readonly report: TenantReporter;
}
