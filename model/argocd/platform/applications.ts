import type { KubeObject } from '@tenantry/kube/object';
import { COMPARE_OPTIONS, CONFIRM, QUIET, SYNC_OPTIONS } from '@tenantry/kube/argocd-directives';
import { layout, type Part as TenantPart } from '../../layout.ts';
import { IN_CLUSTER_SERVER } from '../../argocd-names.ts';
import type { Platform } from '../../declaration.ts';
import { needsServerSideDiff } from '../../stored-form.ts';
import type { ApplicationDestination, SyncPolicy } from '../api/types.ts';
import {
  names,
  buildApplication,
  buildApplicationSet,
  CASCADE,
  CASCADE_IN_ORDER,
  waveAnnotation,
  type ArgoCdObjectMetadata,
} from './objects.ts';
import { FIRST_WAVE, type ClusterAddress } from './projects.ts';
import {
  folderOnly,
  buildPartSyncPolicy,
  joinOutputPath,
  serverSideDiff,
  buildSource,
  syncPolicy,
  type OutputSource,
} from './syncing.ts';

/** Builds the Application of all Applications. It keeps itself, too, so that it follows when the repository moves. */
export function buildRootApplication(
  { argocdNamespace }: Platform,
  source: OutputSource,
): KubeObject {
  return buildApplication(
    { name: names.root, namespace: argocdNamespace },
    {
      project: names.root,
      source: buildSource(source, joinOutputPath(source, layout.argocd.bootstrap)),
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      syncPolicy,
    },
  );
}

/**
 * Builds the Application of Argo CD's objects for one cluster, which syncs in waves. Each cluster has its own, so that
 * an unreachable cluster holds up no other. A cluster that is no longer declared keeps it until a person deletes it.
 */
export function buildClusterApplication(
  { argocdNamespace }: Platform,
  source: OutputSource,
  { name }: ClusterAddress,
): KubeObject {
  return buildApplication(
    {
      name: names.cluster(name),
      namespace: argocdNamespace,
      // A prune holds up the whole sync until the pruned objects are gone. The annotations hide what remains from the
      // comparison.
      annotations: {
        [SYNC_OPTIONS]: 'Prune=false',
        [COMPARE_OPTIONS]: QUIET,
      },
      // The ApplicationSet creates the tenants' Applications, which must be deleted before their project.
      finalizers: CASCADE_IN_ORDER,
    },
    {
      project: names.root,
      source: buildSource(source, joinOutputPath(source, layout.argocd.cluster(name))),
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      syncPolicy,
    },
  );
}

/** The folders of a cluster besides that of tenants, with their waves. */
const waves = { crds: -2, policies: -1, tenantclasses: -1, operator: 0 } as const;
type PlatformPart = keyof typeof waves;
export const platformParts = Object.keys(waves) as PlatformPart[];

/**
 * Builds the Application of such a folder. It has no finalizer, so its objects stay when it is deleted. Deleting CRDs
 * would delete all Tenants, and policies bound the tenants' users.
 */
export function buildPartApplication(
  part: PlatformPart,
  { argocdNamespace, operatorNamespace }: Platform,
  source: OutputSource,
  { name, server }: ClusterAddress,
): KubeObject {
  const wave = waves[part];
  return buildApplication(
    {
      name: names.part(part, name),
      namespace: argocdNamespace,
      annotations: {
        ...(wave !== 0 && waveAnnotation(wave)),
        ...serverSideDiff(true),
        ...folderOnly,
      },
    },
    {
      project: names.platformProject(name),
      source: buildSource(source, joinOutputPath(source, layout.folder(name, part))),
      // Argo CD looks for orphaned objects in this namespace.
      destination: { server, ...(part === 'operator' && { namespace: operatorNamespace }) },
      syncPolicy,
    },
  );
}

