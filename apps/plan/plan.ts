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
import { resolvePlatform } from '../../model/platform.ts';
import type { OutputTexts } from '../output-texts.ts';
import { createAgreement, type ReviewPolicy } from './agreement/agree.ts';
import { clusterChanges, type ClusterChange } from './cluster-changes.ts';
import { judgeProjectRoles, projectRoleRules } from './project-roles.ts';
import { judgeQuota, quotaRules } from './quota.ts';
import { admissionRules, judgeAdmission } from './admission.ts';
import { classRules, judgeClasses } from './classes.ts';
import {
  isNewCluster,
  listUnusual,
  newClusterRules,
  reportNewCluster,
  splitDelivery,
} from './new-cluster.ts';
import { judgeLimits, limitRules } from './limits.ts';
import { breakGlassRules, judgeBreakGlass } from './break-glass.ts';
import { cloudIdentityRules, judgeCloudIdentities } from './cloud-identities.ts';
import { judgeOtherObjects, objectRules } from './other-objects.ts';

export { risks, type PlannedChange, type Risk, type ChangeLocation } from './change.ts';
export type { OutputTexts } from '../output-texts.ts';

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
  ...newClusterRules,
  ...accessRules,
  ...breakGlassRules,
  ...cloudIdentityRules,
  ...projectRoleRules,
  ...isolationRules,
  ...admissionRules,
  ...classRules,
  ...networkRules,
  ...definitionRules,
  ...deliveryRules,
  ...quotaRules,
  ...limitRules,
  ...objectRules,
];

type Judge = (change: ClusterChange, report: ReportChange) => void;

const judges: readonly Judge[] = [
  judgeData,
  judgeAccess,
  judgeBreakGlass,
  judgeCloudIdentities,
  judgeProjectRoles,
  judgeIsolation,
  judgeAdmission,
  judgeClasses,
  judgeNetwork,
  judgeDefinitions,
  judgeDelivery,
  judgeRefused,
  judgeQuota,
  judgeLimits,
];

/**
 * Compares two outputs object by object and classifies each difference: lost data, gained access,
 * weaker isolation. It needs the files that differ. The totals of access and network also need all
 * other files of the same clusters.
 * @param platform states who must agree to what; it is that of the base
 */
export function buildChangeSet(
  before: OutputTexts,
  after: OutputTexts,
  platform: ReviewPolicy = resolvePlatform(),
): ChangeSet {
  const { clusters, unread, readExisting } = clusterChanges(before, after);
  const decideIn = createAgreement(platform, clusters);
  const found = new ChangeCollector();
  const candidates = clusters.filter(isNewCluster);
  const isCandidate = (name: string): boolean => candidates.some(({ cluster }) => cluster === name);
  const existing =
    candidates.length === 0 ? [] : readExisting().filter(({ cluster }) => !isCandidate(cluster));
  // What the first clusters get is listed.
  const added = existing.length === 0 ? [] : candidates;
  const list = (change: ClusterChange): PlannedChange[] => {
    const collector = new ChangeCollector();
    judge(change, collector.reporter(decideIn(change)));
    return collector.all();
  };
  const usual = existing.flatMap(list);
  const addUnusual = (change: ClusterChange): void => {
    for (const one of listUnusual(list(change), usual)) found.add(one);
  };
  for (const change of clusters) {
    if (added.includes(change)) {
      reportNewCluster(change, found.reporter(decideIn(change)));
      addUnusual(change);
    } else if (change.cluster === '') {
      const names = added.map(({ cluster }) => cluster);
      const { ofNew, others } = splitDelivery(change, names);
      addUnusual(ofNew);
      judge(others, found.reporter(decideIn(others)));
    } else judge(change, found.reporter(decideIn(change)));
  }
  return { changes: found.all(), unread };
}

function judge(change: ClusterChange, report: ReportChange): void {
  if (change.pairs.length === 0) return;
  const reported = new Set<string>();
  const reportAndRecord: ReportChange = (rule, subject, message, where, detail) => {
    reported.add(`${rule.area} ${where.namespace ?? ''}`);
    report(rule, subject, message, where, detail);
  };
  for (const one of judges) one(change, reportAndRecord);
  judgeOtherObjects(change, (area, namespace) => reported.has(`${area} ${namespace}`), report);
}

/** Counts the changes of each risk. */
export function countByRisk(changes: readonly PlannedChange[]): Readonly<Record<Risk, number>> {
  const totals = { high: 0, medium: 0, low: 0 };
  for (const { risk } of changes) totals[risk] += 1;
  return totals;
}
