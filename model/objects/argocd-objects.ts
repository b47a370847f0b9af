import type { KubeObject } from '@tenantry/kube/object';
import type { TenantApplication, TenantApplicationSet } from '../../crds/tenant-argocd.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { resolveApplicationSets, resolveApplications, type Deployment } from '../deployments.ts';
import { ownerLabels } from '../ownership.ts';
import { buildProjects, ARGO_API, projectName } from './app-project.ts';

/**
 * Renders the objects in Argo CD's namespace that it needs to deploy from the tenant's repositories, the project first.
 * Nothing without a repository.
 */
export function renderArgoCDObjects(resolved: ResolvedTenant): KubeObject[] {
  return [...buildProjects(resolved), ...buildApplications(resolved)];
}

/**
 * Builds the Applications and ApplicationSets of a tenant. None has the finalizer with which Argo CD deletes what an
 * Application deployed, so a removed one leaves everything in the namespace as it is.
 */
function buildApplications(resolved: ResolvedTenant): KubeObject[] {
  return [
    ...resolveApplications(resolved).map((one) => buildApplication(resolved, one)),
    ...resolveApplicationSets(resolved).map((one) => buildApplicationSet(resolved, one)),
  ];
}

function buildApplication(
  resolved: ResolvedTenant,
  deployment: Deployment<TenantApplication>,
): KubeObject {
  const { source } = deployment.declared;
  const { repoURL, path, chart, targetRevision, helm } = source;
  const valueFiles = helm?.valueFiles ?? [];
  return {
    apiVersion: ARGO_API,
    kind: 'Application',
    metadata: buildMetadata(resolved, deployment),
    spec: buildSpec(resolved, deployment, {
      repoURL,
      ...(path !== undefined && { path }),
      ...(chart !== undefined && { chart }),
      ...(targetRevision !== undefined && { targetRevision }),
      ...(valueFiles.length > 0 && { helm: { valueFiles } }),
    }),
  };
}

function buildApplicationSet(
  resolved: ResolvedTenant,
  deployment: Deployment<TenantApplicationSet>,
): KubeObject {
  const { repoURL, revision = 'HEAD', directories } = deployment.declared;
  const metadata = buildMetadata(resolved, deployment);
  const source = { repoURL, path: '{{.path.path}}', targetRevision: revision };
  return {
    apiVersion: ARGO_API,
    kind: 'ApplicationSet',
    metadata,
    spec: {
      generators: [
        { git: { directories: directories.map((path) => ({ path })), repoURL, revision } },
      ],
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      syncPolicy: { preserveResourcesOnDeletion: true },
      template: {
        metadata: {
          labels: metadata.labels,
          name: `${metadata.name}.{{.path.basenameNormalized}}`,
        },
        spec: buildSpec(resolved, deployment, source),
      },
    },
  };
}

function buildMetadata(
  { declaration, platform }: ResolvedTenant,
  { name }: { readonly name: string },
) {
  const { argocdNamespace: namespace } = platform;
  return { labels: ownerLabels(declaration.name), name, namespace };
}

/** Fails the sync if another Application already deploys an object, such as one of the platform. */
const SYNC_OPTIONS = ['FailOnSharedResource=true'];

/** Five more attempts in about three minutes; then Argo CD waits for the next commit, or for a person. */
const RETRY = { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } };

function buildSpec(
  { declaration }: ResolvedTenant,
  { declared, destination }: Deployment<{ readonly sync?: 'Automated' | 'Manual' }>,
  source: object,
) {
  const automated = { prune: true, selfHeal: true };
  return {
    destination: { namespace: destination.namespace.name, server: destination.server },
    project: projectName(declaration.name),
    source,
    syncPolicy: {
      ...(declared.sync !== 'Manual' && { automated }),
      retry: RETRY,
      syncOptions: SYNC_OPTIONS,
    },
  };
}
