import type { KubeObject } from '@tenantry/kube/object';
import { tenantClass } from '../../../crds/tenant-class.ts';
import { IN_CLUSTER_SERVER, escapeServerPattern } from '../../argocd-names.ts';
import type { Platform } from '../../declaration.ts';
import type { GroupKind } from '../api/types.ts';
import { names, waveAnnotation, buildProject } from './objects.ts';
import type { OutputSource } from './syncing.ts';

/** The wave before all objects that depend on it. When a cluster is removed, this wave is deleted last. */
export const FIRST_WAVE = -3;

/**
 * Builds the project of the Applications that keep projects and Applications. Anyone who can write there is an
 * administrator of Argo CD.
 */
export function buildRootProject({ argocdNamespace }: Platform, source: OutputSource): KubeObject {
  return buildProject(
    { name: names.root, namespace: argocdNamespace },
    {
      description: "Tenantry's own Applications: what Argo CD is told in dist/argocd.",
      sourceRepos: [source.repoURL],
      destinations: [{ server: IN_CLUSTER_SERVER, namespace: argocdNamespace }],
      namespaceResourceWhitelist: ['AppProject', 'Application', 'ApplicationSet'].map((kind) => ({
        group: 'argoproj.io',
        kind,
      })),
    },
  );
}

/**
 * Builds the project of the CRDs, policies, classes and operator of a cluster. Kinds of earlier versions stay in the
 * lists, because Argo CD does not prune kinds that a project does not allow.
 */
export function buildPlatformProject(
  { argocdNamespace, operatorNamespace }: Platform,
  source: OutputSource,
  { name, server: address }: ClusterAddress,
): KubeObject {
  const server = escapeServerPattern(address);
  const ours = { name: '*.tenantry.dev' };
  const policies = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'];
  return buildProject(
    {
      name: names.platformProject(name),
      namespace: argocdNamespace,
      annotations: waveAnnotation(FIRST_WAVE),
    },
    {
      description: `What cluster ${name} holds besides tenants: CRDs, policies, classes, the operator.`,
      sourceRepos: [source.repoURL],
      // The first destination is for Applications that name no namespace.
      destinations: [{ server }, { server, namespace: operatorNamespace }],
      clusterResourceWhitelist: [
        { group: '', kind: 'Namespace', name: operatorNamespace },
        { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', ...ours },
        ...policies.flatMap((kind) => [
          { group: 'admissionregistration.k8s.io', kind, ...ours },
          { group: 'admissionregistration.k8s.io', kind: `${kind}Binding`, ...ours },
        ]),
        ...['ClusterRole', 'ClusterRoleBinding'].map((kind) => ({
          group: 'rbac.authorization.k8s.io',
          kind,
          name: 'tenantry-*',
        })),
        { group: tenantClass.group, kind: tenantClass.kind },
      ],
      namespaceResourceWhitelist: operatorKinds,
      orphanedResources: {
        warn: true,
        // The Lease by which the replicas of the operator elect a leader.
        ignore: [{ group: 'coordination.k8s.io', kind: 'Lease' }],
      },
    },
  );
}

const operatorKinds: readonly GroupKind[] = [
  { group: '', kind: 'ConfigMap' },
  { group: '', kind: 'Service' },
  { group: '', kind: 'ServiceAccount' },
  { group: 'apps', kind: 'Deployment' },
  { group: 'monitoring.coreos.com', kind: 'PrometheusRule' },
  { group: 'monitoring.coreos.com', kind: 'ServiceMonitor' },
  { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  { group: 'policy', kind: 'PodDisruptionBudget' },
  { group: 'rbac.authorization.k8s.io', kind: 'Role' },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
];

/** A cluster, and its address in Argo CD. */
export interface ClusterAddress {
  readonly name: string;
  readonly server: string;
}
