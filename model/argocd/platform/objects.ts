import { clusterProjectName } from '../../objects/cluster-project.ts';
import type { Part } from '../../layout.ts';
import { ROOT_APPLICATION } from '../../argocd-names.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { SYNC_WAVE } from '@tenantry/kube/argocd-directives';
import { addTenantryLabels } from '../../ownership.ts';
import type { ApplicationSetSpec, ApplicationSpec, AppProjectSpec } from '../api/types.ts';
import { listFinalizers } from '../object.ts';

/**
 * The names in Argo CD's namespace. Names of the platform's Applications contain no dot. Those of tenants contain one
 * dot or three, and those of repositories of tenants (`<namespace>.<cluster>.<application>`) two. So no two names are
 * equal, whatever the names of clusters, tenants and namespaces.
 */
export const names = {
  /** The Application that keeps all others, and the AppProject of those that keep Applications. */
  root: ROOT_APPLICATION,
  /** The Application of all objects of Argo CD for a cluster. */
  cluster: (cluster: string) => `tenantry-cluster-${cluster}`,
  /** The Application of a folder that each cluster has. */
  part: (part: string, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The AppProject of these Applications. */
  platformProject: (cluster: string) => `tenantry-platform-${cluster}`,
  /** The ApplicationSet of one part of all tenants of a cluster. */
  tenants: (part: Part, cluster: string) => `tenantry-${part}-${cluster}`,
  /** The Application of the AppProjects of a cluster's tenants. */
  projects: (cluster: string) => `tenantry-projects-${cluster}`,
  /** The ApplicationSet of what tenants deploy from repositories of their own. */
  repositories: 'tenantry-repositories',
  /** The Application of a tenant's project and Applications. */
  repositoriesOf: (tenant: string) => `tenantry-repositories-${tenant}`,
  /** The Application of one part of a tenant on a cluster. */
  tenant: (part: Part, cluster: string, tenant: string) =>
    `${clusterProjectName(cluster, tenant)}${part === 'namespaces' ? '' : `.tenantry.${part}`}`,
  /** The AppProject of these Applications. */
  tenantProject: clusterProjectName,
} as const;

/** The name, namespace and wave of an object of Argo CD. */
export interface ArgoCdObjectMetadata {
  readonly name: string;
  /** Argo CD's own namespace. */
  readonly namespace: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

export const buildProject = (metadata: ArgoCdObjectMetadata, spec: AppProjectSpec): KubeObject =>
  buildObject('AppProject', metadata, spec);

export const buildApplication = (
  metadata: ArgoCdObjectMetadata,
  spec: ApplicationSpec,
): KubeObject => buildObject('Application', metadata, spec);

export const buildApplicationSet = (
  metadata: ArgoCdObjectMetadata,
  spec: ApplicationSetSpec,
): KubeObject => buildObject('ApplicationSet', metadata, spec);

function buildObject(kind: string, metadata: ArgoCdObjectMetadata, spec: object): KubeObject {
  return addTenantryLabels({ apiVersion: 'argoproj.io/v1alpha1', kind, metadata, spec });
}

/** Returns the annotation for the wave of an Application in which an object is applied; the last wave is 0. */
export const waveAnnotation = (wave: number): Readonly<Record<string, string>> => ({
  [SYNC_WAVE]: String(wave),
});

/** Finalizers of an Application whose objects are deleted with it, without waiting for the garbage collector. */
export const CASCADE = listFinalizers('CascadeInBackground');

/**
 * Finalizers that delete wave by wave: deleted objects and their dependents are gone before the wave before them is
 * deleted.
 */
export const CASCADE_IN_ORDER = listFinalizers('Cascade');
