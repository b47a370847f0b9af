import type { Path } from '../../../kube/problem.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';

/** Says that something is refused (or odd), and where it stands in the Tenant. */
export type Report = (path: Path, message: string, rule: string, severity?: 'warning') => void;

/** What a rule about one namespace gets to see. */
export interface RuleContext {
  /** Its class is that of the namespace, with what is excepted there. */
  readonly tenant: ResolvedTenant;
  readonly namespace: ResolvedNamespace;
  /**
   * The deepest place in the Tenant that says something about a setting: in the namespace's entry,
   * else in the spec, else the class that it comes from.
   */
  where(...setting: Path): Path;
  /** Whether the Tenant says what stands at such a place, and not its class. */
  isTenants(at: Path): boolean;
  readonly report: Report;
}
