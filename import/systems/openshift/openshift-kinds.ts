/** The kinds of OpenShift that concern projects. Source: github.com/openshift/api, project/v1 and quota/v1 */
import { object, required, type Static } from '@tenantry/crd/schema';
import { list, quotaSpec, selector, text, texts } from '../system-schemas.ts';
import type { SystemKind } from '../tenancy-system.ts';

/** The name of the system in reports. */
export const OPENSHIFT = 'OpenShift';

const project = object('A Project.', {
  spec: object('Its spec.', { finalizers: list('Finalizers.', text('A finalizer.')) }),
});

const clusterResourceQuota = object('A ClusterResourceQuota.', {
  spec: required(
    object('Its spec.', {
      selector: required(
        object('The namespaces.', {
          labels: selector,
          annotations: texts('Annotations with these values.'),
        }),
      ),
      quota: required(quotaSpec),
    }),
  ),
});
export type ClusterResourceQuota = Static<typeof clusterResourceQuota>;

/** The kinds that the translation reads. */
export const openshiftKinds: readonly SystemKind[] = [
  { group: 'project.openshift.io', kind: 'Project', schema: project },
  {
    group: 'project.openshift.io',
    kind: 'ProjectRequest',
    schema: object('A ProjectRequest.', {}),
  },
  { group: 'quota.openshift.io', kind: 'ClusterResourceQuota', schema: clusterResourceQuota },
  {
    group: 'quota.openshift.io',
    kind: 'AppliedClusterResourceQuota',
    schema: object('An AppliedClusterResourceQuota.', {}),
  },
];
