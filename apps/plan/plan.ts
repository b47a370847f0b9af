import type { Problem } from '@tenantry/kube/problem';
import { accessRules, judgeAccess } from './access.ts';
import {
  ChangeCollector,
  type PlannedChange,
  type PlanRule,
  type Risk,
  type ReportChange,
} from './change.ts';
import { dataRules, judgeData } from './data.ts';
import { definitionRules, judgeDefinitions } from './definitions.ts';
import { deliveryRules, judgeDelivery, judgeRefused } from './delivery.ts';
import { isolationRules, judgeIsolation } from './isolation.ts';
import { judgeNetwork, networkRules } from './network.ts';
import { clusterChanges, type ClusterChange, type OutputTexts } from './cluster-changes.ts';
import { judgeProjectRoles, projectRoleRules } from './project-roles.ts';
import { judgeQuota, quotaRules } from './quota.ts';
import { judgeOtherObjects, objectRules } from './other-objects.ts';

export { risks, type PlannedChange, type Risk, type ChangeLocation } from './change.ts';
export type { OutputTexts } from './cluster-changes.ts';

/** The effect of a change of the output on the clusters that sync it. */
export interface ChangeSet {
  /** The riskiest first. */
  readonly changes: readonly PlannedChange[];
  /** Files that are not YAML and therefore not compared. */
  readonly unread: readonly Problem[];
}

/** All rules that can classify a change. */
export const planRules: readonly PlanRule[] = [
  ...dataRules,
  ...accessRules,
  ...projectRoleRules,
  ...isolationRules,
  ...networkRules,
  ...definitionRules,
  ...deliveryRules,
  ...quotaRules,
  ...objectRules,
];

type Judge = (change: ClusterChange, report: ReportChange) => void;

const judges: readonly Judge[] = [
  judgeData,
  judgeAccess,
  judgeProjectRoles,
  judgeIsolation,
  judgeNetwork,
  judgeDefinitions,
  judgeDelivery,
  judgeRefused,
  judgeQuota,
];

/**
 * Compares two outputs object by object and classifies each difference: lost data, gained access,
 * weaker isolation. It needs the files that differ. The totals of access and network also need all
 * other files of the same clusters.
 */
export function buildChangeSet(before: OutputTexts, after: OutputTexts): ChangeSet {
  const { clusters, unread } = clusterChanges(before, after);
  const found = new ChangeCollector();
  for (const change of clusters) {
    if (change.pairs.length === 0) continue;
    const reported = new Set<string>();
    const reportAndRecord: ReportChange = (rule, subject, message, where) => {
      reported.add(`${rule.area} ${where.namespace ?? ''}`);
      found.report(rule, subject, message, where);
    };
    for (const judge of judges) judge(change, reportAndRecord);
    judgeOtherObjects(
      change,
      (area, namespace) => reported.has(`${area} ${namespace}`),
      found.report,
    );
  }
  return { changes: found.all(), unread };
}

/** Counts the changes of each risk. */
export function countByRisk(changes: readonly PlannedChange[]): Readonly<Record<Risk, number>> {
  const totals = { high: 0, medium: 0, low: 0 };
  for (const { risk } of changes) totals[risk] += 1;
  return totals;
}
