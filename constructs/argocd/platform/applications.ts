import type { KubeObject } from '../../../kube/object.ts';
import { COMPARE_OPTIONS, CONFIRM, QUIET, SYNC_OPTIONS } from '../../argocdkeys.ts';
import { layout } from '../../layout.ts';
import { IN_CLUSTER_SERVER } from '../../tenant/clusterserver.ts';
import type { Platform } from '../../tenant/declaration.ts';
import { needsServerSideDiff } from '../../tenant/serversidediff.ts';
import type { ApplicationDestination } from '../api/types.ts';
import { names } from './names.ts';
import {
  application,
  applicationSet,
  CASCADE,
  CASCADE_IN_ORDER,
  inWave,
  type Placed,
} from './objects.ts';
import type { ReachedCluster } from './projects.ts';
import {
  folderOnly,
  pathOf,
  serverSideDiff,
  sourceOf,
  syncPolicy,
  type OutputSource,
} from './syncing.ts';

/** The Application of all Applications: it holds itself, too, so that it follows when the repository moves. */
export function rootApplication({ argocdNamespace }: Platform, source: OutputSource): KubeObject {
  return application(
    { name: names.root, namespace: argocdNamespace },
    {
      project: names.root,
      source: sourceOf(source, pathOf(source, layout.argocd.bootstrap)),
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      syncPolicy,
    },
  );
}

/**
 * The Application of what Argo CD has for one cluster, which syncs in waves. Each cluster has its own, so that one
 * that cannot be reached holds up no other. A cluster that is no longer declared keeps it until a person deletes it.
 */
export function clusterApplication(
  { argocdNamespace }: Platform,
  source: OutputSource,
  { name }: ReachedCluster,
): KubeObject {
  return application(
    {
      name: names.cluster(name),
      namespace: argocdNamespace,
      // A prune waits until what it prunes is gone, and all else with it. What is left counts as no difference.
      annotations: {
        [SYNC_OPTIONS]: 'Prune=false',
        [COMPARE_OPTIONS]: QUIET,
      },
      // Tenants' Applications, which are the ApplicationSet's, have to be gone before their project.
      finalizers: CASCADE_IN_ORDER,
    },
    {
      project: names.root,
      source: sourceOf(source, pathOf(source, layout.argocd.cluster(name))),
      destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
      syncPolicy,
    },
  );
}

/** The folders of a cluster besides that of tenants, and the wave in which each is there. */
const waves = { crds: -2, policies: -1, tenantclasses: -1, operator: 0 } as const;
export type Part = keyof typeof waves;
export const parts = Object.keys(waves) as Part[];

/**
 * The Application of such a folder. Without a finalizer: when it goes, what it holds stays. CRDs take all Tenants
 * along, and policies are what bounds the people of tenants.
 */
export function partApplication(
  part: Part,
  { argocdNamespace, operatorNamespace }: Platform,
  source: OutputSource,
  { name, server }: ReachedCluster,
): KubeObject {
  const wave = waves[part];
  return application(
    {
      name: names.part(part, name),
      namespace: argocdNamespace,
      annotations: { ...(wave !== 0 && inWave(wave)), ...serverSideDiff(true), ...folderOnly },
    },
    {
      project: names.platformProject(name),
      source: sourceOf(source, pathOf(source, layout.folder(name, part))),
      // Objects that no Application has are looked for in this namespace.
      destination: { server, ...(part === 'operator' && { namespace: operatorNamespace }) },
      syncPolicy,
    },
  );
}

/**
 * An Application for each tenant of a cluster. They have a finalizer: a tenant whose folder goes loses its access
 * with its Application, and what must stay says so itself (`Delete=false`).
 *
 * Argo CD compares them by itself where it can, so that an object of which a change is refused fails alone.
 */
export function tenantApplications(
  platform: Platform,
  source: OutputSource,
  { name, server }: ReachedCluster,
): KubeObject {
  return applicationPerFolder(
    {
      name: names.tenants(name),
      namespace: platform.argocdNamespace,
      annotations: { [SYNC_OPTIONS]: CONFIRM },
    },
    source,
    {
      folders: layout.folder(name, 'tenants'),
      name: names.tenant(name, '{{ .path.basename }}'),
      project: names.tenants(name),
      destination: { server },
      hasServerSideDiff: needsServerSideDiff(platform),
    },
  );
}

/**
 * An Application for each tenant that deploys from repositories of its own: it holds the tenant's project and
 * Applications, and takes them along when it goes. What those deployed stays, as they have no finalizer.
 */
export function repositoryApplications(
  { argocdNamespace }: Platform,
  source: OutputSource,
): KubeObject {
  return applicationPerFolder({ name: names.repositories, namespace: argocdNamespace }, source, {
    folders: layout.argocd.tenants,
    name: names.repositoriesOf('{{ .path.basename }}'),
    project: names.root,
    destination: { server: IN_CLUSTER_SERVER, namespace: argocdNamespace },
    hasServerSideDiff: false,
  });
}

interface PerFolder {
  /** Where the folders lie, in the output. */
  readonly folders: string;
  /** Of the Application of a folder, with placeholders. */
  readonly name: string;
  readonly project: string;
  readonly destination: ApplicationDestination;
  readonly hasServerSideDiff: boolean;
}

function applicationPerFolder(
  metadata: Placed,
  source: OutputSource,
  { folders, name, project, destination, hasServerSideDiff }: PerFolder,
): KubeObject {
  const { repoURL, targetRevision: revision = 'HEAD' } = source;
  const path = `${pathOf(source, folders)}/*`;
  return applicationSet(metadata, {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [{ git: { repoURL, revision, directories: [{ path }] } }],
    template: {
      metadata: {
        name,
        annotations: { ...serverSideDiff(hasServerSideDiff), ...folderOnly },
        finalizers: CASCADE,
      },
      spec: { project, source: sourceOf(source, '{{ .path.path }}'), destination, syncPolicy },
    },
  });
}
