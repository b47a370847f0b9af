import { definePlanRules, type PlannedChange, type ReportChange } from './change.ts';
import type { ClusterChange, Pair } from './cluster-changes.ts';

const rules = definePlanRules('data', {
  added: [
    'cluster-added',
    'medium',
    'a cluster is new: what it gets. What is of high risk and on no other cluster is reported besides',
  ],
});

export const newClusterRules = Object.values(rules);

/** Whether a cluster has nothing before a change. The files outside the folders of clusters are no cluster. */
export const isNewCluster = ({ cluster, before, after }: ClusterChange): boolean =>
  cluster !== '' && before.length === 0 && after.length > 0;

/** Reports a new cluster as one change. */
export function reportNewCluster({ cluster, after }: ClusterChange, report: ReportChange): void {
  const count = (...kinds: string[]): number =>
    after.filter(({ kind }) => kinds.includes(kind)).length;
  const parts = [
    ['tenant', 'tenants', count('Tenant')],
    ['namespace', 'namespaces', count('Namespace')],
    [
      'admission policy',
      'admission policies',
      count('ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'),
    ],
  ] as const;
  const others = after.length - parts.reduce((sum, [, , number]) => sum + number, 0);
  const texts = [...parts, ['other object', 'other objects', others] as const].map(
    ([one, many, number]) => `${number} ${number === 1 ? one : many}`,
  );
  const message = `is new, and gets ${texts.join(', ')}`;
  report(rules.added, `Cluster ${cluster}`, message, { cluster });
}

/** Divides the pairs outside the folders of clusters: those that only deliver to new clusters, and all others. */
export function splitDelivery(
  change: ClusterChange,
  newClusters: readonly string[],
): { readonly ofNew: ClusterChange; readonly others: ClusterChange } {
  const names = newClusters.map((name) => name.replaceAll(/[.]/g, '\\.')).join('|');
  const folder = new RegExp(
    `^argocd/(projects|clusters)/(${names})/|^argocd/bootstrap/cluster-(${names})\\.`,
  );
  const isOfNew = ({ before, after }: Pair): boolean =>
    newClusters.length > 0 && !before && after !== undefined && folder.test(after.path);
  return {
    ofNew: { ...change, pairs: change.pairs.filter(isOfNew) },
    others: { ...change, pairs: change.pairs.filter((pair) => !isOfNew(pair)) },
  };
}

/** Returns the changes of high risk that other clusters do not have in the same way. */
export function listUnusual(
  own: readonly PlannedChange[],
  usual: readonly PlannedChange[],
): PlannedChange[] {
  const keyOf = ({ rule, subject, message }: PlannedChange): string =>
    JSON.stringify([rule, subject, message]);
  const known = new Set(usual.map(keyOf));
  return own.filter((change) => change.risk === 'high' && !known.has(keyOf(change)));
}