/**
 * Builds an Application for each tenant of a cluster and each part of it. Every tenant gets all three, even for an
 * empty part. If the Application disappeared with the last object of `resources`, it would leave that object behind, as
 * it does for a tenant that is removed.
 *
 * They have a finalizer: a tenant whose folder is removed loses its access with its Applications. Objects that must
 * stay are annotated with `Delete=false`.
 *
 * Argo CD compares `namespaces` and `rbac` by itself because it knows their kinds, so an object with a refused change
 * fails alone.
 */
export function buildTenantApplications(
  part: TenantPart,
  platform: Platform,
  source: OutputSource,
  { name, server }: ClusterAddress,
): KubeObject {
  return buildApplicationPerFolder(
    {
      name: names.tenants(part, name),
      namespace: platform.argocdNamespace,
      annotations: { [SYNC_OPTIONS]: CONFIRM },
    },
    source,
    {
      folders: layout.folder(name, 'tenants'),
      ...(part !== 'namespaces' && { subfolder: part }),
      name: names.tenant(part, name, '{{ .path.basename }}'),
      project: names.tenantProject(name, '{{ .path.basename }}'),
      destination: { server },
      hasServerSideDiff: part === 'resources' && needsServerSideDiff(platform),
      syncPolicy: buildPartSyncPolicy(part),
    },
  );
}

/**
 * Builds the Application of the AppProjects of a cluster's tenants, at the revision of the tenants themselves. It waits
 * for nothing and nothing waits for it, so that a tenant's new namespace is allowed whatever else fails.
 */
export function buildProjectsApplication(
  { argocdNamespace }: Platform,
  source: OutputSource,
  { name }: ClusterAddress,
): KubeObject {
  return buildApplication(
    {
      name: names.projects(name),
      namespace: argocdNamespace,
      annotations: { ...waveAnnotation(FIRST_WAVE), ...serverSideDiff(false), ...folderOnly },
      finalizers: CASCADE,
    },
    {
      project: names.root,
      source: buildSource(source, joinOutputPath(source, layout.argocd.projects(name))),
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      syncPolicy,
    },
  );
}

/**
 * Builds an Application for each tenant that deploys from repositories of its own. It keeps the tenant's project and
 * Applications, and deletes them when it is deleted. What those have deployed stays, because they have no finalizer.
 */
export function buildRepositoryApplications(
  { argocdNamespace }: Platform,
  source: OutputSource,
): KubeObject {
  return buildApplicationPerFolder(
    { name: names.repositories, namespace: argocdNamespace },
    source,
    {
      folders: layout.argocd.tenants,
      name: names.repositoriesOf('{{ .path.basename }}'),
      project: names.root,
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      hasServerSideDiff: false,
      syncPolicy,
    },
  );
}

interface FolderApplicationProps {
  /** The parent of the folders, in the output. */
  readonly folders: string;
  /** The folder in each of them to sync. @default - each folder itself, without its subfolders */
  readonly subfolder?: string;
  /** The name of the Application of a folder, with placeholders. */
  readonly name: string;
  readonly project: string;
  readonly destination: ApplicationDestination;
  readonly hasServerSideDiff: boolean;
  readonly syncPolicy: SyncPolicy;
}

function buildApplicationPerFolder(
  metadata: ArgoCdObjectMetadata,
  source: OutputSource,
  {
    folders,
    subfolder,
    name,
    project,
    destination,
    hasServerSideDiff,
    syncPolicy: policy,
  }: FolderApplicationProps,
): KubeObject {
  const { repoURL, targetRevision: revision = 'HEAD' } = source;
  const path = `${joinOutputPath(source, folders)}/*`;
  return buildApplicationSet(metadata, {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [{ git: { repoURL, revision, directories: [{ path }] } }],
    template: {
      metadata: {
        name,
        annotations: { ...serverSideDiff(hasServerSideDiff), ...folderOnly },
        finalizers: CASCADE,
      },
      spec: {
        project,
        source: buildSource(source, '{{ .path.path }}', subfolder),
        destination,
        syncPolicy: policy,
      },
    },
  });
}
