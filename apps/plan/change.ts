import { changeAreas } from '../../crds/approval.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { ObjectRight } from '@tenantry/kube/rights/rights';
import type { ReportedSide } from '../network-report.ts';
import type { Verdict } from './verdict.ts';

/**
 * `high`: data is lost, a limit is removed, or a subject gains power over others. `medium`: a
 * person must confirm that the change is intended. `low`: for information.
 */
export type Risk = 'high' | 'medium' | 'low';

/** The risks, highest first. */
export const risks: readonly Risk[] = ['high', 'medium', 'low'];

export type PlanArea = (typeof changeAreas)[number];

/** A rule that classifies changes. Its id is stable. */
export interface PlanRule {
  readonly id: string;
  readonly area: PlanArea;
  readonly risk: Risk;
  /** One sentence for the page of rules: what changes, and the reason for the risk. */
  readonly description: string;
}

/**
 * What a change consists of, for those who decide on it. A right or role is gained; of the other
 * kinds the values before and after are given, where there are any.
 */
export type ChangeDetail =
  | {
      readonly kind: 'grant';
      /** `Group payments`, `ServiceAccount shop/deployer`. */
      readonly subject: string;
      readonly rights: readonly ObjectRight[];
      /** Bound roles whose rules are not among the objects: `ClusterRole edit`. */
      readonly roles: readonly string[];
    }
  | { readonly kind: 'bound'; readonly key: string; readonly was?: string; readonly is?: string }
  | {
      readonly kind: 'limit';
      /** `default.memory` */
      readonly key: string;
      readonly was?: string;
      readonly is?: string;
    }
  | {
      readonly kind: 'connection';
      readonly direction: 'in' | 'out';
      readonly with: ReportedSide;
    }
  /** What an AppProject allows, by the field of its specification. */
  | { readonly kind: 'project'; readonly field: string }
  | {
      readonly kind: 'object';
      readonly before?: KubeObject;
      readonly after?: KubeObject;
      /** The fields that differ, if the object is there before and after. */
      readonly paths?: readonly Path[];
    };

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
  /** Who must agree to it. */
  readonly verdict: Verdict;
}

/** Reports a change at a place. */
export type ReportChange = (
  rule: PlanRule,
  subject: string,
  message: string,
  where: ChangeLocation,
  detail?: ChangeDetail,
) => void;

/** A change at one place, with what it consists of. */
export interface JudgedChange {
  readonly rule: PlanRule;
  readonly subject: string;
  readonly message: string;
  readonly where: ChangeLocation;
  readonly detail?: ChangeDetail;
}

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
  /**
   * Returns the function with which judges report changes.
   * @param decide who must agree to a change at one place
   */
  reporter(decide: (change: JudgedChange) => Verdict): ReportChange {
    return (rule, subject, message, where, detail) => {
      const verdict = decide({ rule, subject, message, where, ...(detail && { detail }) });
      const { id, area, risk } = rule;
      this.add({ risk, area, rule: id, subject, message, where: [where], verdict });
    };
  }

  /** Adds a change. Places that need different people are different changes. */
  add(change: PlannedChange): void {
    const { rule, subject, message, where, verdict } = change;
    const key = JSON.stringify([rule, subject, message, verdict]);
    const known = this.#found.get(key);
    if (known) known.where.push(...where);
    else this.#found.set(key, { ...change, where: [...where] });
  }

  /** Returns the changes sorted by risk and area, then in the order of their reports. */
  all(): PlannedChange[] {
    return [...this.#found.values()].toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ risk, area }: PlannedChange): number {
  return risks.indexOf(risk) * changeAreas.length + changeAreas.indexOf(area);
}
