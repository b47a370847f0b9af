import { definePlanRules, type ReportChange } from './change.ts';
import { filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('access', {
  gained: [
    'cloud-identity-gained',
    'high',
    'a ServiceAccount may act as an identity of the cloud: every user who can create a pod with it has the rights of that identity',
  ],
  lost: ['cloud-identity-lost', 'low', 'a ServiceAccount may no longer act as such an identity'],
});

export const cloudIdentityRules = Object.values(rules);

/**
 * The annotations by which a cloud gives a ServiceAccount one of its identities. The trust policy of the identity decides
 * too, and is not in the cluster.
 * Source: https://github.com/aws/amazon-eks-pod-identity-webhook,
 * https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity,
 * https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html,
 * https://www.alibabacloud.com/help/en/ack/serverless-kubernetes/user-guide/use-rrsa-to-authorize-pods-to-access-different-cloud-services
 */
const IDENTITY_KEYS: ReadonlySet<string> = new Set([
  'eks.amazonaws.com/role-arn',
  'iam.gke.io/gcp-service-account',
  'azure.workload.identity/client-id',
  'azure.workload.identity/tenant-id',
  'pod-identity.alibabacloud.com/role-name',
]);

/** Whether an annotation gives a ServiceAccount an identity of the cloud. */
export const isIdentityKey = (key: string): boolean => IDENTITY_KEYS.has(key);

/** Reports ServiceAccounts that gain or lose an identity of the cloud, in new namespaces too. */
export function judgeCloudIdentities({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(pairs, '', 'ServiceAccount')) {
    const { metadata } = (after ?? before)!.object;
    const subject = `ServiceAccount ${metadata.namespace ?? ''}/${metadata.name}`;
    const [old, now] = [before, after].map((placed) => placed?.object.metadata.annotations ?? {});
    for (const key of IDENTITY_KEYS) {
      if (old![key] === now![key]) continue;
      if (now![key] !== undefined)
        report(rules.gained, subject, `may act as ${now![key]} (${key})`, where);
      else if (after)
        report(rules.lost, subject, `may no longer act as ${old![key]} (${key})`, where);
    }
  }
}
